package verdict

import (
	"math"

	"github.com/learnbench/learnbench/learntest/stat"
)

// DetectableLoss returns how much worse the candidate would have to be, in the unit of the
// metric, for a claim that holds not to hold in a share Power of cases, be it by the first test
// or by the second opinion: what a gate guards against. A required replicability is left out,
// which makes a claim fail earlier. It is NaN if the claim does not hold, is not about a
// direction, or the test cannot say.
func (v *Verdict) DetectableLoss() float64 {
	c := &v.Claim
	if !v.Holds {
		return math.NaN()
	}
	r := v.Decision.Result
	switch {
	case v.Posterior != nil:
		r.Alternative, r.Null = stat.Greater, c.gain()-c.allowance()
	case c.Kind == NoRegression, c.Kind == Equivalent:
		r = v.Above.Result
	case c.Kind != Improves:
		return math.NaN()
	}
	loss, err := r.DetectableLoss(c.tail(), c.Power)
	if err != nil {
		return math.NaN()
	}
	if s := v.Second; s != nil && s.Asked {
		r.SE, r.DF = s.Result.SE, s.Result.DF
		if second, err := r.DetectableLoss(c.tail(), c.Power); err == nil {
			loss = min(loss, second)
		}
	}
	return loss
}
