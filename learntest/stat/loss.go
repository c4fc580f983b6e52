package stat

import (
	"fmt"
	"math"
)

// DetectableLoss returns how much less than r.Estimate the true difference would have to be for
// the test behind r at level alpha, whose alternative is that the difference is greater than
// r.Null or one in either direction, not to reject in favour of a greater one with the given
// power, if its standard error is the one observed: the loss that a gate by this test catches.
// It is 0 if what is estimated is caught with that power as it is.
//
// It returns the errors of [Result.Detectable], but for powers of alpha and less, and one that
// wraps [ErrDomain] for the alternative [Less].
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
		return 0, fmt.Errorf("%w: the loss that %s detects at level %v with power %v", ErrNotFinite, r.Test, alpha, power)
	}
	return max(0, loss), nil
}
