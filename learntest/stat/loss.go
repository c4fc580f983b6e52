package stat

import (
	"fmt"
	"math"
)

// DetectableLoss returns the loss that a gate by this test catches: how far the true
// difference must lie below r.Estimate before the test, with the given power, no longer
// rejects in favour of a greater difference. The test is the one behind r at level alpha;
// its alternative is a difference greater than r.Null, or one in either direction. The true
// standard error is taken to be the observed one. DetectableLoss is 0 if a true difference
// of r.Estimate is already caught with that power.
//
// It returns the errors of [Result.Detectable], except that it accepts powers of alpha and
// less, and an error that wraps [ErrDomain] for the alternative [Less].
//
// Source: the statistic has the noncentral t distribution, as in [DetectableDifference].
func (r Result) DetectableLoss(alpha, power float64) (float64, error) {
	switch {
	case !(power > 0 && power < 1):
		return 0, fmt.Errorf("%w: power %v is not between 0 and 1", ErrDomain, power)
	case r.Alternative == Less:
		return 0, fmt.Errorf("%w: the loss of a test that the difference is less", ErrDomain)
	case math.IsNaN(r.SE):
		return 0, fmt.Errorf("%w: %s has no standard error", ErrDomain, r.Test)
	case r.DF < 1:
		return 0, fmt.Errorf("%w: %v degrees of freedom, need at least 1", ErrDomain, r.DF)
	}
	c, err := r.Critical(alpha)
	if err != nil {
		return 0, err
	}
	delta := 0.0
	if r.SE > 0 {
		delta = noncentrality(c, r.DF, 1-power, false)
	}
	loss := r.Estimate - r.Null - float64(r.SE*delta)
	if loss-loss != 0 {
		return 0, fmt.Errorf("%w: the loss that %s detects at level %v with power %v", ErrNotFinite,
			r.Test, alpha, power)
	}
	return max(0, loss), nil
}
