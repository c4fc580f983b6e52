package cli

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/learntest/record"
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
		"":                             nil,
		"cmd: plain\n":                 plain,
		"cmd: plain\ncmd: other\n":     errors.Join(plain, errors.New("other")),
		"cmd: a\ncmd: b\ncmd: plain\n": errors.Join(errors.Join(errors.New("a"), errors.New("b")), nil, plain),
		"cmd: plain: of it: broken\n":  fmt.Errorf("%w: of it: %w", plain, errBroken),
		"cmd: in: plain; broken\n":     fmt.Errorf("in: %w", errors.Join(plain, errBroken)),
		"cmd: 1: in: plain; a\\u000ab; broken; c\n": fmt.Errorf("1: %w", fmt.Errorf("in: %w", errors.Join(errors.Join(plain, errors.New("a\nb")), errBroken, errors.New("c")))),
		"cmd: plain\\u000aother: plain; broken\n":   fmt.Errorf("%w\nother: %w", plain, errors.Join(plain, errBroken)),
		"cmd: a\\u001b[31m\\u202eb\\u000ac\\xff\n":  errors.New("a\x1b[31m\u202eb\nc\xff"),
	} {
		var b strings.Builder
		Report(&b, "cmd", err)
		assert.Equal(t, want, b.String())
	}
	assert.Equal(t, []error{plain}, Leaves(plain))
	assert.Empty(t, Leaves(nil))
}

func TestMarginThatNoDifferenceCouldMiss(t *testing.T) {
	t.Parallel()
	accuracy := record.Unit{Name: "accuracy", Better: record.Higher, Max: 1}
	kappa := record.Unit{Name: "kappa", Better: record.Higher, Min: -1, Max: 1}
	logloss := record.Unit{Name: "logloss", Better: record.Lower, Max: math.Inf(1)}
	for _, c := range []struct {
		unit   record.Unit
		margin float64
		want   string
	}{
		{accuracy, 0.02, ""},
		{accuracy, 0.999, ""},
		{accuracy, 1, "-margin 1 is the whole range of accuracy, 0 to 1, or more, and no difference is beyond it: 0.02 is two points"},
		{accuracy, 2, "-margin 2 is the whole range of accuracy, 0 to 1, or more, and no difference is beyond it: 0.02 is two points"},
		{kappa, 1.5, ""},
		{kappa, 2, "-margin 2 is the whole range of kappa, -1 to 1, or more, and no difference is beyond it: give a smaller one, in the unit of the metric"},
		{logloss, 5, ""},
		{logloss, 0, "-margin 0 is not a positive number: give one in the unit of logloss, or none"},
		{accuracy, -0.1, "-margin -0.1 is not a positive number: give one in the unit of accuracy, or none"},
		{logloss, math.NaN(), "-margin NaN is not a positive number: give one in the unit of logloss, or none"},
		{logloss, math.Inf(1), "-margin +Inf is not a positive number: give one in the unit of logloss, or none"},
	} {
		if err := CheckMargin(c.unit, c.margin); c.want == "" {
			assert.NoError(t, err)
		} else {
			assert.EqualError(t, err, c.want)
		}
	}
}
