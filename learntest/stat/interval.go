package stat

import (
	"fmt"
	"math"

	"github.com/learnbench/learnbench/learntest/stat/internal/dist"
)

// Interval returns the confidence interval of the given level, such as 0.95, for the
// difference that the test estimates, in the unit of the scores.
//
// Interval and test agree: a two-sided test rejects at 1−level just if r.Null lies outside
// of the interval. After a one-sided test the interval has one bound: [lo, +Inf) for
// [Greater], (-Inf, hi] for [Less].
//
// Special cases are: NaN, NaN if the test has no standard error (SE is NaN) or the level is
// not between 0 and 1; the estimate as both bounds, whatever the alternative, if the
// standard error is 0.
//
// Source: Bouckaert and Frank (2004), section 3, by inverting the test.
func (r Result) Interval(level float64) (lo, hi float64) {
	if !(level > 0 && level < 1) {
		return math.NaN(), math.NaN()
	}
	// A level below 1e-16 must not round to a test at level 1.
	c, err := r.Critical(min(1-level, 1-0x1p-53))
	if err != nil || math.IsNaN(r.SE) {
		return math.NaN(), math.NaN()
	}
	if r.SE == 0 {
		return r.Estimate, r.Estimate
	}
	lo, hi = r.Estimate-float64(c*r.SE), r.Estimate+float64(c*r.SE)
	switch r.Alternative {
	case Greater:
		hi = math.Inf(1)
	case Less:
		lo = math.Inf(-1)
	}
	return lo, hi
}

// Critical returns the critical value of a t or z test at level alpha: the test rejects if
// its statistic exceeds that value, in absolute value if the test is two-sided, otherwise
// in the direction of the alternative.
//
// It returns an error that wraps [ErrDomain] if alpha is not between 0 and 1, or if the
// statistic has neither Student's t nor the normal distribution under the null hypothesis.
func (r Result) Critical(alpha float64) (float64, error) {
	if !(alpha > 0 && alpha < 1) {
		return 0, fmt.Errorf("%w: level %v is not between 0 and 1", ErrDomain, alpha)
	}
	if !(r.DF > 0) || r.Law != LawT || !math.IsNaN(r.DF2) {
		return 0, fmt.Errorf("%w: %s has no critical value of t", ErrDomain, r.Test)
	}
	if r.Alternative == TwoSided {
		alpha /= 2
	}
	return dist.StudentInvSF(alpha, r.DF), nil
}
