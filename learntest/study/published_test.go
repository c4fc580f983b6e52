package study

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// published returns the published report, and the report of the small study.
func published(t *testing.T) (full, small string) {
	t.Helper()
	a, err := os.ReadFile(filepath.Join("..", "..", "docs", "research", "replicability.md"))
	require.NoError(t, err)
	b, err := os.ReadFile(filepath.Join("testdata", "replicability-small.md"))
	require.NoError(t, err)
	return string(a), string(b)
}

// rows returns the cells of the rows of a table of a report whose first cell begins with
// the label.
func rows(t *testing.T, report, title, label string) [][]string {
	t.Helper()
	_, table, ok := strings.Cut(report, "\n## "+title+"\n")
	require.True(t, ok, title)
	table, _, _ = strings.Cut(table, "\n## ")
	var found [][]string
	for line := range strings.Lines(table) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		if len(cells) > 1 && strings.HasPrefix(cells[0], label) {
			found = append(found, cells)
		}
	}
	require.NotEmpty(t, found, "%s: %s", title, label)
	return found
}

// The published report is of the current study: it has the same tables with the same
// columns.
func TestPublishedReportHasTheTablesOfTheStudy(t *testing.T) {
	t.Parallel()
	full, small := published(t)
	shape := func(report string) (lines []string) {
		previous := ""
		for line := range strings.Lines(report) {
			if strings.HasPrefix(line, "## ") {
				lines = append(lines, line)
			}
			if strings.HasPrefix(line, "| ---") {
				lines = append(lines, strings.Join(strings.Fields(previous), " "))
			}
			previous = line
		}
		return lines
	}
	assert.Equal(t, shape(small), shape(full))
	assert.LessOrEqual(t, strings.Count(full, "\n"), 200)
}

// The figures that doc comments quote are the published ones.
func TestDocumentedFiguresArePublished(t *testing.T) {
	t.Parallel()
	full, _ := published(t)
	list := func(rows [][]string, column int) string {
		var xs []string
		for _, r := range rows {
			xs = append(xs, r[column])
		}
		return strings.TrimSuffix(strings.Join(xs[:len(xs)-1], ", ")+" and "+xs[len(xs)-1], " and ")
	}
	comment := func(file string) string {
		text, err := os.ReadFile(filepath.Join("..", "stat", "replicate", file))
		require.NoError(t, err)
		return strings.Join(strings.Fields(regexp.MustCompile(`(?m)^//`).ReplaceAllString(string(text),
			"")), " ")
	}
	const real = "Estimators, real comparisons"
	predicted := comment("predicted.go")
	assert.Contains(t, predicted, "from 10, 20, 40 and 100 runs is "+list(rows(t, full, real,
		posterior), 4))
	assert.Contains(t, predicted, "(of R(Z) "+list(rows(t, full, real, plugIn), 4))
	assert.Contains(t, predicted, "on 100 runs, "+rows(t, full, real, counted)[0][4])
	all := rows(t, full, "Pools", "all real")[0]
	assert.Contains(t, predicted, all[2]+" of "+all[1]+" real comparisons")
	pool := comment("pooled.go")
	assert.Contains(t, pool, "for a test on 10 was "+list(rows(t, full, real, pooled), 4))
	assert.Contains(t, pool, list(rows(t, full, real, posterior)[1:], 4))

	adaptive := comment("adaptive.go")
	normal := rows(t, full, "The sequential rule on exactly normal runs", "0.")
	var shown []string
	for _, r := range normal {
		shown = append(shown, r[1])
	}
	assert.Contains(t, adaptive, "shown, % "+strings.Join(shown, " "))
	const rule = "The sequential rule, required replicability .9"
	columns := rows(t, full, rule, "true R")[0]
	for name, label := range map[string]string{
		"shown, %": "shown, %", "runs": "mean runs",
		"counted, %": "counted, %",
	} {
		column := -1
		for i, c := range columns {
			if c == name {
				column = i
			}
		}
		require.Positive(t, column)
		var figures []string
		for _, level := range []string{"up to .70", ".80", ".90", ".97 to", ".99", "above"} {
			figures = append(figures, rows(t, full, rule, level)[0][column])
		}
		assert.Contains(t, adaptive, label+" "+strings.Join(figures, " "))
	}
}
