package stat

import (
	"fmt"
	"math"

	"github.com/learnbench/learnbench/learntest/stat/internal/dist"
)

// FisherCombination combines p-values of independent tests of one null hypothesis: −2 Σ ln
// p is referred to χ² with 2n degrees of freedom. N of the result is the number of
// p-values; there is no estimate.
//
// Note: p-values of one data set under several partitions are not independent, and the
// combination is then wrong: 55 partitions with p = 0.25 each give p = 0.005, and more
// partitions give any p one likes. Nor does it treat the two learners symmetrically. It
// serves studies that show this and is not in the catalogue.
//
// It returns an error that wraps [ErrSampleSize] if ps is empty, [ErrNotFinite] if a value
// is NaN or infinite and [ErrDomain] if one is not in [0, 1], both naming the index. If one
// is 0, the statistic is +Inf and P is 0.
//
// Source: R. A. Fisher (1925); Bradford and Brodley (2001), section 4, who discuss and
// reject it.
func FisherCombination(ps []float64) (Result, error) {
	if len(ps) == 0 {
		return Result{}, fmt.Errorf("%w: no p-values", ErrSampleSize)
	}
	if err := checkFinite("p-value", ps); err != nil {
		return Result{}, err
	}
	var sum float64
	for i, p := range ps {
		if p < 0 || p > 1 {
			return Result{}, fmt.Errorf("%w: p-value %d is %v", ErrDomain, i, p)
		}
		sum -= 2 * math.Log(p)
	}
	df := 2 * float64(len(ps))
	return Result{
		Test:      "fisher-combination",
		N:         len(ps),
		Mean:      math.NaN(),
		Estimate:  math.NaN(),
		SE:        math.NaN(),
		Null:      math.NaN(),
		Statistic: sum,
		Law:       LawChiSquared,
		DF:        df,
		DF2:       math.NaN(),
		P:         dist.ChiSquaredSF(sum, df),
	}, nil
}
