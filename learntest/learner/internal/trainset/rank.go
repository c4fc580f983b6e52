package trainset

import (
	"math"
	"slices"

	"github.com/learnbench/learnbench/learntest/learner/internal/scratch"
)

// Ranks are the ranks of the values of a numeric column, so that learners compare small
// integers. They must not be modified.
type Ranks struct {
	Values []float64 // distinct known values in ascending order
	Codes  []int32   // of each row the index in Values, len(Values) where missing
	Order  []int32   // the rows in ascending order of Codes, then of the row
	MinGap float64   // least difference of two neighbouring values, +Inf if there are none
}

// Rank ranks the numbers x, NaN being a missing value.
func Rank(x []float64) Ranks {
	var s sorter
	return s.rank(x)
}

// A sorter ranks one column after another in the same memory.
type sorter struct {
	known   []float64
	count   []int32
	entries []keyed
	spare   []keyed
}

func (s *sorter) rank(x []float64) Ranks {
	r := Ranks{Codes: make([]int32, len(x)), Order: make([]int32, len(x))}
	if len(x) >= leastRadix {
		s.sortRows(x, &r)
	} else {
		s.searchRows(x, &r)
	}
	r.MinGap = minGap(r.Values)
	return r
}

// searchRows ranks numbers by a search for each among the distinct ones.
func (s *sorter) searchRows(x []float64, c *Ranks) {
	s.known = Distinct(s.known[:0], x)
	c.Values = slices.Clone(s.known)
	s.count = scratch.Resize(s.count, len(c.Values)+2)
	count := s.count
	clear(count)
	for i, v := range x {
		r := RankOf(c.Values, v)
		c.Codes[i] = r
		count[r+1]++
	}
	for r := 1; r < len(count); r++ {
		count[r] += count[r-1]
	}
	for i, r := range c.Codes {
		c.Order[count[r]] = int32(i)
		count[r]++
	}
}

// Distinct appends the distinct known values among x to dst, which must be
// empty, in ascending order. Both zeros count as one value.
func Distinct(dst, x []float64) []float64 {
	for _, v := range x {
		if v == v {
			dst = append(dst, v+0) // -0 becomes +0
		}
	}
	slices.Sort(dst)
	return slices.Compact(dst)
}

// minGap returns the least difference of neighbours in ascending values, +Inf
// if there are fewer than two.
func minGap(values []float64) float64 {
	gap := math.Inf(1)
	for i := 1; i < len(values); i++ {
		gap = min(gap, values[i]-values[i-1])
	}
	return gap
}

// RankOf returns the index of v in values, which are distinct and ascending and
// contain it, or len(values) if v is NaN.
func RankOf(values []float64, v float64) int32 {
	if math.IsNaN(v) {
		return int32(len(values))
	}
	lo, hi := 0, len(values)
	for lo < hi {
		if mid := int(uint(lo+hi) >> 1); values[mid] < v {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return int32(lo)
}
