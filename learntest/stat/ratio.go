package stat

import (
	"fmt"
	"math"
	"slices"

	"github.com/learnbench/learnbench/learntest/stat/internal/dist"
)

// A MedianRatio is the outcome of [RatioAtMost].
type MedianRatio struct {
	N      int     // cells
	Median float64 // of the ratios
	Rank   int     // of the bounds among the ratios
	Least  float64 // one-sided lower bound of the median: the Rank-th largest ratio
	Most   float64 // one-sided upper bound of the median: the Rank-th smallest ratio
	Within int     // cells with a ratio of at most the limit
	P      float64 // of the hypothesis that the median is above the limit
}

// leastCells is the smallest number of cells of which a bound is taken: fewer have none at the 5%
// level.
const leastCells = 5

// RatioAtMost judges by the sign test whether the median of the ratios of two costs, such as times,
// is at most a limit: candidate[i] and baseline[i] are both of cell i, and above 0.
//
// H0 is that the median ratio of a cell is above the limit. P is the probability that a fair coin
// shows heads in Within or more of N throws. Most is the smallest limit with P ≤ alpha, so that P ≤
// alpha just if Most ≤ limit. Only the order of the ratios counts: a cell that was interrupted is
// one cell, however long that took. The sign test takes cells for independent, with a common median
// ratio.
//
// It returns [ErrSampleSize] if lengths differ, there are fewer than 5 cells, or so few that no
// ratios reach alpha; [ErrNotFinite] for a value or ratio that is NaN or infinite; and [ErrDomain]
// for a value of 0 or less, a limit that is not above 0 and finite, or a level outside of 0 to 0.5.
// It takes O(n log n) time for n cells.
//
// Source: W. J. Conover, Practical Nonparametric Statistics, 1999, sections 3.2 and 3.4.
//
// Note: the corrected t test on logarithms was tried instead: one interrupted cell in twenty ruins
// it.
func RatioAtMost(candidate, baseline []float64, limit, alpha float64) (MedianRatio, error) {
	n := len(candidate)
	switch {
	case len(baseline) != n:
		return MedianRatio{}, fmt.Errorf("%w: %d values of the candidate and %d of the baseline",
			ErrSampleSize, n, len(baseline))
	case !(limit > 0) || math.IsInf(limit, 1):
		return MedianRatio{}, fmt.Errorf("%w: a limit of %v", ErrDomain, limit)
	case !(alpha > 0 && alpha < 0.5):
		return MedianRatio{}, fmt.Errorf("%w: one-sided level %v", ErrDomain, alpha)
	}
	r := MedianRatio{N: n}
	ratios := make([]float64, n)
	for i, a := range candidate {
		b := baseline[i]
		ratios[i] = a / b
		switch {
		case a <= 0 || b <= 0:
			return MedianRatio{}, fmt.Errorf("%w: values %v and %v of cell %d have no ratio above 0",
				ErrDomain, a, b, i)
		case !(ratios[i] > 0) || math.IsInf(ratios[i], 1) || math.IsInf(a, 1):
			return MedianRatio{}, fmt.Errorf("%w: ratio of %v and %v, of cell %d", ErrNotFinite, a, b, i)
		}
		if ratios[i] <= limit {
			r.Within++
		}
	}
	if n < leastCells || dist.BinomialSF(n, n, 0.5) > alpha {
		return MedianRatio{}, fmt.Errorf("%w: %d cells have no bound of their median at the level %v",
			ErrSampleSize, n, alpha)
	}
	slices.Sort(ratios)
	// Half of n is never enough, all n are.
	r.Rank = n/2 + 1
	for dist.BinomialSF(r.Rank, n, 0.5) > alpha {
		r.Rank++
	}
	r.Median = (ratios[(n-1)/2] + ratios[n/2]) / 2
	r.Least, r.Most = ratios[n-r.Rank], ratios[r.Rank-1]
	r.P = dist.BinomialSF(r.Within, n, 0.5)
	return r, nil
}
