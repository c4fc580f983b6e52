package main

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/internal/cli"
	"github.com/learnbench/learnbench/internal/texttab"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A history fits its width, whatever the names, and explains its marks and its omissions.
func TestTextOfAHistoryFits(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a-long-name-", 5)
	before, after := testdata("before.txt"), testdata("after.txt")
	for _, files := range [][]string{
		{"a=" + before, "b=" + after},
		{"a=" + before, "b=" + before, "c=" + after, "d=" + before},
		{long + "=" + before, long + "2=" + before, "c=" + after},
		{"-reference", long + "=" + after, "a=" + before, "b=" + after},
		{"-adjust", "none", "a=" + before, "b=" + after},
	} {
		for _, width := range []int{40, 60, 80, 100, 250} {
			args := append([]string{"-history", "-width", fmt.Sprint(width)}, files...)
			status, text, stderr := runText(args...)
			require.Equal(t, cli.Clean, status, stderr)
			for line := range strings.Lines(text) {
				line = strings.TrimSuffix(line, "\n")
				if strings.Contains(line, ") "+long) || strings.HasPrefix(line, "reference: ") || width < 80 &&
					!strings.HasPrefix(line, "iris") && !strings.HasPrefix(line, "glass") {
					continue // names in full, and sentences
				}
				assert.LessOrEqual(t, texttab.Width(line), width, "%s", line)
			}
			if strings.Contains(text, "verdict") {
				continue // all columns
			}
			assert.Regexp(t, `(?m)^no room for intervals(, p)?: see -width, -html or -format csv$`, text)
			assert.Equal(t, !strings.Contains(text, ", p:"),
				regexp.MustCompile(`(?m)^ .*  (adj )?p `).MatchString(text), text)
			assert.Contains(t, text, "~ inconclusive\n")
			assert.Contains(t, text, "0.44")
			if width <= 100 && strings.Contains(strings.Join(files, " "), long) {
				assert.Regexp(t, `(?m)^(\(\d+\)|reference:) `+long, text)
			}
		}
		_, wide, _ := runText(append([]string{"-history", "-width", "80"}, files...)...)
		_, plain, _ := runText(append([]string{"-history"}, files...)...)
		assert.Equal(t, wide, plain)
	}
}

// Two losses, neither of which is shown alone, are one that is.
func TestTextOfAHistoryShowsWhatWasLost(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var paths []string
	for i, gain := range []float64{0, -0.002, -0.004} {
		paths = append(paths, filepath.Join(dir, fmt.Sprintf("v%d.txt", i)))
		tenByTen(t, paths[i], 1, gain)
	}
	_, text, stderr := runText(append([]string{"-history"}, paths...)...)
	require.Empty(t, stderr)
	assert.Regexp(t, `(?m)^data0/nn .*v0\.txt +70\.97$`, text)
	assert.Regexp(t, `(?m)^data0/nn .*v1\.txt +69\.79  ~ -1\.18 +\.486 +~ -1\.18 +\.243$`, text)
	assert.Regexp(t, `(?m)^data0/nn .*v2\.txt +68\.61  ~ -1\.18 +\.486 +▼ -2\.36 +\.042$`, text)
	assert.Contains(t, text, "\n▼ regressed  ~ inconclusive\n")
}
