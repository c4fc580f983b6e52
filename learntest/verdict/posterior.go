package verdict

import (
	"fmt"
	"strings"

	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/unit"
)

// believe finds the posterior distribution, for a claim that requires a probability.
func (v *Verdict) believe(d stat.Differences) error {
	p, err := stat.BayesianCorrelatedT(d, v.Claim.Rope)
	if err != nil {
		return err
	}
	v.Posterior, v.Decision = &p, v.Difference
	_, claimed := v.claimed()
	v.Decision.P, v.Decision.Shown = 1-claimed, claimed > v.Claim.Probability
	return nil
}

// believed is the outcome: the region that has more than the required probability.
func (v *Verdict) believed() Outcome {
	p, required := v.Posterior, v.Claim.Probability
	switch {
	case v.same, p.Equivalent > required:
		return Same
	case p.Better > required:
		return Improved
	case p.Worse > required:
		return Regressed
	}
	return Inconclusive
}

// notBelieved says why the claim does not hold.
func (v *Verdict) notBelieved() string {
	region, p := v.claimed()
	return fmt.Sprintf("P(%s) is %s, not above %v", region, formatProbability(p), v.Claim.Probability)
}

// posterior shows the regions and what is claimed of them.
func (v *Verdict) posterior() string {
	p := v.Posterior
	parts := []string{"P(better) " + formatProbability(p.Better)}
	if p.Rope > 0 {
		parts = append(parts, "P(within "+v.Unit.FormatMargin(p.Rope)+") "+formatProbability(p.Equivalent))
	}
	parts = append(parts, "P(worse) "+formatProbability(p.Worse))
	region, _ := v.claimed()
	return fmt.Sprintf("%s; P(%s) above %v: %s", strings.Join(parts, ", "), region, v.Claim.Probability, shownOrNot(v.Decision.Shown))
}

// claimed names the region that the claim is about, with its probability.
func (v *Verdict) claimed() (region string, probability float64) {
	p := v.Posterior
	switch v.Claim.Kind {
	case NoRegression:
		return "not worse", p.Equivalent + p.Better
	case Equivalent:
		return "within", p.Equivalent
	}
	return "better", p.Better
}

// formatProbability returns a posterior probability as it is shown, one that is nearly
// 1 so that it does not look as if it were.
func formatProbability(p float64) string {
	switch q := 1 - p; {
	case q > 0 && q < 0.0005:
		return "1 - " + unit.FormatP(q)
	case p > 0:
		return unit.FormatP(p)
	}
	return "0"
}

// detectableRope returns the smallest rope that would have been shown with the power of
// the claim if there were no difference, for a claim of equivalence.
func (v *Verdict) detectableRope() float64 {
	// The mean of other data is as far from zero with probability 1−power.
	p := *v.Posterior
	p.Mean = 0
	_, p.Mean = p.HDI(v.Claim.Power)
	return p.LeastRope(v.Claim.Probability)
}
