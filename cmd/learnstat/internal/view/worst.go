package view

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/learnbench/learnbench/cmd/learnstat/internal/report"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// A ranked comparison is one with what makes it worth looking at.
type ranked struct {
	report.Offence
	rank int // 0 for what the gate fails on, 1 for what could not be judged, 2 for what is waived, and so on
	p    float64
}

// worst returns all comparisons, the ones that the gate fails on first, then what could not be
// judged, regressions, what was not shown, and the rest; of equals that with the smaller p first.
func worst(r *report.Report) []ranked {
	offences := make(map[[3]int]report.Offence)
	for _, o := range r.Gate.Offences {
		if have, ok := offences[[3]int{o.Table, o.Row, o.Column}]; !ok || have.Waived != "" {
			offences[[3]int{o.Table, o.Row, o.Column}] = o
		}
	}
	var all []ranked
	for i := range r.Tables {
		for j := range r.Tables[i].Rows {
			for k := range r.Tables[i].Rows[j].Cells {
				c := &r.Tables[i].Rows[j].Cells[k]
				if c.Verdict == nil {
					continue
				}
				x := ranked{report.Offence{Table: i, Row: j, Column: k}, rankOf(c), float64(c.Verdict.P)}
				if o, ok := offences[[3]int{i, j, k}]; ok {
					x.Offence, x.rank = o, 0
					if o.Waived != "" {
						x.rank = 2
					}
				}
				if math.IsNaN(x.p) {
					x.p = 2
				}
				all = append(all, x)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b ranked) int { return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.p, b.p)) })
	return all
}

// Worst returns all comparisons, those first that matter most, each with what the gate says of it.
func Worst(r *report.Report) []report.Offence {
	var all []report.Offence
	for _, x := range worst(r) {
		all = append(all, x.Offence)
	}
	return all
}

func rankOf(c *report.Cell) int {
	switch c.Verdict.Outcome {
	case verdict.Invalid.String():
		return 1
	case verdict.Regressed.String():
		return 3
	case verdict.Inconclusive.String():
		return 4
	}
	return 5
}

// Annotations returns what should be seen first: errors for what the gate fails on and what could
// not be judged, warnings for what the gate cannot decide, regressions and
// what is waived, the worst first.
func Annotations(r *report.Report) (errors, warnings []string) {
	errors = slices.Clone(r.Problems)
	for _, x := range worst(r) {
		switch {
		case x.rank == 0:
			errors = append(errors, Sentence(r, &x.Offence))
		case x.rank == 2, x.rank == 3:
			warnings = append(warnings, Sentence(r, &x.Offence))
		}
	}
	if s := Undecided(r); s != "" {
		warnings = append([]string{s}, warnings...)
	}
	return errors, warnings
}

// Sentence says in a line what was found.
func Sentence(r *report.Report, o *report.Offence) string {
	t := &r.Tables[o.Table]
	row := &t.Rows[o.Row]
	c := &row.Cells[o.Column]
	v := c.Verdict
	if !c.Judged() {
		return fmt.Sprintf("%s of %s is %s: %s", t.Metric, row.Label, v.Outcome, v.Reason)
	}
	u := t.Unit.Record()
	text := fmt.Sprintf("%s of %s is %s: %s, %s in %s and %s in %s, p = %s", t.Metric, row.Label, v.Outcome,
		verdict.FormatDifference(u, float64(v.Difference)),
		verdict.FormatScore(u, float64(row.Cells[0].Mean)), r.Columns[0].Label,
		verdict.FormatScore(u, float64(c.Mean)), r.Columns[o.Column].Label, verdict.FormatP(float64(v.P)))
	if adjusted(r, t) {
		text += ", " + r.Settings.Adjust + " " + verdict.FormatP(float64(v.AdjustedP))
	}
	if o.Waived != "" {
		text += ", waived: " + o.Waived
	}
	if s := Shortfall(r, o); s != "" {
		text += "; " + s
	}
	return text
}

// Shortfall says what a requirement with a margin was to rule out, with the interval of the test of it, which
// is not that of the difference: where it ends decides. Of any other offence it says nothing.
func Shortfall(r *report.Report, o *report.Offence) string {
	t := &r.Tables[o.Table]
	m := t.Rows[o.Row].Cells[o.Column].Verdict.Margin
	apart := map[string]string{report.Not + report.NonInferior: "worse", report.Not + verdict.Same.String(): "apart"}[o.Why]
	if m == nil || apart == "" {
		return ""
	}
	u := t.Unit.Record()
	text := "not shown to be less than " + verdict.FormatMargin(u, float64(m.Value)) + " " + apart
	if m.Lo.IsNaN() {
		return text
	}
	return text + fmt.Sprintf(" (%.4g%% interval %s)", 100*(1-2*r.Settings.Alpha), verdict.FormatInterval(u, float64(m.Lo), float64(m.Hi)))
}

// Result says in a line what the exit status is.
func Result(r *report.Report) string {
	n := 0
	for _, o := range r.Gate.Offences {
		if o.Waived == "" {
			n++
		}
	}
	text := fmt.Sprintf("%d comparisons", r.Judged())
	if r.Judged() == 1 {
		text = "1 comparison"
	}
	if r.History != nil {
		text = historyResult(r)
	}
	switch {
	case r.Status > 1:
		return text + ", and not everything could be judged (exit status 2)"
	case n > 0:
		return fmt.Sprintf("%s, and the gate fails on %d (exit status 1)", text, n)
	case len(r.Gate.FailOn)+len(r.Gate.Require) > 0:
		return text + ", and the gate is clean"
	}
	return text
}
