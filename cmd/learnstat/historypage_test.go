package main

import (
	"fmt"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/internal/cli"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var (
	tableRow  = regexp.MustCompile(`(?s)<tr><th scope="row">(.*?)</tr>`)
	tableCell = regexp.MustCompile(`(?s)<td class="[^"]*">(.*?)(?: <i role="img" aria-label="([^"]*)">.*?</i>)?</td>`)
)

// historyPage returns the page of a history, and the cells of its tables.
func historyPage(t *testing.T, want int, args ...string) (page string, rows [][]string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "page.html")
	status, _, stderr := runText(append([]string{"-history", "-html", path}, args...)...)
	require.Equal(t, want, status, stderr)
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	for _, row := range tableRow.FindAllStringSubmatch(string(text), -1) {
		label, _, _ := strings.Cut(row[1], "</th>")
		cells := []string{html.UnescapeString(label)}
		for _, cell := range tableCell.FindAllStringSubmatch(row[1], -1) {
			cells = append(cells, html.UnescapeString(cell[1]))
			if outcome := cell[2]; outcome != "" {
				assert.Regexp(t, `<td class="`+outcome+`">`+regexp.QuoteMeta(cell[1])+` <i`, row[1])
			}
		}
		rows = append(rows, cells)
	}
	return string(text), rows
}

// The page of a history has the numbers of its text, segment by segment.
func TestPageOfAHistoryHasTheNumbersOfItsText(t *testing.T) {
	t.Parallel()
	before, after := testdata("before.txt"), testdata("after.txt")
	for _, args := range [][]string{
		{"a=" + before, "b=" + before, "c=" + after, "d=" + before},
		{"-reference", "pin=" + after, "-adjust", "none", "a=" + before, "b=" + after},
		{"-tail", "worse", "-margin", "accuracy=5pp,logloss=0.1", "a=" + before, "b=" + after},
	} {
		_, markdown, _ := runText(append([]string{"-history", "-format", "markdown"}, args...)...)
		var want [][]string
		for line := range strings.Lines(markdown) {
			if cells := strings.Split(strings.TrimSpace(line), "|"); len(cells) > 4 &&
				strings.Contains(cells[1], "/") {
				var texts []string
				for i, c := range cells[1 : len(cells)-1] {
					if i != 1 { // pictures are below
						texts = append(texts, strings.TrimSuffix(strings.TrimSpace(c), " points"))
					}
				}
				want = append(want, texts)
			}
		}
		require.NotEmpty(t, want)
		page, rows := historyPage(t, cli.Clean, args...)
		assert.Equal(t, want, rows)
		assert.Equal(t, 2*8, strings.Count(page, "<svg "), "a picture of each row, in two widths")
		for _, note := range regexp.MustCompile(`(?m)^- ([¹²³].*)$`).FindAllStringSubmatch(markdown, -1) {
			assert.Contains(t, html.UnescapeString(page), `<p class="note">`+note[1]+`</p>`)
		}
	}
}

// A page of a history that could not be judged whole says so, shows the rest, and takes no name for
// HTML.
func TestPageOfAHistoryShowsWhatIsMissing(t *testing.T) {
	t.Parallel()
	f := fields{script, script, script, script}
	old, err := resultFile(t, "old.txt", f, 0)
	require.NoError(t, err)
	page, rows := historyPage(t, cli.Clean, "<script>="+old, "b="+old)
	assert.NotContains(t, strings.ToLower(page), "<script")
	require.NotEmpty(t, rows)
	assert.Contains(t, rows[0][1], "<script>")

	dir := t.TempDir()
	text, err := os.ReadFile(testdata("after.txt"))
	require.NoError(t, err)
	bad := filepath.Join(dir, "bad.txt")
	changed := regexp.MustCompile(`(?m)^Checksum:.*\n`).ReplaceAllString(string(text), "")
	changed = regexp.MustCompile(`(data=iris/learner=nn/run=1/fold=2 1) [0-9.]+ accuracy`).ReplaceAllString(changed, "$1 7 accuracy")
	require.NoError(t, os.WriteFile(bad, []byte(changed), 0o666))
	page, rows = historyPage(t, cli.Unjudged, "-metric", "accuracy", "-data", "iris", "-learner", "nn",
		"a="+testdata("before.txt"), "b="+bad)
	assert.Contains(t, page, `class="result unjudged"`)
	assert.Contains(t, page, `<h2>Could not be judged</h2>`)
	require.Len(t, rows, 2)
	assert.Contains(t, rows[1], "invalid ¹")
	assert.Contains(t, page, `<p class="note">¹ candidate nn: values are out of range: `)
	assert.Contains(t, page, "The last files against the first: 1 invalid</p>")
}

// Of very many rows the page draws the rows that matter most, and says how many it leaves out.
func TestPageOfAHistoryDrawsTheWorstRows(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	paths := []string{filepath.Join(dir, "old.txt"), filepath.Join(dir, "new.txt")}
	tenByTen(t, paths[0], 30, 0)
	tenByTen(t, paths[1], 29, 0)
	last, err := os.ReadFile(paths[1])
	require.NoError(t, err)
	worse := filepath.Join(dir, "worse.txt")
	tenByTen(t, worse, 30, -0.01)
	lost, err := os.ReadFile(worse)
	require.NoError(t, err)
	at := strings.LastIndex(string(lost), "learnbench-format:")
	require.NoError(t, os.WriteFile(paths[1], []byte(string(last)+string(lost[at:])), 0o666))
	page, rows := historyPage(t, cli.Clean, paths...)
	assert.Len(t, rows, 31, "one row has two segments")
	assert.Contains(t, page, "The last files against the first: 1 regressed, 29 unchanged</p>")
	assert.Equal(t, 2*20, strings.Count(page, "<svg "))
	assert.Contains(t, page, "20 rows of 30 have a picture, the worst ones: -plot draws them all")
	assert.Contains(t, page, "accuracy of data29/nn, file by file")
	assert.Less(t, strings.Index(page, "accuracy of data29/nn, file by file"),
		strings.Index(page, "accuracy of data0/nn, file by file"))
	assert.NotContains(t, page, fmt.Sprintf("accuracy of data%d/nn, file by file", 28))
}
