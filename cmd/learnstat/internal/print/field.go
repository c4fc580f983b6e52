package print

import (
	"fmt"

	"github.com/learnbench/learnbench/cmd/learnstat/internal/report"
	"github.com/learnbench/learnbench/internal/texttab"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// A field is a column beside the mean of a candidate. Where there is no verdict, all but the last
// are empty.
type field struct {
	column
	cell func(v *verdict.Facts) cell
	over func(o *report.Over, c *report.OverColumn) cell // over data sets; nil if there is nothing
}

// fieldsOf returns what stands beside the mean of a candidate.
func fieldsOf(r *report.Report, t *report.Table) []field {
	u := t.Measure()
	fields := []field{
		{rightColumn("vs base"), func(w *verdict.Facts) cell {
			if w.Significant == 0 {
				return cell{Text: "~"}
			}
			return cell{Text: u.FormatDifference(float64(w.Difference))}
		}, func(_ *report.Over, c *report.OverColumn) cell {
			if moods[c.Outcome] == neutral {
				return cell{Text: "~"}
			}
			return cell{Text: u.FormatDifference(float64(c.Difference))}
		}},
		{
			intervalColumn(r, u), func(w *verdict.Facts) cell { return cell{Text: formatInterval(u, w)} },
			nil,
		},
		{column{}, func(w *verdict.Facts) cell {
			return cell{Text: fmt.Sprintf("(p=%s n=%s)", unit.FormatP(float64(w.P)), w.Size())}
		}, func(o *report.Over, c *report.OverColumn) cell {
			return cell{Text: fmt.Sprintf("(p=%s %s)", unit.FormatP(float64(c.P)), o.Test)}
		}},
	}
	if has(t, func(w *verdict.Facts) bool { return w.Bayes != nil }) {
		fields = append(fields, field{
			column{Title: "P(worse rope better)", Align: texttab.Right},
			func(w *verdict.Facts) cell { return cell{Text: formatRegions(w.Bayes)} }, nil,
		})
	}
	if r.Adjusts() {
		fields = append(fields, field{
			rightColumn(r.Settings.Adjust),
			func(w *verdict.Facts) cell { return cell{Text: unit.FormatP(float64(w.AdjustedP))} }, nil,
		})
	}
	if !r.Many() || hasCounted(t) {
		fields = append(fields, rerunField(t))
	}
	return append(fields, field{
		column{Title: "verdict"},
		func(w *verdict.Facts) cell { return cell{Text: w.Outcome, notes: w.Notes} }, overCounts,
	})
}

// has reports whether a verdict of the table has something.
func has(t *report.Table, what func(*verdict.Facts) bool) bool {
	for c := range t.All() {
		if c.Judged() && what(c.Facts) {
			return true
		}
	}
	return false
}

// wideRerun is how wide an interval of R may be for R to stand alone.
const wideRerun = 0.1

// rerunField is R: one that is predicted has its interval where that is wide, one that is counted
// its count.
func rerunField(t *report.Table) field {
	title := "R"
	if has(t, func(w *verdict.Facts) bool { return w.Rerun != nil && wide(w.Rerun) }) {
		title = "R (90% interval)"
	}
	return field{
		column{Title: title, TitleAlign: texttab.Center},
		func(w *verdict.Facts) cell { return cell{Text: formatRerun(w.Rerun)} }, nil,
	}
}

// hasCounted reports whether an R of the table is counted, which costs the time asked for.
func hasCounted(t *report.Table) bool {
	return has(t, func(w *verdict.Facts) bool { return w.Rerun != nil && w.Rerun.Repeats > 0 })
}

func wide(r *verdict.RerunFacts) bool { return r.Repeats == 0 && float64(r.Hi-r.Lo) > wideRerun }

func formatRerun(r *verdict.RerunFacts) string {
	switch {
	case r == nil:
		return ""
	case r.Repeats > 0:
		return fmt.Sprintf("%.3f (%d of %d)", float64(r.R), r.Agreeing, r.Repeats)
	case r.R.IsNaN() && r.Lo >= 0.9995:
		return unit.FormatProbability(1)
	case r.R.IsNaN():
		return fmt.Sprintf("%.3f–%.3f", float64(r.Lo), float64(r.Hi))
	case wide(r):
		return fmt.Sprintf("%.3f (%.2f–%.2f)", float64(r.R), float64(r.Lo), float64(r.Hi))
	}
	return unit.FormatProbability(float64(r.R))
}

// overCounts says on how many data sets a column is better.
func overCounts(_ *report.Over, x *report.OverColumn) cell {
	c := cell{Text: fmt.Sprintf("%s (%s)", x.Outcome, x.Counts()), Mood: moods[x.Outcome]}
	for _, n := range x.Notes {
		c.notes = append(c.notes, "over data sets: "+n)
	}
	return c
}
