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
	var s Sorter
	return s.rank(x)
}

// A Sorter sorts one column after another in the same memory.
type Sorter struct {
	known   []float64
	count   []int32
	entries []keyed
	spare   []keyed
}

// rank ranks the numbers x.
func (s *Sorter) rank(x []float64) Ranks {
	if len(x) < leastRadix {
		return s.searchRows(x)
	}
	return s.sortRows(x)
}

// sortRows ranks numbers by a radix sort.
func (s *Sorter) sortRows(x []float64) Ranks {
	order := s.Order(make([]int32, len(x)), x)
	s.known = scratch.Resize(s.known, len(s.entries))
	for i, e := range s.entries {
		s.known[i] = numberOf(e.key)
	}
	return s.rankKnown(order)
}

// rankOrdered ranks the numbers x, whose rows are in order.
func (s *Sorter) rankOrdered(x []float64, order []int32) Ranks {
	s.known = scratch.Resize(s.known, len(order))[:0]
	for _, r := range order {
		if x[r] != x[r] {
			break
		}
		s.known = append(s.known, x[r]+0) // -0 becomes +0
	}
	return s.rankKnown(order)
}

// rankKnown ranks the known numbers, which ascend, of the first rows in order. The other rows have
// none.
func (s *Sorter) rankKnown(order []int32) Ranks {
	distinct := 0
	for i, v := range s.known {
		if i == 0 || v != s.known[i-1] {
			distinct++
		}
	}
	r := Ranks{
		Values: make([]float64, 0, distinct), Codes: make([]int32, len(order)), Order: order,
	}
	for i, v := range s.known {
		if i == 0 || v != s.known[i-1] {
			r.Values = append(r.Values, v)
		}
		r.Codes[order[i]] = int32(len(r.Values) - 1)
	}
	for _, row := range order[len(s.known):] {
		r.Codes[row] = int32(len(r.Values))
	}
	r.MinGap = minGap(r.Values)
	return r
}

// searchRows ranks numbers by a search for each among the distinct ones.
func (s *Sorter) searchRows(x []float64) Ranks {
	c := Ranks{Codes: make([]int32, len(x)), Order: make([]int32, len(x))}
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
	c.MinGap = minGap(c.Values)
	return c
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
