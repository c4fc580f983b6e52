package cli

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestWriteSaysWhatToDo(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	require.NoError(t, Write(&b, "verdict\n"))
	assert.Equal(t, "verdict\n", b.String())
	err := Write(broken{}, "verdict\n")
	require.ErrorIs(t, err, errBroken)
	assert.EqualError(t, err, "writing to standard output: broken: make room for it or send it elsewhere, and run the command again")
}

func TestReportHasALineForEachError(t *testing.T) {
	t.Parallel()
	plain := errors.New("plain")
	for want, err := range map[string]error{
		"":                         nil,
		"cmd: plain\n":             plain,
		"cmd: plain\ncmd: other\n": errors.Join(plain, errors.New("other")),
		"cmd: a\ncmd: b\ncmd: plain\n": errors.Join(errors.Join(errors.New("a"), errors.New("b")), nil,
			plain),
		"cmd: plain: of it: broken\n": fmt.Errorf("%w: of it: %w", plain, errBroken),
		"cmd: in: plain; broken\n":    fmt.Errorf("in: %w", errors.Join(plain, errBroken)),
		"cmd: 1: in: plain; a\\u000ab; broken; c\n": fmt.Errorf("1: %w",
			fmt.Errorf("in: %w", errors.Join(errors.Join(plain, errors.New("a\nb")), errBroken,
				errors.New("c")))),
		"cmd: plain\\u000aother: plain; broken\n": fmt.Errorf("%w\nother: %w", plain,
			errors.Join(plain, errBroken)),
		"cmd: a\\u001b[31m\\u202eb\\u000ac\\xff\n": errors.New("a\x1b[31m\u202eb\nc\xff"),
	} {
		var b strings.Builder
		Report(&b, "cmd", err)
		assert.Equal(t, want, b.String())
	}
	assert.Equal(t, []error{plain}, Leaves(plain))
	assert.Empty(t, Leaves(nil))
}
