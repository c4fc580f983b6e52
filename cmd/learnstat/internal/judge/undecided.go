package judge

import (
	"slices"

	"github.com/learnbench/learnbench/cmd/learnstat/internal/report"
	"github.com/learnbench/learnbench/learntest/unit"
)

// undecided returns the comparisons that a gate on regressions lets pass although their
// interval reaches into losses: the gate fails on proven losses, and these comparisons prove
// nothing. Comparisons under a requirement are not among them.
func (g *Rules) undecided(r *report.Report) []report.Undecided {
	all := []report.Undecided{}
	if !slices.Contains(g.FailOn, regressed) {
		return all
	}
	offends := r.Gate.Decisive()
	for c := range r.All() {
		_, offence := offends[c.At]
		if offence || c.Identical || c.Outcome != inconclusive && c.Outcome != regressed ||
			slices.ContainsFunc(g.Require, func(q requirement) bool { return q.of(c.Table.Metric) }) {
			continue
		}
		if loss := worstLoss(&c); loss.IsNaN() || loss > 0 {
			all = append(all, report.Undecided{At: c.At, Loss: loss})
		}
	}
	return all
}

// worstLoss returns how much worse a candidate is at the worse end of its interval: NaN if there is
// no interval, and not above 0 if all of it is gain.
func worstLoss(c *report.Comparison) unit.Number {
	if c.Table.Measure().Better == unit.Lower {
		return c.Hi
	}
	return -c.Lo
}
