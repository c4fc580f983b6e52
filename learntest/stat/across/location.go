package across

import (
	"fmt"
	"math"
	"slices"

	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/internal/dist"
)

// A Location is an estimate of where the differences of two learners lie, with
// the confidence interval that belongs to a test of two learners.
type Location struct {
	DataSets int
	Estimate float64 // in the unit of the scores, candidate − baseline

	// Lo and Hi are the interval: -Inf or +Inf on the side that a one-sided
	// alternative leaves open, and on any side where there are too few data sets
	// for a bound.
	Lo, Hi float64

	// Coverage is the probability that the interval covers the location, at least
	// the level that was asked for; more if ties make it so.
	Coverage float64
	Exact    bool // Coverage is exact but for ties, not an approximation
	Warnings []error
}

// HodgesLehmann estimates the centre of symmetry of the differences a − b, with
// the confidence interval of the given level, such as 0.95, that belongs to
// [SignedRank]: the Hodges-Lehmann estimate and Tukey's interval.
//
// a[i] and b[i] are the scores on data set i, as for SignedRank. The estimate is
// the median of the n(n+1)/2 means of two differences, each with itself
// included. The interval consists of those centres that the exact test without
// ties does not reject at 1−level: it runs from the c-th smallest of the means
// to the c-th largest, with c the largest that leaves P(W < c) at or below half
// of 1−level. After a one-sided test, as alt says, it is a one-sided bound:
// [lo, +Inf) for [stat.Greater]. No difference is dropped. With ties the interval
// covers with at least its probability, since it is closed.
//
// It returns [stat.ErrNotFinite] for a NaN or infinite score or a difference
// that overflows, [stat.ErrSampleSize] if there are no data sets or the lengths
// differ, and [stat.ErrDomain] if the level is not between 0 and 1 or the
// alternative does not exist. It warns with [ErrFewDataSets] if there are too
// few data sets for a bound, and with [ErrApproximate] if there are over 1000,
// when c is that of the normal approximation.
//
// It takes O(n³) time for n up to 1000 data sets, 40 ms for 1000, and O(n log n)
// beyond.
//
// Hodges and Lehmann (1963), Estimates of location based on rank tests, Annals
// of Mathematical Statistics 34; Hollander and Wolfe (1999), Nonparametric
// statistical methods, sections 3.2 and 3.3; Noether (1967), Wilcoxon confidence
// intervals for location parameters in the discrete case, JASA 62.
func HodgesLehmann(a, b []float64, level float64, alt stat.Alternative) (Location, error) {
	d, err := locationInput(a, b, level, alt)
	if err != nil {
		return Location{}, err
	}
	n := len(d)
	pairs := (n + 1) / 2 * (n + (n+1)%2) // n(n+1)/2 without overflow on the way
	r := Location{DataSets: n, Exact: n <= exactLimit}
	below := func(c int) float64 { return signedRankBelow(n, c) } // P(W < c) for n > exactLimit
	if r.Exact {
		bound := pairs / 2
		numbers := make([]int, n)
		for i := range numbers {
			numbers[i] = i + 1
		}
		p := coinSums(numbers, bound)
		for i := 1; i < len(p); i++ {
			p[i] += p[i-1]
		}
		below = func(c int) float64 { return p[c-1] }
	} else {
		r.Warnings = append(r.Warnings, fmt.Errorf("%w: normal, for %d differences; the limit is %d", ErrApproximate, n, exactLimit))
	}
	r.bounds(pairs, level, alt, below, func(k int) float64 { return walshAverage(d, k) })
	return r, nil
}

