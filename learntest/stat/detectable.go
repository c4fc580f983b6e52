package stat

import (
	"fmt"
	"math"
	"sync"

	"github.com/learnbench/learnbench/learntest/stat/internal/dist"
)

// DetectableDifference returns the smallest true difference, in the unit of the scores,
// that the two-sided [CorrectedCVTTest] at level alpha detects with the given power (0.8 by
// custom), if the true variance is the variance observed in d.
//
// A result that is not significant shows only that the difference is probably smaller than
// this. The observed difference plays no part.
//
// It returns the errors of [CorrectedCVTTest], and one that wraps [ErrDomain] unless 0 <
// alpha < power < 1. It is 0 if the differences are all equal.
//
// Source: under that difference the statistic has the noncentral t distribution with
// noncentrality difference/SE, if the corrected variance is right.
func DetectableDifference(d Differences, alpha, power float64) (float64, error) {
	r, err := CorrectedCVTTest(d, TwoSided)
	if err != nil {
		return 0, err
	}
	return r.Detectable(alpha, power)
}

// Detectable returns the smallest true difference that the test behind r at level alpha
// detects with the given power, if the true standard error is the observed one. A one-sided
// test looks in the direction of its alternative, a two-sided one in either direction.
// Detectable is [DetectableDifference] for any test that has a standard error and Student's
// t or the normal distribution.
//
// It returns an error that wraps [ErrDomain] unless 0 < alpha < power < 1 and the test is
// of that kind with at least one degree of freedom, and [ErrNotFinite] if the difference is
// too large for a float64. It is 0 if the standard error is 0.
func (r Result) Detectable(alpha, power float64) (float64, error) {
	if !(alpha > 0 && alpha < power && power < 1) {
		return 0, fmt.Errorf("%w: need 0 < alpha < power < 1, not alpha %v and power %v", ErrDomain,
			alpha, power)
	}
	if math.IsNaN(r.SE) {
		return 0, fmt.Errorf("%w: %s has no standard error", ErrDomain, r.Test)
	}
	if r.DF < 1 {
		return 0, fmt.Errorf("%w: %v degrees of freedom, need at least 1", ErrDomain, r.DF)
	}
	c, err := r.Critical(alpha)
	if err != nil {
		return 0, err
	}
	if r.SE == 0 {
		return 0, nil
	}
	difference := r.SE * noncentrality(c, r.DF, power, r.Alternative == TwoSided)
	if difference-difference != 0 {
		return 0, fmt.Errorf("%w: the difference that %s detects at level %v with power %v", ErrNotFinite,
			r.Test, alpha, power)
	}
	return difference, nil
}

// A powerAt holds the arguments of a noncentrality.
type powerAt struct {
	c, df, power float64
	twoSided     bool
}

// noncentralities is a cache: one takes a tenth of a millisecond, and all rows of a table need
// the same one.
var noncentralities struct {
	sync.Mutex
	known map[powerAt]float64
}

// mostKnown is the size of that cache.
const mostKnown = 64

// noncentrality returns the noncentrality at which a t statistic exceeds c, in
// either direction if twoSided, with the given probability.
func noncentrality(c, df, power float64, twoSided bool) float64 {
	at := powerAt{c, df, power, twoSided}
	all := &noncentralities
	all.Lock()
	delta, ok := all.known[at]
	all.Unlock()
	if ok {
		return delta
	}
	delta = at.noncentrality()
	all.Lock()
	defer all.Unlock()
	if all.known == nil || len(all.known) == mostKnown {
		all.known = make(map[powerAt]float64, mostKnown)
	}
	all.known[at] = delta
	return delta
}

func (a powerAt) noncentrality() float64 {
	oneSided := dist.NoncentralTDelta(a.c, a.df, a.power)
	if !a.twoSided || math.IsNaN(oneSided) {
		return oneSided
	}
	// The other tail helps, so that less is enough.
	return dist.Root(func(delta float64) float64 {
		return dist.NoncentralTSF(a.c, a.df, delta) + dist.NoncentralTCDF(-a.c, a.df, delta) - a.power
	}, 0, math.Max(0, oneSided))
}
