package verdict

import (
	"fmt"
	"math"

	"github.com/learnbench/learnbench/learntest/stat/itemwise"
	"github.com/learnbench/learnbench/learntest/unit"
)

// checkCosts returns the claim with its defaults, or an error if the ratio of these scores of items
// makes no sense.
func checkCosts(c Claim, u unit.Unit) (Claim, error) {
	c = ratioDefaults(c, u.Name)
	if u.Better != unit.Lower || u.Min != 0 {
		return c, fmt.Errorf("%w: a ratio is claimed of costs, of which less is better and none is negative, and not of %s", ErrClaim, u.Name)
	}
	return c, checkLimit(c)
}

// judgeCosts judges the ratio of what the answers to items cost.
func (r ratioing) judgeCosts() error {
	p := r.pairs
	if r.Claim.Metric != "" && r.Claim.Metric != p.Unit.Name {
		return fmt.Errorf("%w: it is about %s, the pairs are of %s", ErrClaim, r.Claim.Metric,
			p.Unit.Name)
	}
	c, err := checkCosts(r.Claim, p.Unit)
	r.Claim = c
	if err != nil {
		return err
	}
	if err := checkPairs(p); err != nil {
		return err
	}
	it, clusters, err := itemClaim{c}.newSuite(p.CandidateHeader, p.Unit, p.Items.Items)
	if err != nil {
		return err
	}
	x, err := itemwise.RatioAtMost(p.A, p.B, clusters, weight(it.ByCluster), c.Threshold, c.Alpha)
	if err != nil {
		return err
	}
	r.Items, r.Costs = it, &x
	r.Tested = len(p.A)
	r.CandidateMean, r.BaselineMean = p.Means()
	r.Estimate = r.CandidateMean - r.BaselineMean
	r.Decision = Finding{
		Result: x.Result.Result, P: x.P, Shown: x.Holds, Lo: math.NaN(),
		Hi: math.NaN(), Level: 1 - c.Alpha,
	}
	r.Difference = r.Decision
	switch {
	case x.Holds:
		r.Outcome, r.Holds = Improved, true
	case 1-x.P <= c.Alpha:
		r.Outcome, r.Reason = Regressed, "the mean costs have the ratio "+formatRatio(x.Ratio, math.Round)
	case math.IsInf(x.Upper, 1):
		r.Outcome, r.Reason = Inconclusive, "no bound is shown"
		r.Help = []string{"the baseline's costs vary too much for any bound: more items determine their mean"}
	default:
		r.Outcome, r.Reason = Inconclusive, "at most "+formatRatio(x.Upper, math.Ceil)+" is shown"
		r.Help = []string{"more items narrow the bound; a limit of " + formatRatio(x.Upper, math.Ceil) +
			" would have held here"}
	}
	if c.Threshold >= 10 {
		r.Warnings = append(r.Warnings,
			fmt.Errorf("a limit of ×%v allows %[1]v times as much: 20%% more is 1.2", c.Threshold))
	}
	return nil
}
