// Package presort keeps the numeric columns of a table sorted, so that a
// learner that is trained on many subsets of one table sorts them once.
package presort

import (
	"cmp"
	"math"
	"slices"
	"weak"

	"github.com/learnbench/learnbench/learntest/dataset"
)

// A Column holds the known values of a numeric column in ascending order,
// with their rows. Rows of equal value are in the order of their weights, and
// those of equal weight in the order of the table.
type Column struct {
	Rows   []int32
	Values []float64
}

// A Cache holds the sorted columns of the table that was asked for last. It
// does not keep that table alive. The zero value is empty; it must not be
// used by several goroutines at once.
type Cache struct {
	table weak.Pointer[dataset.Table]
	cols  []Column
	valid []bool
	keys  []key
}

// Column returns column j of t, which must be numeric. The result is valid,
// and must not be modified, until another table is asked for.
func (c *Cache) Column(t *dataset.Table, j int) Column {
	if c.table.Value() != t {
		c.table = weak.Make(t)
		c.cols = grow(c.cols, t.NumAttributes())
		c.valid = grow(c.valid, t.NumAttributes())
		clear(c.valid)
	}
	if c.valid[j] {
		return c.cols[j]
	}
	numbers, weights := t.Numbers(j), t.Weights()
	keys := c.keys[:0]
	for i, x := range numbers {
		if x == x {
			keys = append(keys, newKey(x, weights, int32(i)))
		}
	}
	c.keys = keys
	c.cols[j] = sortKeys(keys, c.cols[j])
	c.valid[j] = true
	return c.cols[j]
}

// Subset sorts some rows of a numeric column, leaving out unknown values, and
// keeping rows that occur more than once. It reuses the memory of dst. It
// costs less than [Cache.Column] if the rows are a small part of the table.
func (c *Cache) Subset(t *dataset.Table, j int, rows []int32, dst Column) Column {
	numbers, weights := t.Numbers(j), t.Weights()
	keys := c.keys[:0]
	for _, r := range rows {
		if x := numbers[r]; x == x {
			keys = append(keys, newKey(x, weights, r))
		}
	}
	c.keys = keys
	return sortKeys(keys, dst)
}

// A key sorts as (value, weight, row). bits is monotone in the value.
type key struct {
	bits   uint64
	weight float64
	row    int32
}

func newKey(x float64, weights []float64, row int32) key {
	b := math.Float64bits(x + 0) // -0 becomes +0
	if b>>63 != 0 {
		b = ^b
	} else {
		b |= 1 << 63
	}
	k := key{bits: b, row: row}
	if weights != nil {
		k.weight = weights[row]
	}
	return k
}

func (k key) value() float64 {
	if k.bits>>63 != 0 {
		return math.Float64frombits(k.bits &^ (1 << 63))
	}
	return math.Float64frombits(^k.bits)
}

func sortKeys(keys []key, dst Column) Column {
	slices.SortFunc(keys, func(a, b key) int {
		if a.bits != b.bits {
			if a.bits < b.bits {
				return -1
			}
			return 1
		}
		if a.weight != b.weight {
			return cmp.Compare(a.weight, b.weight)
		}
		return cmp.Compare(a.row, b.row)
	})
	dst.Rows = slices.Grow(dst.Rows[:0], len(keys))
	dst.Values = slices.Grow(dst.Values[:0], len(keys))
	for i := range keys {
		dst.Rows = append(dst.Rows, keys[i].row)
		dst.Values = append(dst.Values, keys[i].value())
	}
	return dst
}

// grow returns s with length n, keeping the elements that it has room for.
func grow[T any](s []T, n int) []T {
	return slices.Grow(s[:0], n)[:n]
}
