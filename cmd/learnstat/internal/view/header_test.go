package render

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestHeaderLinesBreak(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	items := make([]string, 12)
	for i := range items {
		items[i] = strings.Repeat("x", 20)
	}
	wrap(&b, "data: ", items)
	assert.Equal(t, 3, strings.Count(b.String(), "\n"))
	for line := range strings.Lines(b.String()) {
		assert.LessOrEqual(t, len(line), headerWidth+1)
		assert.True(t, strings.HasPrefix(line, "data: x") || strings.HasPrefix(line, "      x"), line)
	}
	b.Reset()
	wrap(&b, "data: ", []string{"a", strings.Repeat("y", 200), "c"})
	assert.Equal(t, "data: a,\n      "+strings.Repeat("y", 200)+",\n      c\n", b.String())
	b.Reset()
	wrap(&b, "data: ", make([]string, 1000))
	assert.LessOrEqual(t, strings.Count(b.String(), "\n"), headerLines)
	assert.Regexp(t, ` and \d+ more\n$`, b.String())
}
