package contingency

import (
	"fmt"
	"math"

	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/internal/dist"
)

// TwoProportionsTest tests whether two learners with different test examples are equally often
// right: success1 of n1 and success2 of n2 examples. The statistic is the difference of the
// proportions over its standard error, referred to the normal distribution; the pooled
// standard error assumes equal proportions, √(p(1−p)(1/n1 + 1/n2)) with the pooled p;
// otherwise it is √(p1(1−p1)/n1 + p2(1−p2)/n2).
//
// On the same test examples it wastes the pairing and [McNemarTest] is better;
// it does not see the variation due to the choice of the training set either.
// Estimate is the difference, a fraction; N is n1+n2.
//
// It returns an error that wraps [stat.ErrSampleSize] if n1 or n2 is not positive,
// and [stat.ErrDomain] if a count is not between 0 and its n or the alternative is
// unknown. Special cases: if the standard error is 0, the result has the
// warning [stat.ErrZeroVariance]; equal proportions then have statistic 0 and P 1,
// and 0 against 1 an infinite statistic.
//
// Source: Dietterich (1998), section 3.2, there pooled; Bradford and Brodley
// (2001), section 2.
func TwoProportionsTest(success1, n1, success2, n2 int, pooled bool,
	alt stat.Alternative,
) (stat.Result, error) {
	if err := alt.Check(); err != nil {
		return stat.Result{}, err
	}
	if n1 < 1 || n2 < 1 {
		return stat.Result{}, fmt.Errorf("%w: %d and %d examples", stat.ErrSampleSize, n1, n2)
	}
	if success1 < 0 || success1 > n1 || success2 < 0 || success2 > n2 {
		return stat.Result{}, fmt.Errorf("%w: %d of %d and %d of %d", stat.ErrDomain, success1,
			n1, success2, n2)
	}
	m1, m2 := float64(n1), float64(n2)
	p1, p2 := float64(success1)/m1, float64(success2)/m2
	v := p1*(1-p1)/m1 + p2*(1-p2)/m2
	if pooled {
		hit := float64(success1) + float64(success2)
		miss := m1 + m2 - hit
		v = hit / (m1 + m2) * (miss / (m1 + m2)) * (1/m1 + 1/m2)
	}
	r := stat.Result{
		Test:        "two-proportions",
		Alternative: alt,
		N:           n1 + n2,
		Mean:        p1 - p2,
		Estimate:    p1 - p2,
		SE:          math.Sqrt(v),
		DF:          math.Inf(1),
		DF2:         math.NaN(),
	}
	switch {
	case r.SE > 0:
		r.Statistic = r.Estimate / r.SE
	case r.Estimate != 0:
		r.Statistic = math.Copysign(math.Inf(1), r.Estimate)
	}
	if r.SE == 0 {
		r.Warnings = []error{stat.ErrZeroVariance}
	}
	switch {
	case r.SE == 0 && r.Estimate == 0:
		r.P = 1
	case alt == stat.TwoSided:
		r.P = 2 * dist.NormalSF(math.Abs(r.Statistic))
	case alt == stat.Greater:
		r.P = dist.NormalSF(r.Statistic)
	default:
		r.P = dist.NormalCDF(r.Statistic)
	}
	return r, nil
}
