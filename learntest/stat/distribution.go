package stat

import (
	"fmt"
	"math"

	"github.com/learnbench/learnbench/learntest/stat/internal/dist"
)

// A Distribution is the distribution of a statistic under its null hypothesis. Use it for the
// p-values and critical values of statistics that this package does not compute; they are as
// exact as in its own tests: about 12 digits of any tail, however small. The zero value is not
// a distribution.
type Distribution struct {
	name      string
	tails     func(x float64) (upper, lower float64)
	quantile  func(p float64) float64 // the x with the upper tail p
	symmetric bool
}

// mostDF is the most degrees of freedom of χ², of F and of the studentized
// range for which their tails are known to be accurate, and fast.
const mostDF = 1e9

// StudentT returns Student's t distribution with df degrees of freedom, or the standard
// normal distribution if df is +Inf. It returns an error that wraps [ErrDomain] unless df
// is positive.
func StudentT(df float64) (Distribution, error) {
	if !(df > 0) {
		return Distribution{}, fmt.Errorf("%w: %v degrees of freedom of t", ErrDomain, df)
	}
	return Distribution{
		name: "t",
		tails: func(x float64) (upper, lower float64) {
			return dist.StudentSF(x, df),
				dist.StudentSF(-x, df)
		},
		quantile:  func(p float64) float64 { return dist.StudentInvSF(p, df) },
		symmetric: true,
	}, nil
}

// ChiSquared returns the χ² distribution with df degrees of freedom. It returns
// an error that wraps [ErrDomain] unless df is positive and at most 1e9.
func ChiSquared(df float64) (Distribution, error) {
	if !(df > 0 && df <= mostDF) {
		return Distribution{}, fmt.Errorf("%w: %v degrees of freedom of χ², which takes up to %g",
			ErrDomain, df, mostDF)
	}
	d := Distribution{
		name: "χ²",
		tails: func(x float64) (upper, lower float64) {
			return dist.ChiSquaredSF(x, df),
				dist.ChiSquaredCDF(x, df)
		},
	}
	d.quantile = d.positiveQuantile
	return d, nil
}

// SnedecorF returns Snedecor's F distribution with df1 and df2 degrees of freedom; df2 may
// be +Inf. It returns an error that wraps [ErrDomain] unless both are positive and at most
// 1e9.
func SnedecorF(df1, df2 float64) (Distribution, error) {
	if !(df1 > 0 && df1 <= mostDF) || !(df2 > 0 && (df2 <= mostDF || math.IsInf(df2, 1))) {
		return Distribution{}, fmt.Errorf("%w: %v and %v degrees of freedom of F, which takes up to %g",
			ErrDomain, df1, df2, mostDF)
	}
	d := Distribution{name: "F", tails: func(x float64) (upper, lower float64) {
		if x <= 0 {
			return 1, 0
		}
		if math.IsInf(df2, 1) {
			return dist.FSF(x, df1, df2), dist.ChiSquaredCDF(df1*x, df1)
		}
		return dist.FSF(x, df1, df2), dist.FSF(1/x, df2, df1)
	}}
	d.quantile = d.positiveQuantile
	return d, nil
}

// StudentizedRange returns the distribution of the range of k standard normal variables
// divided by an estimate of their standard deviation with df degrees of freedom. df is +Inf
// if the standard deviation is known, as for mean ranks. It returns an error that wraps
// [ErrDomain] unless k is from 2 to 1000 and df from 1 to 1e9 or +Inf.
//
// A tail takes 10 to 30 µs if df is +Inf, 1 to 10 ms otherwise, and up to 60 ms for many
// variables and one degree of freedom; a quantile takes up to twenty times as long.
func StudentizedRange(k int, df float64) (Distribution, error) {
	if k < 2 || k > 1000 || !(df >= 1 && (df <= mostDF || math.IsInf(df, 1))) {
		return Distribution{}, fmt.Errorf("%w: the range of %d variables with %v degrees of freedom; it takes 2 to 1000, and 1 to %g",
			ErrDomain, k, df, mostDF)
	}
	return Distribution{
		name: "studentized range",
		tails: func(x float64) (upper, lower float64) {
			upper = dist.RangeSF(x, k, df)
			return upper, 1 - upper
		},
		quantile: func(p float64) float64 { return dist.RangeInvSF(p, k, df) },
	}, nil
}

// P returns the p-value of a statistic, which may be infinite. For [Greater] it is the
// probability of a value at least as large, for [Less] of a value at least as small. For
// [TwoSided] it is the probability of a value at least as far from 0 under Student's t, and
// of a value at least as large under the other distributions: those measure distance
// without direction and allow no one-sided test.
//
// It returns an error that wraps [ErrNotFinite] if statistic is NaN, and [ErrDomain] for an
// unknown alternative, for one that the distribution does not allow, and for the zero
// Distribution.
func (d Distribution) P(statistic float64, alt Alternative) (float64, error) {
	if err := d.check(); err != nil {
		return 0, err
	}
	if err := alt.Check(); err != nil {
		return 0, err
	}
	if math.IsNaN(statistic) {
		return 0, fmt.Errorf("%w: a statistic of %v", ErrNotFinite, statistic)
	}
	if alt != TwoSided && !d.symmetric {
		return 0, fmt.Errorf("%w: tests by %s are two-sided, not %v", ErrDomain, d.name, alt)
	}
	upper, lower := d.tails(statistic)
	switch {
	case alt == Less:
		return lower, nil
	case alt == TwoSided && d.symmetric:
		return 2 * min(upper, lower), nil
	}
	return upper, nil
}

// Quantile returns the value that the statistic exceeds with probability p: the critical
// value of a one-sided test at level p for Student's t, and of a test at level p for the
// others. It returns an error that wraps [ErrDomain] unless p is between 0 and 1, and for
// the zero Distribution, and [ErrNotFinite] if the value is too large for a float64.
func (d Distribution) Quantile(p float64) (float64, error) {
	if err := d.check(); err != nil {
		return 0, err
	}
	if !(p > 0 && p < 1) {
		return 0, fmt.Errorf("%w: probability %v is not between 0 and 1", ErrDomain, p)
	}
	q := d.quantile(p)
	if q-q != 0 {
		return 0, fmt.Errorf("%w: what %s exceeds with probability %v", ErrNotFinite, d.name, p)
	}
	return q, nil
}

// check returns an error for the zero Distribution.
func (d Distribution) check() error {
	if d.tails == nil {
		return fmt.Errorf("%w: a Distribution must come from a function such as StudentT", ErrDomain)
	}
	return nil
}

// positiveQuantile inverts the tails of a distribution on the positive numbers,
// on the scale of logarithms and by the smaller tail.
func (d Distribution) positiveQuantile(p float64) float64 {
	f := func(logX float64) float64 {
		upper, lower := d.tails(math.Exp(logX))
		if p < 0.5 {
			return math.Log(p) - math.Log(max(upper, math.SmallestNonzeroFloat64))
		}
		return math.Log(max(lower, math.SmallestNonzeroFloat64)) - math.Log(1-p)
	}
	lo, hi := 0.0, 0.0
	for step := 1.0; f(lo) > 0 && lo > -745; step *= 2 {
		hi = lo
		lo -= step
	}
	for step := 1.0; f(hi) < 0 && hi < 709; step *= 2 {
		lo = hi
		hi += step
	}
	return math.Exp(dist.Root(f, lo, hi))
}
