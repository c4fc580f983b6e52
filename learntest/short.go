package learntest

import (
	"fmt"

	"github.com/learnbench/learnbench/internal/gotest"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// isShort reports whether the flag -short of go test is set.
var isShort = gotest.Short

// shortened returns the configuration under -short, which runs the first of several random
// runs, and whether it is another one.
func shortened(c Config) (Config, bool) {
	p := c.Protocol
	if !p.IsRandom() || p.Runs() == 1 || c.Results.In != nil || c.Results.Shard.Count > 0 {
		return c, false
	}
	c.Protocol, c.Repeats, c.MinRuns = p.WithRuns(1), 1, 0
	return c, true
}

// judgeShort judges a claim by the first run alone. That can show a regression, which fails
// every claim, and nothing else.
func (c *Comparison) judgeShort(claim verdict.Claim) verdict.Verdict {
	candidate, baseline := c.selections()
	v := verdict.OfSelections(candidate, baseline, verdict.Claim{Metric: claim.Metric, Alpha: claim.Alpha})
	v.Claim.Kind, v.Holds = claim.Kind, false
	switch v.Outcome {
	case verdict.Invalid:
	case verdict.Regressed:
		v.Reason = fmt.Sprintf("the candidate is significantly worse in the first of %d runs, which is all that -short runs", c.group.short)
	default:
		what := ""
		if v.Detectable > 0 { // not where all folds are alike, nor of a test that cannot say
			what = fmt.Sprintf(" (it would show one of %s in %.4g%% of cases)", v.Unit.FormatMargin(v.Detectable), 100*v.Claim.Power)
		}
		v.Err = fmt.Errorf("%w: -short runs the first of %d runs, which shows no significant regression%s", verdict.ErrNotJudged, c.group.short, what)
		v.Outcome, v.Reason = verdict.Invalid, v.Err.Error()
	}
	return v
}
