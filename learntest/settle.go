package learntest

import (
	"fmt"

	"github.com/learnbench/learnbench/learntest/internal/results"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// settles returns the error with which claims may be settled by the first runs; 0 if all runs are
// trained, and then why. They are trained wherever something but the claims of a test looks at the results.
func (x *experiment) settles(env environment, short bool) (gamma float64, why string) {
	c := x.cfg
	rule := stat.Curtailment{Runs: c.Protocol.Runs(), Error: c.Settle}
	switch {
	case c.Settle == 0:
		return 0, ""
	case short:
		return 0, "" // its own message says so
	case c.Results.In != nil:
		return 0, "nothing is trained"
	case env.update != "":
		return 0, "a baseline is made of them"
	case c.Results.Shard.Count > 0:
		return 0, "a shard trains its part of them"
	case c.observed():
		return 0, "their predictions are wanted"
	case c.NoClaim:
		return 0, "nothing is claimed"
	case c.Repeats > 1 || c.MinRuns > 0:
		return 0, "the configuration asks for them (Repeats, MinRuns)"
	case !c.Protocol.IsRandom():
		return 0, fmt.Sprintf("%q has nothing random", c.Protocol)
	case len(rule.Looks()) == 0:
		return 0, fmt.Sprintf("%d are too few to stop earlier", rule.Runs)
	}
	return c.Settle, ""
}

// firstRuns returns the number of runs to train before any claim is known.
func (g *group) firstRuns() int {
	if g.gamma == 0 {
		return g.cfg.runs()
	}
	return stat.Curtailment{Runs: g.cfg.Protocol.Runs(), Error: g.gamma}.Looks()[0]
}

// runsThere returns the number of the first runs that some learners have been run in; 0 if these are all of
// the protocol, or more.
func (x *experiment) runsThere(s *results.Set, learners ...string) int {
	if n := results.CompleteRuns(s.Block(), learners...); n < s.Runs() {
		return n
	}
	return 0
}

// firstRunsThere returns the number of the first runs in which the claims about some learners are judged;
// 0 if that is all runs.
func (g *group) firstRunsThere(learners ...string) int {
	if g.gamma == 0 {
		return 0
	}
	return g.runsThere(g.set(), learners...)
}

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
	return record.Stop{Runs: v.Settled.After, Error: v.Settled.Error, Claim: fmt.Sprintf("%s %v %s in %s", v.Candidate, v.Claim.Kind, v.Baseline, v.Unit.Name)}
}

// missStop makes a test fail that stores the first runs of a comparison and claims nothing that they settle: nobody could
// use them.
func missStop(t TB, by string, c *Comparison) {
	t.Helper()
	g := c.group
	if g.gamma == 0 || c.asked.Load() || !g.there.Stores() && g.there.Artifact() == "" || g.runsThere(g.set(), c.candidate, c.baseline) == 0 {
		return
	}
	if f, ok := t.(interface{ Failed() bool }); ok && f.Failed() {
		return
	}
	t.Errorf("%s: nothing was claimed of %s vs %s when the test ended, so that nothing settles the %d of %d runs that are stored: claim something, or train all runs with %s=%s",
		by, c.candidate, c.baseline, g.runsThere(g.set(), c.candidate, c.baseline), g.set().Runs(), envSettle, settleOff)
}

// reportSettled tells the test, when it ends, how many runs the claims about a comparison have taken.
func (g *group) reportSettled(t TB, c *Comparison) {
	t.Helper()
	folds := g.set().Plan.Folds()
	t.Logf("settle %v: %d of %d trainings a learner before any claim; each claim trains as many more as it takes", g.gamma, g.firstRuns()*folds, g.cfg.Protocol.Runs()*folds)
	t.Cleanup(func() {
		t.Helper()
		candidate, baseline := c.selections()
		title := fmt.Sprintf("%s vs %s on %s", candidate.Title, baseline.Title, candidate.Data)
		switch all := g.cfg.Protocol.Runs(); {
		case candidate.First == 0:
			t.Logf("%s: all %d runs were trained to settle the claims", title, all)
		case c.asked.Load():
			t.Logf("%s: settled after %d of %d runs", title, candidate.First, all)
		}
		v := verdict.OfSelections(candidate, baseline, verdict.Claim{Settle: g.gamma})
		if v.NeedRuns == 0 { // else nobody has asked whether there is any difference
			addAttributes(t, c, &v)
		}
	})
}