// MedianDifference estimates the median of the differences a − b, with the
// confidence interval of the given level, such as 0.95, that belongs to
// [SignTest]. It assumes no more than independent data sets.
//
// The interval runs from the c-th smallest of the n differences to the c-th
// largest, with c the largest that leaves the binomial probability of fewer than
// c heads in n throws at or below half of 1−level. Inputs, one-sided bounds,
// errors and warnings are as for [HodgesLehmann], but Exact is always true. It
// takes O(n log n) time.
//
// Hollander and Wolfe (1999), Nonparametric statistical methods, sections 3.5
// and 3.6.
func MedianDifference(a, b []float64, level float64, alt stat.Alternative) (Location, error) {
	d, err := locationInput(a, b, level, alt)
	if err != nil {
		return Location{}, err
	}
	n := len(d)
	r := Location{DataSets: n, Exact: true}
	r.bounds(n, level, alt,
		func(c int) float64 { return fairTail(n, n-c+1) },
		func(k int) float64 { return d[k-1] })
	return r, nil
}

// locationInput returns the sorted differences after checking the arguments.
func locationInput(a, b []float64, level float64, alt stat.Alternative) ([]float64, error) {
	d, err := differences(a, b)
	if err != nil {
		return nil, err
	}
	if !(level > 0 && level < 1) {
		return nil, fmt.Errorf("%w: level %v is not between 0 and 1", stat.ErrDomain, level)
	}
	slices.Sort(d)
	return d, alt.Check()
}

// bounds sets the estimate and the interval from n values, of which kth returns
// the k-th smallest, counted from 1; below(c), for c up to half of n, is the
// probability that fewer than c of them are below the location.
func (r *Location) bounds(n int, level float64, alt stat.Alternative, below, kth func(int) float64) {
	r.Estimate = kth(n/2 + 1)
	if n%2 == 0 {
		r.Estimate = 0.5*r.Estimate + 0.5*kth(n/2)
	}
	miss, tails := 1-level, 1.0
	if alt == stat.TwoSided {
		tails = 2
	}
	// The largest c from 1 on that is allowed; 0 if none is.
	lo, hi := 0, max(1, n/2)
	for lo < hi {
		if c := (lo + hi + 1) / 2; tails*below(c) <= miss {
			lo = c
		} else {
			hi = c - 1
		}
	}
	r.Lo, r.Hi, r.Coverage = math.Inf(-1), math.Inf(1), 1
	if lo == 0 {
		r.Warnings = append(r.Warnings, fmt.Errorf("%w: %d are too few for a bound at level %v", ErrFewDataSets, r.DataSets, level))
		return
	}
	r.Coverage = 1 - tails*below(lo)
	if alt != stat.Less {
		r.Lo = kth(lo)
	}
	if alt != stat.Greater {
		r.Hi = kth(n + 1 - lo)
	}
}

// signedRankBelow returns P(W < c) for the sum W of the positive signed ranks of
// n differences, by the normal approximation with correction for continuity.
func signedRankBelow(n, c int) float64 {
	nf := float64(n)
	mean := nf * (nf + 1) / 4
	return dist.NormalCDF((float64(c) - 0.5 - mean) / math.Sqrt(mean*(2*nf+1)/6))
}

// walshAverage returns the k-th smallest, counted from 1, of the means of two of
// the sorted values, each with itself included: by bisection over the float64
// numbers, each of whose steps counts in O(n).
func walshAverage(sorted []float64, k int) float64 {
	mean := func(i, j int) float64 { return 0.5*sorted[i] + 0.5*sorted[j] }
	atMost := func(x float64) int {
		count, j := 0, len(sorted)-1
		for i := range sorted {
			for j >= i && mean(i, j) > x {
				j--
			}
			if j < i {
				break
			}
			count += j - i + 1
		}
		return count
	}
	lo, hi := ordinal(sorted[0]), ordinal(sorted[len(sorted)-1])
	for lo < hi {
		if mid := lo + int64(uint64(hi-lo)/2); atMost(fromOrdinal(mid)) >= k {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	return fromOrdinal(lo)
}

// ordinal numbers the finite float64 numbers in their order, 0 for 0; half of
// the largest difference of two still fits.
func ordinal(x float64) int64 {
	magnitude := int64(math.Float64bits(math.Abs(x)))
	if x < 0 {
		return -magnitude
	}
	return magnitude
}

// fromOrdinal is the inverse of ordinal.
func fromOrdinal(o int64) float64 {
	if o < 0 {
		return -math.Float64frombits(uint64(-o))
	}
	return math.Float64frombits(uint64(o))
}
