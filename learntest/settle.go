package learntest

import (
	"fmt"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// stop records which runs of a comparison have settled a claim.
func (g *group) stop(c *Comparison, v *verdict.Verdict) {
	if v.Settled == nil || v.Settled.After >= v.Settled.Runs {
		return
	}
	learners := []string{c.candidate}
	if c.stored == nil {
		learners = append(learners, c.baseline)
	}
	g.there.Instance.Stop(g.set().Identity(), stopOf(v), learners...)
}

// stopOf returns where a verdict that fewer runs have settled stops the training of its learners.
func stopOf(v *verdict.Verdict) record.Stop {
	return record.Stop{
		Runs: v.Settled.After, Error: v.Settled.Error,
		Claim: fmt.Sprintf("%s %v %s in %s", v.Candidate, v.Claim.Kind, v.Baseline, v.Unit.Name),
	}
}

// missStop makes a test fail that stores the first runs of a comparison and claims nothing that
// they settle: nobody could use them.
func missStop(t TB, by string, c *Comparison) {
	t.Helper()
	g := c.group
	if g.gamma == 0 || c.asked.Load() || !g.there.Stores() && g.there.Artifact() == "" ||
		g.runsThere(g.set(), c.candidate, c.baseline) == 0 {
		return
	}
	if f, ok := t.(interface{ Failed() bool }); ok && f.Failed() {
		return
	}
	t.Errorf("%s: nothing was claimed of %s vs %s when the test ended, so that nothing settles the %d of %d runs that are stored: claim something, or train all runs with %s=%s",
		by, c.candidate, c.baseline, g.runsThere(g.set(), c.candidate, c.baseline), g.set().Runs(),
		envSettle, settleOff)
}
