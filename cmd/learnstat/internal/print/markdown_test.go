package print

import (
	"strconv"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/cmd/learnstat/internal/report"
	"github.com/learnbench/learnbench/learntest/verdict"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A summary of very many rows keeps under GitHub's limit, and has what matters.
func TestMarkdownIsShort(t *testing.T) {
	t.Parallel()
	r := &report.Report{
		Schema: report.Schema, Status: 1,
		Columns: []report.Column{{Label: "old", Title: "old"}, {Label: "new", Title: "new"}},
	}
	r.Settings.Adjust = "holm"
	table := report.Table{Metric: "accuracy", Unit: &report.Unit{
		Name: "accuracy", Better: "higher",
		Max: 1,
	}}
	for i := range 20_000 {
		v := verdict.Facts{
			Outcome: "inconclusive", P: 0.5, AdjustedP: 1, Difference: -0.01, Lo: -0.02,
			Hi: 0.01,
		}
		label := "data" + strconv.Itoa(i) + "/" + strings.Repeat("<", 30)
		if i == 19_999 {
			v.Outcome, v.P, label = "regressed", 0.001, "the one"
			r.Gate.Offences = []report.Offence{{At: report.At{Row: i, Column: 1}, Why: "regressed"}}
		}
		table.Rows = append(table.Rows, report.Row{Label: label, Cells: []report.Cell{
			{Learner: "x"},
			{Learner: "x", Verdict: &v},
		}})
		r.Problems = append(r.Problems, strings.Repeat("#", 40))
	}
	r.Tables = []report.Table{table}
	var b strings.Builder
	require.NoError(t, writeMarkdown(&b, r, Options{}))
	assert.Less(t, b.Len(), 1<<20)
	assert.Regexp(t, `\n\| the one .*\*\*regressed\*\* ❌ \|\n\| data0/`, b.String())
	assert.Contains(t, b.String(),
		"\n\n20000 comparisons: 1 regressed (0 by adjusted p), 19999 inconclusive\n\n")
	assert.Regexp(t, `\nand \d+ more\n`, b.String())
	var annotations strings.Builder
	require.NoError(t, writeGitHub(&annotations, r, Options{}))
	assert.Equal(t, 10, strings.Count(annotations.String(), "::error"))
	assert.Contains(t, annotations.String(), "::and ")
}
