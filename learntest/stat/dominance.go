package stat

import (
	"math"
	"slices"
	"sort"

	"github.com/learnbench/learnbench/learntest/stat/internal/dist"
)

// CliffsDelta is the probability that a value of x is larger than one of y,
// less the probability that it is smaller: from −1 to 1, and 0 if the samples
// overlap evenly. It comes with the asymmetric interval of the given level for
// independent samples, which is NaN if a sample has only one value.
//
// Values are compared as they are. It returns an error that wraps
// [ErrSampleSize] if a sample is empty, [ErrNotFinite], naming the index, and
// [ErrDomain] if the level is not between 0 and 1. Special case: at −1 and 1
// the variance is estimated as zero, and the interval is the value itself.
//
// The cost is O(n log n) for n values in all.
//
// Source: N. Cliff (1993), "Dominance statistics: ordinal analyses to answer
// ordinal questions"; the interval is that of D. Feng and N. Cliff
// (2004), "Monte Carlo evaluation of ordinal d with improved confidence
// interval".
func CliffsDelta(x, y []float64, level float64) (Effect, error) {
	if err := checkSamples(x, y, level); err != nil {
		return Effect{}, err
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
	e := Effect{Value: delta, Lo: math.NaN(), Hi: math.NaN()}
	if m < 2 || n < 2 {
		return e, nil
	}
	// The unbiased variance, from those of rows, columns and single pairs, but
	// not below the least that it can be.
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
func A12(x, y []float64, level float64) (Effect, error) {
	d, err := CliffsDelta(x, y, level)
	if err != nil {
		return Effect{}, err
	}
	return Effect{Value: (d.Value + 1) / 2, Lo: (d.Lo + 1) / 2, Hi: (d.Hi + 1) / 2}, nil
}

// A dominanceCount says how many values of a sample a value is above and below.
type dominanceCount struct{ wins, losses float64 }

// dominances counts, for each value of x, the values of y below and above it.
func dominances(x, y []float64) []dominanceCount {
	sorted := slices.Sorted(slices.Values(y))
	counts := make([]dominanceCount, len(x))
	for i, v := range x {
		below := sort.SearchFloat64s(sorted, v)
		notAbove := sort.Search(len(sorted), func(j int) bool { return sorted[j] > v })
		counts[i] = dominanceCount{wins: float64(below), losses: float64(len(sorted) - notAbove)}
	}
	return counts
}

// TieTolerance is the share of the largest score within which values of rank
// statistics count as tied: accuracies are rounded, and their differences once
// more, which breaks ties that are there.
const TieTolerance = 1e-9

// MatchedRankBiserial is the rank-biserial correlation of paired differences:
// of the sum of the ranks of their absolute values, the share that belongs to
// positive ones less the share that belongs to negative ones. It is from −1 to
// 1 and comes without an interval, for which there is no standard.
//
// Differences that are within tolerance of zero, in the unit of the scores, are
// dropped, and absolute values within tolerance of the smallest of a group of
// ties belong to it and get their mean rank. A tolerance of [TieTolerance]
// times the largest score is advised; 0 takes the numbers as they are.
//
// It returns an error that wraps [ErrSampleSize] if there are no differences,
// [ErrNotFinite], naming the index, and [ErrDomain] if tolerance is negative,
// NaN or infinite. Special case: if all differences are zero the value is 0.
//
// Source: D. S. Kerby (2014), "The simple difference formula: an approach to
// teaching nonparametric correlation".
func MatchedRankBiserial(differences []float64, tolerance float64) (Effect, error) {
	if err := checkSamples(differences, differences, 0.5); err != nil {
		return Effect{}, err
	}
	if err := checkTolerance(tolerance); err != nil {
		return Effect{}, err
	}
	var kept []float64
	for _, d := range differences {
		if math.Abs(d) > tolerance {
			kept = append(kept, d)
		}
	}
	e := Effect{Lo: math.NaN(), Hi: math.NaN()}
	if len(kept) == 0 {
		return e, nil
	}
	sort.Slice(kept, func(i, j int) bool { return math.Abs(kept[i]) < math.Abs(kept[j]) })
	var balance float64
	for i := 0; i < len(kept); {
		j := i
		signs := 0.0
		for ; j < len(kept) && math.Abs(kept[j])-math.Abs(kept[i]) <= tolerance; j++ {
			signs += math.Copysign(1, kept[j])
		}
		balance += signs * float64(i+j+1) / 2 // mean of the ranks i+1..j
		i = j
	}
	n := float64(len(kept))
	e.Value = balance / (n * (n + 1) / 2)
	return e, nil
}
