package trainset

import (
	"math"
	"slices"

	"github.com/learnbench/learnbench/learntest/dataset"
)

// Ranks are the ranks of the values of a numeric column, so that learners compare small
// integers. They must not be modified.
type Ranks struct {
	Values []float64 // distinct known values in ascending order
	Codes  []int32   // of each row the index in Values, len(Values) where missing
	Order  []int32   // the rows in ascending order of Codes, then of the row
	MinGap float64   // least difference of two neighbouring values, +Inf if there are none
}

// An Index holds the ranks of all numeric columns of a table, so that a table
// from which many training sets are drawn is sorted once. It may be used by
// several goroutines at once.
type Index struct {
	cols []Ranks
}

// NewIndex ranks the numeric columns of t. It takes time N log N for each.
func NewIndex(t *dataset.Table) *Index {
	x := &Index{cols: make([]Ranks, t.NumAttributes())}
	for j := range x.cols {
		if t.Attribute(j).Kind == dataset.Numeric {
			x.cols[j] = Rank(t.Numbers(j))
		}
	}
	return x
}

// Rank ranks the numbers x, NaN being a missing value.
func Rank(x []float64) Ranks {
	sorted := Distinct(make([]float64, 0, len(x)), x)
	c := Ranks{
		Values: slices.Clone(sorted),
		Codes:  make([]int32, len(x)),
		Order:  make([]int32, len(x)),
		MinGap: minGap(sorted),
	}
	count := make([]int32, len(c.Values)+2)
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
	return c
}

// Column returns the ranks of column j. They are empty if the column is
// nominal.
func (x *Index) Column(j int) Ranks { return x.cols[j] }

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
