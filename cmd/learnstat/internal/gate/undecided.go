package gate

import (
	"slices"

	"github.com/learnbench/learnbench/cmd/learnstat/internal/report"
	"github.com/learnbench/learnbench/learntest/record"
)

// undecided returns the comparisons that a gate on regressions lets pass although their
// interval reaches into losses: it fails on what is shown, and they show nothing. What a
// requirement is about is none of them.
func (g *Rules) undecided(r *report.Report) []report.Undecided {
	all := []report.Undecided{}
	if !slices.Contains(g.FailOn, regressed) {
		return all
	}
	offends := make(map[[3]int]bool)
	for _, o := range r.Gate.Offences {
		offends[[3]int{o.Table, o.Row, o.Column}] = true
	}
	for i := range r.Tables {
		t := &r.Tables[i]
		if slices.ContainsFunc(g.Require, func(q requirement) bool { return q.metric == "" || q.metric == t.Metric }) {
			continue
		}
		for j := range t.Rows {
			for k := range t.Rows[j].Cells {
				c := &t.Rows[j].Cells[k]
				if !c.Judged() || c.Verdict.Identical || offends[[3]int{i, j, k}] ||
					c.Verdict.Outcome != inconclusive && c.Verdict.Outcome != regressed {
					continue
				}
				if loss := worstLoss(t, c.Verdict); loss.IsNaN() || loss > 0 {
					all = append(all, report.Undecided{Table: i, Row: j, Column: k, Loss: loss})
				}
			}
		}
	}
	return all
}

// worstLoss returns how much worse a candidate is at the worse end of its interval: NaN if there is no
// interval, and not above 0 if all of it is gain.
func worstLoss(t *report.Table, v *report.Verdict) report.Number {
	if t.Unit.Record().Better == record.Lower {
		return v.Hi
	}
	return -v.Lo
}
