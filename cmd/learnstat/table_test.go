package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestAbbreviatedCommits(t *testing.T) {
	t.Parallel()
	for commit, want := range map[string]string{
		"3f2a9c1d5e6f":       "3f2a9c1",
		"3f2a9c1d5e6f-dirty": "3f2a9c1-dirty",
		"3f2a9c1d5e6f3f2a9c1d5e6f3f2a9c1d5e6f3f2a9c1d": "3f2a9c1",
		"3f2a9c1":      "3f2a9c1",
		"v1.2.3":       "v1.2.3",
		"r4711":        "r4711",
		"release-2026": "release-2026",
	} {
		assert.Equal(t, want, abbreviated(commit))
	}
}

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
}
