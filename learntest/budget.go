package learntest

import (
	"fmt"
	"strings"

	"github.com/learnbench/learnbench/learntest/internal/results"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// asConfigured returns the claim as the environment has it: LEARNTEST_ALPHA is the level
// of claims that give none, LEARNTEST_RUNS_MAX the budget of each required replicability,
// also of one that gives another. One that is counted takes as many runs as it takes:
// if that is more than the budget, it is an error.
//
// The runs that are stored are the budget where they cannot be trained any more.
func (c *Comparison) asConfigured(claim verdict.Claim) (verdict.Claim, error) {
	if claim.Alpha == 0 && claim.Probability == 0 && claim.Kind != verdict.Unbeaten { // which a lower level makes looser
		claim.Alpha = c.env.alpha
	}
	if claim.Settle == 0 {
		claim.Settle = c.group.gamma
	}
	if claim.Kind == verdict.Unbeaten && c.stored == nil {
		return claim, fmt.Errorf("%w: only a stored baseline can be out of date: compare with one by learntest.Against", verdict.ErrClaim)
	}
	if claim.Halvings > 0 && c.stored != nil {
		return claim, fmt.Errorf("%w: a second opinion takes trainings of both learners, and a stored baseline has none of its own: compare two learners with Compare, or use the test corrected-cv-t/ratio=0.18", verdict.ErrClaim)
	}
	budget, p := c.env.runsMax, c.group.cfg.Protocol
	switch {
	case budget == 0 || !p.IsRandom():
	case claim.Repeats > budget/p.Runs():
		return claim, fmt.Errorf("%w: environment variable %s=%d: to count %d repetitions of %d runs takes more", ErrConfig, envRunsMax, budget, claim.Repeats, p.Runs())
	case claim.Replicability > 0 && claim.Repeats == 0:
		claim.MaxRuns = budget
	}
	if there := c.storedRuns(); there > 0 && claim.Replicability > 0 && claim.Repeats == 0 {
		if claim.MaxRuns == 0 {
			claim.MaxRuns = there
		}
		claim.MaxRuns = min(claim.MaxRuns, there)
	}
	return claim, nil
}

// storedRuns returns the number of runs that there are of a learner that is not trained;
// 0 if both are.
func (c *Comparison) storedRuns() int {
	runs := 0
	if c.group.cfg.Results.In != nil {
		runs = results.CompleteRuns(c.group.set().Block())
	}
	if c.stored != nil {
		if n := results.CompleteRuns(c.stored); runs == 0 || n < runs {
			runs = n
		}
	}
	return runs
}

// more says how more runs than are stored are had.
func (c *Comparison) more(runs int) string {
	if c.stored != nil {
		return fmt.Sprintf("%s=%d %s=1 %s stores them", envRunsMin, runs, envUpdate,
			c.group.cfg.Results.Reproduce)
	}
	return fmt.Sprintf("%s=%d has all shards record them", envRunsMin, runs)
}

// helpBudget adds to a verdict that the budget left undecided the command that
// probably decides it.
func (c *Comparison) helpBudget(v *verdict.Verdict) {
	if r := v.Rerun; !v.Holds && r != nil && r.Enough > 0 && v.CandidateHeader != nil {
		help := withBudget(v.CandidateHeader.Reproduce, r.Enough)
		if c.storedRuns() > 0 {
			help = c.more(r.Enough)
		}
		v.Help = append(v.Help, help)
	}
}

// withBudget returns the command under another budget.
func withBudget(command string, runs int) string {
	words := strings.Split(command, " ")
	for i, w := range words {
		name, _, ok := strings.Cut(w, "=")
		if !ok {
			break // the command itself
		}
		if name == envRunsMax {
			words = append(words[:i:i], words[i+1:]...)
			break
		}
	}
	return fmt.Sprintf("%s=%d %s", envRunsMax, runs, strings.Join(words, " "))
}
