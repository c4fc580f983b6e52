// Package effect measures the size of a difference between two learners: in units of its
// variation, or as the share of cases in which one learner is ahead. It has the effect
// sizes of the field, with confidence intervals where they exist. The tests of package stat
// decide whether there is a difference.
//
// Verdicts and tables do not use this package. It is for your own analyses; see the
// examples.
package effect

import (
	"fmt"
	"math"

	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/internal/dist"
	"github.com/learnbench/learnbench/learntest/stat/internal/sample"
)

// A Size is an effect size, Value, with its confidence interval from Lo to Hi, which are
// NaN if there is none.
type Size struct {
	Value, Lo, Hi float64
}

// CohenD is the standardised difference of the means of two samples, (mean(x) −
// mean(y)) over their pooled standard deviation, with the exact interval of the
// given level for independent normal samples of equal variance. For the scores
// of two learners on the same folds it describes how far their distributions
// are apart; the interval is then rough, since neither the pairs nor the folds
// are independent.
//
// It returns an error that wraps [stat.ErrSampleSize] if a sample is empty or both
// have one value, [stat.ErrNotFinite], naming the index, and [stat.ErrDomain] if the
// level is not between 0 and 1. Special cases: if neither sample varies, up to
// round-off, the value is 0 if the means are equal and ±Inf otherwise, without
// an interval.
//
// Source: J. Cohen (1988), "Statistical power analysis for the behavioral
// sciences"; the interval inverts the noncentral t distribution, as in G.
// Cumming and S. Finch (2001).
func CohenD(x, y []float64, level float64) (Size, error) {
	s, err := twoSamples(x, y, level)
	if err != nil {
		return Size{}, err
	}
	df := s.n1 + s.n2 - 2
	if df < 1 {
		return Size{}, fmt.Errorf("%w: %v and %v values leave no degrees of freedom", stat.ErrSampleSize,
			s.n1, s.n2)
	}
	pooled := math.Hypot(math.Sqrt((s.n1-1)/df)*s.sd1, math.Sqrt((s.n2-1)/df)*s.sd2)
	return standardised(s.mean1-s.mean2, pooled, s.tol, math.Sqrt(s.n1*s.n2/(s.n1+s.n2)), df, level),
		nil
}

// HedgesG is [CohenD] times the factor that removes its bias in small samples,
//
//	J = Γ(df/2)/(√(df/2)·Γ((df−1)/2))   with df = n1 + n2 − 2,
//
// interval included. Errors and special cases are as for [CohenD], and [stat.ErrSampleSize] if
// df < 2, where J is not defined.
//
// Source: L. V. Hedges (1981), "Distribution theory for Glass's estimator of
// effect size", equation 6e.
func HedgesG(x, y []float64, level float64) (Size, error) {
	return hedges(x, y, level, func(df float64) float64 {
		return dist.GammaRatioHalf((df-1)/2) / math.Sqrt(df/2)
	})
}

// HedgesGApprox is [HedgesG] with the usual approximation J = 1 − 3/(4·df − 1).
//
// Source: Hedges (1981).
func HedgesGApprox(x, y []float64, level float64) (Size, error) {
	return hedges(x, y, level, func(df float64) float64 { return 1 - 3/(4*df-1) })
}

// hedges is CohenD times factor(df).
func hedges(x, y []float64, level float64, factor func(df float64) float64) (Size, error) {
	d, err := CohenD(x, y, level)
	if err != nil {
		return Size{}, err
	}
	df := float64(len(x) + len(y) - 2)
	if df < 2 {
		return Size{}, fmt.Errorf("%w: %d and %d values, need 4 in all", stat.ErrSampleSize,
			len(x), len(y))
	}
	j := factor(df)
	return Size{Value: j * d.Value, Lo: j * d.Lo, Hi: j * d.Hi}, nil
}

