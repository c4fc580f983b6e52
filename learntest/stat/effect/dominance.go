package effect

import (
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/internal/dist"
	"github.com/learnbench/learnbench/learntest/stat/internal/rank"
)

// CliffsDelta is the probability that a value of x is larger than one of y,
// less the probability that it is smaller: from −1 to 1, and 0 if the samples
// overlap evenly. It comes with the asymmetric interval of the given level for
// independent samples, which is NaN if a sample has only one value.
//
// Values tie as [stat.Tied] says. It returns an error that wraps
// [stat.ErrSampleSize] if a sample is empty, [stat.ErrNotFinite], naming the index, and
// [stat.ErrDomain] if the level is not between 0 and 1. Special case: at −1 and 1
// the variance is estimated as zero, and the interval is the value itself.
//
// The cost is O(n log n) for n values in all.
//
// Source: N. Cliff (1993), "Dominance statistics: ordinal analyses to answer ordinal
// questions"; the interval is by D. Feng and N. Cliff (2004), "Monte Carlo evaluation of
// ordinal d with improved confidence interval".
func CliffsDelta(x, y []float64, level float64) (Size, error) {
	if err := checkSamples(x, y, level); err != nil {
		return Size{}, err
	}
	rows := dominances(x, y)
	columns := dominances(y, x)
	m, n := float64(len(x)), float64(len(y))
	var sum, decided float64
	for _, r := range rows {
		sum += r.wins - r.losses
		decided += r.wins + r.losses
	}
	delta := sum / (m * n)
	e := Size{Value: delta, Lo: math.NaN(), Hi: math.NaN()}
	if m < 2 || n < 2 {
		return e, nil
	}
	// The unbiased variance, from the variances of rows, columns and single pairs, but not
	// below its least possible value.
	var overRows, overColumns float64
	for _, r := range rows {
		d := (r.wins-r.losses)/n - delta
		overRows += d * d
	}
	for _, c := range columns {
		d := (c.losses-c.wins)/m - delta
		overColumns += d * d
	}
	overPairs := decided - m*n*delta*delta
	v := (n*n*overRows + m*m*overColumns - overPairs) / (m * n * (m - 1) * (n - 1))
	room := 1 - delta*delta
	v = max(v, room/(m*n-1))
	if v <= 0 {
		e.Lo, e.Hi = delta, delta
		return e, nil
	}
	z := dist.NormalInvSF((1 - level) / 2)
	half := z * math.Sqrt(v*(room*room+z*z*v))
	e.Lo = (delta*room - half) / (room + z*z*v)
	e.Hi = (delta*room + half) / (room + z*z*v)
	return e, nil
}

// A12 is the probability that a value of x is larger than one of y, ties
// counting one half: (CliffsDelta + 1)/2, interval, errors and special cases
// included. It is the area under the ROC curve of x against y.
//
// Source: A. Vargha and H. D. Delaney (2000), "A critique and improvement of
// the CL common language effect size statistics of McGraw and Wong".
func A12(x, y []float64, level float64) (Size, error) {
	d, err := CliffsDelta(x, y, level)
	if err != nil {
		return Size{}, err
	}
	return Size{Value: (d.Value + 1) / 2, Lo: (d.Lo + 1) / 2, Hi: (d.Hi + 1) / 2}, nil
}

// A dominanceCount says how many values of a sample a value is above and below.
type dominanceCount struct{ wins, losses float64 }

// dominances counts, for each value of x, the values of y below and above it.
func dominances(x, y []float64) []dominanceCount {
	sorted := slices.Sorted(slices.Values(y))
	counts := make([]dominanceCount, len(x))
	for i, v := range x {
		below := sort.Search(len(sorted), func(j int) bool {
			return sorted[j] >= v ||
				rank.Tied(sorted[j], v)
		})
		notAbove := sort.Search(len(sorted), func(j int) bool {
			return sorted[j] > v &&
				!rank.Tied(sorted[j], v)
		})
		counts[i] = dominanceCount{wins: float64(below), losses: float64(len(sorted) - notAbove)}
	}
	return counts
}

// MatchedRankBiserial is the rank-biserial correlation of the paired differences
// a[i] − b[i]: of the sum of the ranks of their absolute values, the share that
// belongs to positive ones less the share that belongs to negative ones. It is
// from −1 to 1 and comes without an interval, for which there is no standard.
//
// Differences of scores that tie (see [stat.Tied]) are dropped; absolute values that
// tie get their mean rank.
//
// It returns an error that wraps [stat.ErrSampleSize] if there are no scores or the
// lengths differ, and [stat.ErrNotFinite], naming the index, for a score that is NaN
// or infinite or a difference that overflows. Special case: if all differences
// are zero the value is 0.
//
// Source: D. S. Kerby (2014), "The simple difference formula: an approach to
// teaching nonparametric correlation".
func MatchedRankBiserial(a, b []float64) (Size, error) {
	if err := checkSamples(a, b, 0.5); err != nil {
		return Size{}, err
	}
	if len(a) != len(b) {
		return Size{}, fmt.Errorf("%w: %d scores and %d, which are no pairs", stat.ErrSampleSize,
			len(a), len(b))
	}
	for i := range a {
		if math.IsInf(a[i]-b[i], 0) {
			return Size{}, fmt.Errorf("%w: difference %d of %v and %v", stat.ErrNotFinite, i, a[i], b[i])
		}
	}
	e := Size{Lo: math.NaN(), Hi: math.NaN()}
	r := rank.SignedRanks(a, b, rank.Drop)
	if n := float64(r.Ranked); n > 0 {
		e.Value = float64(r.Plus-r.Minus) / (n * (n + 1))
	}
	return e, nil
}
