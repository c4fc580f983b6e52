package print

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestHeaderLinesBreak(t *testing.T) {
	t.Parallel()
	items := make([]string, 12)
	for i := range items {
		items[i] = strings.Repeat("x", 20)
	}
	lines := wrap("data: ", items, ",")
	assert.Len(t, lines, 4)
	for _, line := range lines {
		assert.LessOrEqual(t, len(line), headerWidth)
		assert.True(t, strings.HasPrefix(line, "data: x") || strings.HasPrefix(line, "      x"), line)
	}
	assert.Equal(t, []string{"data: a,", "      " + strings.Repeat("y", 200) + ",", "      c"},
		wrap("data: ", []string{"a", strings.Repeat("y", 200), "c"}, ","))
	lines = wrap("data: ", make([]string, 1000), ";")
	assert.Len(t, lines, headerLines)
	assert.Regexp(t, ` and \d+ more$`, lines[headerLines-1])
}
