package itemwise

import (
	"fmt"
	"math"

	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/internal/dist"
)

// A Ratio is the outcome of [RatioAtMost]. Its Result tests the mean excess candidate −
// limit·baseline.
type Ratio struct {
	Result

	Ratio float64 // of the mean costs
	Upper float64 // one-sided upper bound of the expected ratio; +Inf if the data have none
	Holds bool    // the ratio is shown to be at most the limit
}

// RatioAtMost tests whether the candidate's mean cost is at most limit times the baseline's. The
// costs, such as money or tokens, have one value an item and side, and none is negative: a bill is
// a sum, so that the means count, and not the items' own ratios. Clusters and weight are as in
// [Data].
//
// The test is [Sample.Test] on candidate − limit·baseline, one-sided at level alpha. Upper is
// Fieller's bound with its degrees of freedom: it is at most limit just if the ratio is shown to
// be. If there is no excess on any item, costs follow exactly from the baseline's, and the claim
// holds with P = 1.
//
// It returns the errors of [Prepare] and of the test, and one that wraps [stat.ErrDomain] if a cost
// is negative, if the baseline costs nothing, and unless limit is positive and finite and alpha
// between 0 and 0.5.
//
// Source: E. C. Fieller (1954), "Some problems in interval estimation".
func RatioAtMost(candidate, baseline []float64, clusters []int, weight Weight, limit,
	alpha float64,
) (Ratio, error) {
	switch {
	case len(candidate) != len(baseline):
		return Ratio{}, fmt.Errorf("%w: costs of %d and of %d items", stat.ErrSampleSize, len(candidate),
			len(baseline))
	case !(limit > 0) || math.IsInf(limit, 1):
		return Ratio{}, fmt.Errorf("%w: limit %v of a ratio", stat.ErrDomain, limit)
	case !(alpha > 0 && alpha < 0.5):
		return Ratio{}, fmt.Errorf("%w: level %v is not between 0 and 0.5", stat.ErrDomain, alpha)
	}
	excess, scale := make([]float64, len(candidate)), 0.0
	for i, a := range candidate {
		b := baseline[i]
		if a < 0 || b < 0 {
			return Ratio{}, fmt.Errorf("%w: item %d costs %v, and %v in the baseline", stat.ErrDomain, i, a,
				b)
		}
		excess[i] = a - float64(limit*b)
		scale = max(scale, a, limit*b)
	}
	if scale-scale != 0 {
		scale = 0 // Prepare names the item
	}
	s, err := Prepare(Data{Differences: excess, Clusters: clusters, Weight: weight, Scale: scale})
	if err != nil {
		return Ratio{}, err
	}
	test, err := s.Test(0, stat.Less)
	if err != nil {
		return Ratio{}, err
	}
	test.Test = "items-ratio-t"
	m := momentsOf(candidate, baseline, clusters, weight)
	if !(m.b > 0) {
		return Ratio{}, fmt.Errorf("%w: the baseline costs nothing", stat.ErrDomain)
	}
	r := Ratio{Result: test, Ratio: m.a / m.b, Holds: test.P <= alpha}
	if s.se == 0 {
		r.Upper, r.Holds = r.Ratio, s.mean <= 0
		return r, nil
	}
	r.Upper = m.upper(dist.StudentInvSF(alpha, s.df))
	return r, nil
}

// moments are the means of two costs, and the variances and the covariance of these means.
type moments struct{ a, b, aa, ab, bb float64 }

func momentsOf(candidate, baseline []float64, clusters []int, weight Weight) moments {
	a := &Data{Differences: candidate, Clusters: clusters, Weight: weight}
	as, _ := a.groups()
	bs, _ := (&Data{Differences: baseline, Clusters: clusters}).groups()
	w := a.weighing(as)
	var m moments
	for g := range as {
		share := w.of(as[g]) / w.total
		m.a += float64(share * as[g].mean)
		m.b += float64(share * bs[g].mean)
	}
	for g := range as {
		share := w.of(as[g]) / w.total
		weight := share * share / (1 - share)
		a, b := as[g].mean-m.a, bs[g].mean-m.b
		m.aa += float64(weight * a * a)
		m.ab += float64(weight * a * b)
		m.bb += float64(weight * b * b)
	}
	return m
}

// upper returns the ratio L up to which a − L·b is within q standard errors of zero, or +Inf if the
// mean of the baseline's costs itself is.
func (m moments) upper(q float64) float64 {
	q2 := float64(q * q)
	square := float64(m.b*m.b) - float64(q2*m.bb)
	if !(square > 0) {
		return math.Inf(1)
	}
	half := float64(m.a*m.b) - float64(q2*m.ab)
	constant := float64(m.a*m.a) - float64(q2*m.aa)
	return (half + math.Sqrt(max(float64(half*half)-float64(square*constant), 0))) / square
}
