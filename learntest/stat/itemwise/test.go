package itemwise

import (
	"fmt"
	"math"

	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/internal/dist"
)

// A Result is the outcome of a test. Its Statistic is T or Constrained, whichever is nearer to
// zero. Interval and Detectable belong to the ordinary t: a margin has the bounds of
// [Sample.Bounds].
type Result struct {
	stat.Result

	Clusters int     // number of clusters
	Largest  float64 // share of the items in the largest cluster
	ICC      float64 // correlation of the differences within clusters

	T           float64 // the ordinary t
	Constrained float64 // the constrained t; NaN if the test does not use it

	factors []float64 // as in Sample
}

// Test tests the null hypothesis that the expected difference on an item of the population is null.
//
// The statistic is the ordinary t, (mean − null)/SE. SE is the cluster-robust standard error CR2,
// unbiased if items are independent, and the degrees of freedom are Satterthwaite's for the
// intraclass correlation of the data. Without clusters, this is the paired t test on items; with
// clusters of one size, they are one less than the clusters. If clusters weigh equally, SE belongs
// to the mean of their means.
//
// If the differences have a range, and null is not zero or all differences are equal, the statistic
// is the ordinary or the constrained t, whichever is nearer to zero. The constrained t has the
// variance under the distribution on the range that is nearest to the data, by empirical
// likelihood, among all with the mean null. For scores of 0 and 1 that variance is Tango's.
//
// It returns an error that wraps [stat.ErrDomain] for an unknown alternative, and for a null that
// is not inside of the range; [stat.ErrNotFinite] if null is NaN or infinite; and
// [stat.ErrZeroVariance] if the means of the clusters are equal where that says nothing: with a
// null other than zero and no range, or if items differ within the clusters.
//
// Special cases: if all differences equal null, the statistic is 0 and P is 1. If they are equal,
// have no range, and null is zero, the statistic is infinite and P 0, or 1 if the alternative is
// the other direction. With a range the statistic is infinite only if they are as far from null as
// the worst value, such as for five answers that were all wrong and are all right: P is then the
// exact probability 0.5⁵ that no other answer was seen, or twice that. All of these have the
// warning [stat.ErrZeroVariance].
//
// Sources: R. M. Bell and D. F. McCaffrey (2002), "Bias reduction in standard errors for linear
// regression with multi-stage samples"; G. W. Imbens and M. Kolesár (2016), "Robust standard errors
// in small samples: some practical advice"; A. B. Owen (2001), "Empirical Likelihood"; T. Tango
// (1998), "Equivalence test and confidence interval for the difference in proportions for the
// paired-sample design".
func (s *Sample) Test(null float64, alt stat.Alternative) (Result, error) {
	if err := alt.Check(); err != nil {
		return Result{}, err
	}
	if err := s.checkNull(null); err != nil {
		return Result{}, err
	}
	constrained := len(s.points) > 0 && (null != 0 || s.se == 0 && s.mean != 0)
	if s.se == 0 && !constrained && (null != 0 || s.varies && s.mean != 0) {
		return Result{}, fmt.Errorf("%w: the mean differences of all %d clusters are equal",
			stat.ErrZeroVariance, s.clusters)
	}
	r := Result{
		Result: stat.Result{
			Test: "items-t", Alternative: alt, N: s.items, Mean: s.mean, Estimate: s.mean,
			SE: s.se, Null: null,
			DF: s.df, DF2: math.NaN(),
		},
		Clusters: s.clusters, Largest: s.largest, ICC: s.icc,
		T: s.ordinary(null), Constrained: math.NaN(), factors: s.factors,
	}
	r.Statistic = r.T
	if constrained {
		r.Constrained = s.constrained(null)
		if math.Abs(r.Constrained) < math.Abs(r.T) {
			r.Statistic = r.Constrained
		}
	}
	if s.se == 0 && !constrained || math.IsInf(r.Statistic, 0) {
		r.Warnings = append(r.Warnings, stat.ErrZeroVariance)
	}
	t, err := stat.StudentT(s.df)
	if err != nil {
		return Result{}, err
	}
	r.P, err = t.P(r.Statistic, alt)
	switch {
	case s.se == 0 && r.T == 0:
		r.P = 1
	case constrained && math.IsInf(r.Statistic, 0):
		r.P, err = s.missed(null, alt)
	}
	return r, err
}

// missed returns P where all differences are equal and as far from the null as the worst value, so
// that there is no variance at all: the probability that no cluster has the share of worst values
// that the null takes.
func (s *Sample) missed(null float64, alt stat.Alternative) (float64, error) {
	if alt == stat.Greater && s.mean < null || alt == stat.Less && s.mean > null {
		return 1, nil
	}
	worst := s.limits.Least
	if s.mean < null {
		worst = s.limits.Most
	}
	p, err := stat.UnseenP(s.clusters, (s.mean-null)/(s.mean-worst))
	if alt == stat.TwoSided {
		p *= 2 // the share is at least a half, and p at most a quarter
	}
	return p, err
}

func (s *Sample) checkNull(null float64) error {
	switch {
	case null-null != 0:
		return fmt.Errorf("%w: value %v of the null hypothesis", stat.ErrNotFinite, null)
	case null != 0 && len(s.points) > 0 && !(null > s.limits.Least && null < s.limits.Most):
		return fmt.Errorf("%w: a mean difference of %v, where differences range from %v to %v",
			stat.ErrDomain, null, s.limits.Least, s.limits.Most)
	}
	return nil
}

// ordinary returns the ordinary t.
func (s *Sample) ordinary(null float64) float64 {
	x := s.mean - null
	switch {
	case s.se > 0:
		return x / s.se
	case math.Abs(x) <= s.tol:
		return 0
	}
	return math.Copysign(math.Inf(1), x)
}

// Mean returns the mean difference.
func (s *Sample) Mean() float64 { return s.mean }

// Bounds returns the one-sided lower and the one-sided upper bound of the expected difference, each
// of level 1−alpha. They invert [Sample.Test] for margins: the lower bound is above a null other
// than zero just if the test against that null, with the alternative Greater, has a P below alpha.
//
// It returns an error that wraps [stat.ErrDomain] unless alpha is between 0 and 0.5, and
// [stat.ErrZeroVariance] if all differences are equal and have no range.
func (s *Sample) Bounds(alpha float64) (lower, upper float64, err error) {
	if !(alpha > 0 && alpha < 0.5) {
		return 0, 0, fmt.Errorf("%w: level %v is not between 0 and 0.5", stat.ErrDomain, alpha)
	}
	if s.se == 0 && len(s.points) == 0 {
		return 0, 0, fmt.Errorf("%w: the mean differences of all %d clusters are equal",
			stat.ErrZeroVariance, s.clusters)
	}
	c := dist.StudentInvSF(alpha, s.df)
	half := float64(c * s.se)
	if len(s.points) == 0 {
		return s.mean - half, s.mean + half, nil
	}
	return s.bound(s.mean-half, s.limits.Least, c), s.bound(s.mean+half, s.limits.Most, c), nil
}
