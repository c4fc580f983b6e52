package print

import (
	"slices"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/cmd/learnstat/internal/report"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/learnbench/learnbench/learntest/verdict"
	"github.com/stretchr/testify/require"
)

// reruns returns a report with a row for each rerun.
func reruns(all ...verdict.RerunFacts) *report.Report {
	r := &report.Report{
		Columns:  []report.Column{{Label: "old"}, {Label: "new"}},
		Settings: report.Settings{Adjust: "holm", Tail: "both", Alpha: 0.05},
	}
	t := report.Table{Metric: "accuracy", Unit: &report.Unit{
		Name: "accuracy", Better: "higher",
		Max: 1,
	}}
	for i := range all {
		t.Rows = append(t.Rows, report.Row{Label: "x", Cells: []report.Cell{
			{Learner: "a"},
			{Learner: "a", Verdict: &verdict.Facts{Outcome: "inconclusive", Rerun: &all[i]}},
		}})
	}
	r.Tables = []report.Table{t}
	return r
}

// rColumn returns title and texts of the column with R; nothing if there is none.
func rColumn(d *document) []string {
	t := &d.Tables[0]
	var titles []string
	for _, g := range t.Groups {
		for _, c := range g.Columns {
			titles = append(titles, c.Title)
		}
	}
	at := slices.IndexFunc(titles, func(title string) bool { return strings.HasPrefix(title, "R") })
	if at < 0 {
		return nil
	}
	texts := []string{titles[at]}
	for _, row := range t.Rows {
		texts = append(texts, row.Cells[at].Text)
	}
	return texts
}

// R stands alone only where it is known well.
func TestReruns(t *testing.T) {
	t.Parallel()
	nan := unit.NaN()
	predicted := func(r, lo, hi unit.Number) verdict.RerunFacts {
		return verdict.RerunFacts{R: r, Lo: lo, Hi: hi, Runs: 10}
	}
	for _, s := range []bool{false, true} {
		require.Equal(t, []string{"R (90% interval)", "0.694 (0.50–0.97)", "0.990", "0.950 (0.89–0.99)"},
			rColumn(newDocument(reruns(predicted(0.694, 0.5, 0.974), predicted(0.99, 0.95, 1),
				predicted(0.95, 0.8899, 0.99)), s)))
		require.Equal(t, []string{"R", "0.990", "> 0.999"},
			rColumn(newDocument(reruns(predicted(0.99, 0.95, 1), predicted(1, 1, 1)), s)))
		counted := verdict.RerunFacts{R: 0.644, Lo: nan, Hi: nan, Repeats: 10, Agreeing: 8}
		require.Equal(t, []string{"R", "0.644 (8 of 10)"}, rColumn(newDocument(reruns(counted), s)))

		const note = "R is not shown of more than 300 comparisons; -format csv and json have it, with its interval"
		many := slices.Repeat([]verdict.RerunFacts{predicted(0.694, 0.5, 0.974)}, report.ManyComparisons)
		require.Len(t, rColumn(newDocument(reruns(many...), s)), 1+len(many))
		require.NotContains(t, newDocument(reruns(many...), s).Notes, note)
		many = append(many, many[0])
		require.Empty(t, rColumn(newDocument(reruns(many...), s)))
		require.Contains(t, newDocument(reruns(many...), s).Notes, note)
		many = slices.Repeat([]verdict.RerunFacts{counted}, len(many))
		require.Len(t, rColumn(newDocument(reruns(many...), s)), 1+len(many))
		require.NotContains(t, newDocument(reruns(many...), s).Notes, note)
	}
}
