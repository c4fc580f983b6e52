package stat

import (
	"fmt"
	"math"
)

// A Slice is a part of the examples of a data set, such as the patients of one clinic, in the test
// sets of a protocol.
type Slice struct {
	Members int     // examples of the data set that belong to the slice
	Counts  []int32 // how many of them each test set has, in the order of Differences.X
}

// Linearise returns the differences of a test for the slice alone, from the sums of its members'
// differences in each test set, in the order of Differences.X. Test sets have different numbers of
// members, and some have none, so that a mean for each test set is not always defined, and its
// spread is not the spread of the slice's difference. The linearised ratio has neither fault. With
// s_rj the sum and c_rj the number of members in fold j of run r, of k folds that test n = Σ_j c_rj
// members in a run,
//
//	m_r = Σ_j s_rj / n,   z_rj = m_r + (k/n)·(s_rj − c_rj·m_r).
//
// The mean of z over a run is m_r, and its mean over all runs is the slice's difference. A slice of
// all examples, with folds of one size, has the differences of the whole. Protocols of one fold a
// run draw their test sets anew: all cells of such a protocol take the place of a run, and their
// number of members the place of n.
//
// The degrees of freedom of tests on the result, which are the corrected t tests, are at most
// Members − 1: few members vary by their number, not by the number of cells.
//
// Linearise returns an error that wraps [ErrSampleSize] if there are fewer than two members, if the
// lengths are not runs·folds, or if a run tests no member, or, of several folds, more than there
// are; [ErrNotFinite] if a sum is NaN or infinite.
//
// Source: the linearised variance of a ratio (Cochran 1977, Sampling Techniques, section 6.4), by
// which each cell has its share of the ratio, with the correction of [CorrectedCVTTest].
func (s Slice) Linearise(sums []float64, runs, folds int) (Differences, error) {
	d := Differences{Runs: runs, Folds: folds, X: make([]float64, len(sums)), Members: s.Members}
	switch {
	case s.Members < 2:
		return Differences{}, fmt.Errorf("%w: a slice of %d members, need at least 2", ErrSampleSize,
			s.Members)
	case len(s.Counts) != len(sums):
		return Differences{}, fmt.Errorf("%w: %d sums and %d counts of members", ErrSampleSize, len(sums),
			len(s.Counts))
	}
	if err := d.shape(); err != nil {
		return Differences{}, err
	}
	span := folds
	if folds == 1 {
		span = runs
	}
	for from := 0; from < len(sums); from += span {
		sum, members := 0.0, 0
		for i, x := range sums[from : from+span] {
			if x-x != 0 {
				return Differences{}, fmt.Errorf("%w: the sum of cell %d is %v", ErrNotFinite, from+i, x)
			}
			sum += x
			members += int(s.Counts[from+i])
		}
		if members < 1 || folds > 1 && members > s.Members {
			return Differences{}, fmt.Errorf("%w: the test sets of run %d have %d members of a slice of %d",
				ErrSampleSize, from/folds+1, members, s.Members)
		}
		mean, scale := sum/float64(members), float64(span)/float64(members)
		for i := from; i < from+span; i++ {
			d.X[i] = mean + float64(scale*(sums[i]-float64(float64(s.Counts[i])*mean)))
			d.Scale = max(d.Scale, math.Abs(float64(scale*sums[i])))
		}
	}
	return d, nil
}
