package branch

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestParseRange(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		want Range
	}{
		{"main..HEAD", Range{Old: "main", New: "HEAD"}},
		{"main..", Range{Old: "main", New: "HEAD"}},
		{"..main", Range{Old: "HEAD", New: "main"}},
		{"main...topic/a", Range{Old: "main", New: "topic/a", Base: true}},
		{"main...", Range{Old: "main", New: "HEAD", Base: true}},
		{"v1.2.3..v1.3.0", Range{Old: "v1.2.3", New: "v1.3.0"}},
		{"HEAD~3", Range{Old: "HEAD~3", Tree: true}},
		{"v1.2.3", Range{Old: "v1.2.3", Tree: true}},
	} {
		got, err := ParseRange(c.text)
		require.NoError(t, err, c.text)
		assert.Equal(t, c.want, got, c.text)
	}
	for _, bad := range []string{"", "..", "...", ".", "a..b..c", "a...b..c", "a....b", "a..b...c"} {
		_, err := ParseRange(bad)
		assert.ErrorContains(t, err, "write OLD..NEW", "%q", bad)
	}
}
