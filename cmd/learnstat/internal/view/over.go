package render

import (
	"fmt"
	"slices"
	"strings"

	"github.com/learnbench/learnbench/cmd/learnstat/internal/report"
	"github.com/learnbench/learnbench/internal/texttab"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// bayesian reports whether the comparisons of a table have posterior probabilities.
func bayesian(t *report.Table) bool {
	return slices.ContainsFunc(t.Rows, func(row report.Row) bool {
		return slices.ContainsFunc(row.Cells, func(c report.Cell) bool { return c.Verdict != nil && c.Verdict.Bayes != nil })
	})
}

func formatRegions(r *report.Regions) string {
	if r == nil {
		return ""
	}
	return fmt.Sprintf("%.3f %.3f %.3f", float64(r.Worse), float64(r.Rope), float64(r.Better))
}

// overRows adds a row for each comparison over data sets.
func overRows(table *texttab.Table, r *report.Report, t *report.Table, u record.Unit, columns []int, o Options) {
	for i := range t.Over {
		over := &t.Over[i]
		label := fmt.Sprintf("mean of %d data sets", over.DataSets)
		if len(t.Over) > 1 {
			label = fmt.Sprintf("%s, %s", over.Learner, label)
		}
		cells := []string{verdict.Printable(label)}
		for j, c := range columns {
			x := &over.Columns[c]
			cells = append(cells, verdict.FormatScore(u, float64(x.Mean)))
			if j == 0 {
				continue
			}
			cells = append(cells, verdict.FormatDifference(u, float64(x.Difference)))
			if o.omit < 2 {
				cells = append(cells, "")
			}
			cells = append(cells, fmt.Sprintf("(p=%s %s)", verdict.FormatP(float64(x.P)), over.Test))
			if bayesian(t) {
				cells = append(cells, "")
			}
			if adjusted(r, t) {
				cells = append(cells, "")
			}
			if o.omit < 1 {
				cells = append(cells, "")
			}
			count := fmt.Sprintf("%d better, %d worse", x.Better, x.Worse)
			if x.Same > 0 {
				count = fmt.Sprintf("%d better, %d same, %d worse", x.Better, x.Same, x.Worse)
			}
			for _, n := range x.Notes {
				count += " " + table.Note(verdict.Printable("over data sets: "+n))
			}
			cells = append(cells, count)
		}
		table.Row(cells...)
	}
}

// writeOver writes what is below a table: comparisons of more than two columns, posterior
// probabilities over data sets, and how well repetitions agree.
func writeOver(b *strings.Builder, r *report.Report, t *report.Table) {
	line := func(format string, args ...any) {
		b.WriteString(verdict.Printable(fmt.Sprintf(format, args...)) + "\n")
	}
	for i := range t.Over {
		o := &t.Over[i]
		of := fmt.Sprintf("%d data sets", o.DataSets)
		if len(t.Over) > 1 {
			of = o.Learner + " over " + of
		}
		for j := 1; j < len(o.Columns); j++ {
			if c := &o.Columns[j]; c.BayesSign != nil {
				line("%s, %s: P(worse rope better) by the Bayesian sign test %s, by the signed-rank test %s",
					of, r.Columns[j].Label, formatRegions(c.BayesSign), formatRegions(c.BayesSignedRank))
			}
		}
		if o.Ranks != nil {
			writeRanks(line, r, o, of)
		}
	}
	if c := t.Consistency; c != nil {
		line("repetitions in %d comparisons: %d consistent, %d almost consistent, mean R %.3f", c.Comparisons, c.Consistent, c.Almost, float64(c.MeanR))
	}
}

func writeRanks(line func(string, ...any), r *report.Report, o *report.Over, of string) {
	k := o.Ranks
	ranks := make([]string, len(k.Mean))
	for i, x := range k.Mean {
		ranks[i] = fmt.Sprintf("%s %.3g", r.Columns[i].Label, float64(x))
	}
	line("%s: Friedman's test, corrected for ties: chi-squared = %.4g, df = %.4g, p = %s; F = %.4g, p = %s; mean ranks: %s", of,
		float64(k.Statistic), float64(k.DF), verdict.FormatP(float64(k.P)), float64(k.F), verdict.FormatP(float64(k.FP)), strings.Join(ranks, ", "))
	for _, p := range k.Pairs {
		text := fmt.Sprintf("%s: %s vs %s: p = %s, holm %s (%s)", of, r.Columns[p.B].Label, r.Columns[p.A].Label,
			verdict.FormatP(float64(p.P)), verdict.FormatP(float64(p.AdjustedP)), o.Test)
		if !p.MeanRanksP.IsNaN() {
			text += ", mean ranks p = " + verdict.FormatP(float64(p.MeanRanksP))
		}
		line("%s", text)
	}
	for _, n := range k.Notes {
		line("%s: %s", of, n)
	}
}
