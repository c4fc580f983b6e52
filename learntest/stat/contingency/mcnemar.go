// Package contingency tests on single examples which of two learners is right more often:
// McNemar's test if both predicted the same test set, two proportions if each had its own.
// Neither accounts for the choice of the training set, as the tests of package stat do.
//
// Verdicts use McNemar's test where no training set was chosen and it is asked for: of fixed
// systems on items. All else is for your own analyses; see the examples.
package contingency

import (
	"fmt"
	"math"

	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/internal/dist"
)

// PairCounts say on how many examples of one test set two learners were right.
type PairCounts struct {
	Both, OnlyFirst, OnlySecond, Neither int // were right
}

// CountPairs counts on which examples of one test set two learners were right:
// first[i] and second[i] belong to example i.
//
// It returns an error that wraps [stat.ErrSampleSize] if the lengths differ or are
// zero.
func CountPairs(first, second []bool) (PairCounts, error) {
	if len(first) != len(second) {
		return PairCounts{}, fmt.Errorf("%w: %d examples of the first learner, %d of the second",
			stat.ErrSampleSize, len(first), len(second))
	}
	if len(first) == 0 {
		return PairCounts{}, fmt.Errorf("%w: no examples", stat.ErrSampleSize)
	}
	var c PairCounts
	for i := range first {
		switch {
		case first[i] && second[i]:
			c.Both++
		case first[i]:
			c.OnlyFirst++
		case second[i]:
			c.OnlySecond++
		default:
			c.Neither++
		}
	}
	return c, nil
}

// A Method is a way to get the p-value of McNemar's test.
type Method uint8

// The methods.
const (
	Exact       Method = iota // binomial distribution of the disagreements
	MidP                      // exact p less the probability of the data (half of it in one tail)
	Edwards                   // χ² with continuity correction, (|b−c|−1)²/(b+c)
	Uncorrected               // χ² without, (b−c)²/(b+c)
)

// McNemarTest tests whether two learners, trained once and asked about the same
// test examples, are equally often right: of the b = OnlyFirst and c =
// OnlySecond examples that only one of them got right, half should belong to
// either. [stat.Greater] means that the first is right more often.
//
// The exact method refers b to the binomial distribution of b+c trials. It is
// conservative; mid-p takes the probability of the observed b off the two-sided
// p, and half of it off a one-sided one, and comes closer to its level. The χ²
// methods need b+c of at least 25 or so and are two-sided only. The test does
// not see the variation due to the choice of the training set.
//
// Statistic is b for the first two methods and χ² with 1 degree of freedom for
// the others. Estimate is the difference of the two accuracies, (b−c)/total as
// a fraction; SE is NaN, but see [PairCounts.Interval]. N is b+c.
//
// It returns an error that wraps [stat.ErrDomain] if a count is negative, the method
// or alternative is unknown, or a χ² is asked for one-sided, and
// [stat.ErrSampleSize] if all counts are zero. Special case: without disagreements,
// b = c = 0, P is 1; so it is by the χ² methods whenever b = c.
//
// Source: Q. McNemar (1947); A. L. Edwards (1948) for the correction; T. G.
// Dietterich (1998), section 3.1; M. W. Fagerland, S. Lydersen and P. Laake
// (2013) for mid-p.
func McNemarTest(c PairCounts, method Method, alt stat.Alternative) (stat.Result, error) {
	if err := alt.Check(); err != nil {
		return stat.Result{}, err
	}
	total, err := c.total()
	if err != nil {
		return stat.Result{}, err
	}
	n := c.OnlyFirst + c.OnlySecond
	difference := float64(c.OnlyFirst) - float64(c.OnlySecond)
	r := stat.Result{
		Test:        "mcnemar",
		Alternative: alt,
		N:           n,
		Mean:        difference / total,
		Estimate:    difference / total,
		SE:          math.NaN(),
		DF:          math.NaN(),
		DF2:         math.NaN(),
	}
	switch method {
	case Exact, MidP:
		r.Law = stat.LawExact
		r.Exact = method == Exact
		r.Statistic = float64(c.OnlyFirst)
		r.P = fairCoinP(c.OnlyFirst, n, alt, method == MidP)
		return r, nil
	case Edwards:
		difference = max(math.Abs(difference)-1, 0)
	case Uncorrected:
	default:
		return stat.Result{}, fmt.Errorf("%w: McNemar method %d", stat.ErrDomain, method)
	}
	if alt != stat.TwoSided {
		return stat.Result{}, fmt.Errorf("%w: the chi-squared methods of McNemar's test are two-sided, not %v", stat.ErrDomain, alt)
	}
	r.Law = stat.LawChiSquared
	r.DF = 1
	r.P = 1
	if n > 0 {
		r.Statistic = difference * difference / float64(n)
		r.P = dist.ChiSquaredSF(r.Statistic, 1)
	}
	return r, nil
}

// fairCoinP returns the p-value of k heads in n tosses of a fair coin.
func fairCoinP(k, n int, alt stat.Alternative, mid bool) float64 {
	point := 0.0
	if mid && n > 0 {
		point = dist.BinomialPMF(k, n, 0.5)
	}
	switch alt {
	case stat.Greater:
		return dist.BinomialSF(k, n, 0.5) - point/2
	case stat.Less:
		return dist.BinomialCDF(k, n, 0.5) - point/2
	}
	return min(1, 2*dist.BinomialCDF(min(k, n-k), n, 0.5)) - point
}

// total returns the number of examples.
func (c PairCounts) total() (float64, error) {
	if c.Both < 0 || c.OnlyFirst < 0 || c.OnlySecond < 0 || c.Neither < 0 {
		return 0, fmt.Errorf("%w: negative count in %+v", stat.ErrDomain, c)
	}
	total := float64(c.Both) + float64(c.OnlyFirst) + float64(c.OnlySecond) + float64(c.Neither)
	if total == 0 {
		return 0, fmt.Errorf("%w: no examples", stat.ErrSampleSize)
	}
	return total, nil
}

// Interval returns the confidence interval of the given level for the
// difference of the accuracies of the first and the second learner, a fraction
// from −1 to 1: Wald's interval after half an example has been added to each of
// the four counts, which covers well also where there are few disagreements, cut
// off where no difference can be. It is NaN,
// NaN if the level is not between 0 and 1, a count is negative or all are zero.
//
// Source: A. Agresti and Y. Min (2005), "Simple improved confidence intervals
// for comparing matched proportions".
func (c PairCounts) Interval(level float64) (lo, hi float64) {
	total, err := c.total()
	if err != nil || !(level > 0 && level < 1) {
		return math.NaN(), math.NaN()
	}
	b, d, n := float64(c.OnlyFirst)+0.5, float64(c.OnlySecond)+0.5, total+2
	estimate := (b - d) / n
	margin := dist.NormalInvSF((1-level)/2) * math.Sqrt(b+d-(b-d)*(b-d)/n) / n
	return max(-1, estimate-margin), min(1, estimate+margin)
}