// CohenDz is the mean of paired differences over their standard deviation, with
// the exact interval of the given level for independent normal differences.
// [stat.Differences].Runs, Folds and Ratio play no part but must fit as ever.
//
// The errors are as for [stat.PairedTTest], and [stat.ErrDomain] if the level is not between 0
// and 1. Special cases: if all differences are equal up to round-off, the value is 0 if they
// are zero and ±Inf otherwise, without an interval.
//
// Source: Cohen (1988), chapter 2; the interval inverts the noncentral t
// distribution.
func CohenDz(d stat.Differences, level float64) (Size, error) {
	if err := checkLevel(level); err != nil {
		return Size{}, err
	}
	r, err := stat.PairedTTest(d, stat.TwoSided)
	if err != nil {
		return Size{}, err
	}
	n := float64(r.N)
	return standardised(r.Mean, r.SE*math.Sqrt(n), 0, math.Sqrt(n), n-1, level), nil
}

// CohenDav is the difference of the means of two paired samples over the mean
// of their standard deviations, without an interval. The samples need at least
// two values each.
//
// Other errors and special cases are as for [CohenD].
//
// Source: D. Lakens (2013), "Calculating and reporting effect sizes to
// facilitate cumulative science", equation 10.
func CohenDav(x, y []float64) (Size, error) {
	s, err := twoSamples(x, y, 0.5)
	if err != nil {
		return Size{}, err
	}
	if s.n1 < 2 || s.n2 < 2 {
		return Size{}, fmt.Errorf("%w: %v and %v values, need at least 2", stat.ErrSampleSize, s.n1, s.n2)
	}
	e := standardised(s.mean1-s.mean2, s.sd1/2+s.sd2/2, s.tol, 1, 1, 0.5)
	return Size{Value: e.Value, Lo: math.NaN(), Hi: math.NaN()}, nil
}

// standardised returns mean/sd with the interval of the noncentral t
// distribution for root·mean/sd.
func standardised(mean, sd, tol, root, df, level float64) Size {
	e := Size{Lo: math.NaN(), Hi: math.NaN()}
	if sd <= tol {
		if math.Abs(mean) > tol {
			e.Value = math.Copysign(math.Inf(1), mean)
		}
		return e
	}
	e.Value = mean / sd
	lo, hi := dist.NoncentralTBounds(root*e.Value, df, (1-level)/2)
	e.Lo, e.Hi = lo/root, hi/root
	return e
}

// A samplePair has the figures of two samples for the effect sizes.
type samplePair struct {
	n1, n2, mean1, mean2, sd1, sd2, tol float64
}

// twoSamples checks two samples and sums them up; the standard deviation of one
// value is 0.
func twoSamples(x, y []float64, level float64) (samplePair, error) {
	if err := checkSamples(x, y, level); err != nil {
		return samplePair{}, err
	}
	s := samplePair{n1: float64(len(x)), n2: float64(len(y)), mean1: x[0], mean2: y[0]}
	largest1, largest2 := math.Abs(x[0]), math.Abs(y[0])
	if len(x) > 1 {
		s.mean1, s.sd1, largest1 = sample.MeanSD(x)
	}
	if len(y) > 1 {
		s.mean2, s.sd2, largest2 = sample.MeanSD(y)
	}
	s.tol = sample.Tolerance(max(largest1, largest2))
	if spread := s.mean1 - s.mean2 + s.sd1 + s.sd2; spread-spread != 0 {
		return samplePair{}, fmt.Errorf("%w: the sums of the samples", stat.ErrNotFinite)
	}
	return s, nil
}

// checkSamples returns an error unless both samples have finite values and the
// level is one.
func checkSamples(x, y []float64, level float64) error {
	if len(x) == 0 || len(y) == 0 {
		return fmt.Errorf("%w: %d and %d values", stat.ErrSampleSize, len(x), len(y))
	}
	for k, values := range [][]float64{x, y} {
		if i := sample.NotFinite(values); i >= 0 {
			return fmt.Errorf("%w: %s sample's value %d is %v", stat.ErrNotFinite,
				[...]string{"first", "second"}[k], i, values[i])
		}
	}
	return checkLevel(level)
}

func checkLevel(level float64) error {
	if !(level > 0 && level < 1) {
		return fmt.Errorf("%w: level %v is not between 0 and 1", stat.ErrDomain, level)
	}
	return nil
}
