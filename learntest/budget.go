package learntest

import (
	"fmt"
	"strings"

	"github.com/learnbench/learnbench/learntest/verdict"
)

// settle returns the claim as the environment has it: LEARNTEST_ALPHA is the level
// of claims that give none, LEARNTEST_RUNS_MAX the budget of each required replicability,
// also of one that gives another. One that is counted takes as many runs as it takes:
// if that is more than the budget, it is an error.
//
// Note: The budget is that of the runs that can be had. Where a learner cannot be
// trained any more, its runs that are stored are the budget: here is the place to say so.
func (c *Comparison) settle(claim verdict.Claim) (verdict.Claim, error) {
	if claim.Alpha == 0 && claim.Probability == 0 {
		claim.Alpha = c.env.alpha
	}
	budget, p := c.env.runsMax, c.group.session.cfg.Protocol
	switch {
	case budget == 0 || !p.IsRandom():
	case claim.Repeats > budget/p.Runs():
		return claim, fmt.Errorf("%w: environment variable %s=%d: to count %d repetitions of %d runs takes more", ErrConfig, envRunsMax, budget, claim.Repeats, p.Runs())
	case claim.Replicability > 0 && claim.Repeats == 0:
		claim.MaxRuns = budget
	}
	return claim, nil
}

// helpBudget adds to a verdict that the budget left undecided the command that
// probably decides it.
func (c *Comparison) helpBudget(v *verdict.Verdict) {
	if r := v.Rerun; !v.Holds && r != nil && r.Enough > 0 && v.CandidateHeader != nil {
		v.Help = append(v.Help, withBudget(v.CandidateHeader.Reproduce, r.Enough))
	}
}

// withBudget returns the command under another budget.
func withBudget(command string, runs int) string {
	words := strings.Split(command, " ")
	for i, w := range words {
		name, _, ok := strings.Cut(w, "=")
		if !ok || !strings.HasPrefix(name, envPrefix) {
			break
		}
		if name == envRunsMax {
			words = append(words[:i:i], words[i+1:]...)
			break
		}
	}
	return fmt.Sprintf("%s=%d %s", envRunsMax, runs, strings.Join(words, " "))
}
