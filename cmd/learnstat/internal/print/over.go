package print

import (
	"fmt"
	"strings"

	"github.com/learnbench/learnbench/cmd/learnstat/internal/report"
	"github.com/learnbench/learnbench/learntest/unit"
)

// below returns the lines below a table: comparisons of more than two columns, posterior
// probabilities over data sets, and how well repetitions agree.
func below(r *report.Report, t *report.Table) []string {
	var lines []string
	line := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
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
			if h := o.Columns[j].Hierarchical; h != nil {
				hierarchicalLines(line, t, h, of+", "+r.Columns[j].Label)
			}
		}
		if o.Ranks != nil {
			rankLines(line, r, o, of)
		}
		if o.Alike != nil {
			alikeLines(line, r, o.Alike, of)
		}
	}
	lines = append(lines, t.SmallSlices()...)
	if c := t.Consistency; c != nil {
		line("repetitions in %d comparisons: %d consistent, %d almost consistent, mean R %.3f",
			c.Comparisons, c.Consistent, c.Almost, float64(c.MeanR))
	}
	return lines
}

func hierarchicalLines(line func(string, ...any), t *report.Table, h *report.Hierarchical,
	of string,
) {
	u := t.Measure()
	line("%s: P(worse rope better) by the hierarchical test %s within %s: %s; %s, 95%% interval %s",
		of, formatRegions(&h.P), u.FormatMargin(float64(h.Rope)), h.Outcome,
		u.FormatDifference(float64(h.Mean)), u.FormatInterval(float64(h.Lo), float64(h.Hi)))
	for _, n := range h.Notes {
		line("%s: %s", of, n)
	}
}

func alikeLines(line func(string, ...any), r *report.Report, a *report.Alike, of string) {
	figures := make([]string, len(a.Figures))
	for i, x := range a.Figures {
		figures[i] = fmt.Sprintf("%s %.4g", r.Columns[i].Label, float64(x))
	}
	statistic := fmt.Sprintf("chi-squared = %.4g, df = %.4g", float64(a.Statistic), float64(a.DF))
	if !a.DF2.IsNaN() {
		statistic = fmt.Sprintf("F = %.4g, df = %.4g and %.4g", float64(a.Statistic), float64(a.DF),
			float64(a.DF2))
	}
	line("%s: do all columns perform alike? %s: p = %s, %s; %s: %s", of, a.Test,
		unit.FormatP(float64(a.P)), statistic, a.What, strings.Join(figures, ", "))
	for _, n := range a.Notes {
		line("%s: %s: %s", of, a.Test, n)
	}
}

func rankLines(line func(string, ...any), r *report.Report, o *report.Over, of string) {
	k := o.Ranks
	ranks := make([]string, len(k.Mean))
	for i, x := range k.Mean {
		ranks[i] = fmt.Sprintf("%s %.3g", r.Columns[i].Label, float64(x))
	}
	line("%s: Friedman's test, corrected for ties: chi-squared = %.4g, df = %.4g, p = %s; F = %.4g, p = %s; mean ranks: %s", of,
		float64(k.Statistic), float64(k.DF), unit.FormatP(float64(k.P)), float64(k.F),
		unit.FormatP(float64(k.FP)), strings.Join(ranks, ", "))
	for _, p := range k.Pairs {
		text := fmt.Sprintf("%s: %s vs %s: p = %s, holm %s (%s)", of, r.Columns[p.B].Label,
			r.Columns[p.A].Label,
			unit.FormatP(float64(p.P)), unit.FormatP(float64(p.AdjustedP)), o.Test)
		if !p.MeanRanksP.IsNaN() {
			text += ", mean ranks p = " + unit.FormatP(float64(p.MeanRanksP))
		}
		line("%s", text)
	}
	for _, n := range k.Notes {
		line("%s: %s", of, n)
	}
}
