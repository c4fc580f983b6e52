package c45

import (
	"slices"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/learner/internal/trainset"
)

// A column is an attribute as the training sees it: small integers, one for
// each row of the frame.
type column struct {
	col     int // in the table
	nominal bool
	missing bool      // some rows lack the value
	card    int32     // number of declared values, or of distinct numbers
	code    []int32   // of each row the declared value or the index in values, card where missing
	values  []float64 // distinct numbers in ascending order
	minGap  float64   // least difference of two of them
	order   []int32   // the rows in ascending order of code
	rises   []uint64  // of each place in order a bit that is 1 where the code is greater than the one before
	lane    int32     // first lane of a nominal column, -1 if it has none
	skips   int32     // number of values, the first ones, without a lane
}

// tight is the least difference of two numbers that a threshold separates, but for rounding.
const tight = 1e-5

// No threshold may separate two numbers closer than tightGap, and two numbers closer than
// closeGap may be equal for the comparison with a threshold. Both leave room for rounding.
const (
	tightGap = 2.1e-5
	closeGap = 2.1e-6
)

// apart reports whether a threshold may lie between two values, given by
// their codes in ascending order.
func (c *column) apart(a, b int32) bool { return c.values[a]+tight < c.values[b] }

// A frame is the common part of all training sets of a table. It is not
// modified once it is made.
type frame struct {
	index   *trainset.Index // nil if the frame has ranks of its own
	classes int
	rows    int
	class   []int32 // of each row
	cols    []column
	lanes   laneSet
	lacking []bool // whether a row lacks a value, nil if none does
}

// newFrame makes the frame of a table. Row i of the frame is row i of t, or
// rows[i] if rows is not nil.
func newFrame(t *dataset.Table, rows []int32) *frame {
	f := &frame{
		classes: t.NumClasses(),
		rows:    t.Len(),
		class:   pick(t.Codes(t.ClassIndex()), rows),
		cols:    make([]column, 0, t.NumAttributes()),
	}
	if rows == nil {
		f.index = trainset.IndexOf(t)
	} else {
		f.rows = len(rows)
	}
	for j := range t.NumAttributes() {
		if j == t.ClassIndex() {
			continue
		}
		c := column{col: j, nominal: t.Attribute(j).Kind == dataset.Nominal}
		if c.nominal {
			c.card = int32(len(t.Attribute(j).Values))
			c.code = pick(t.Codes(j), rows)
			f.noteMissing(&c)
		} else if rows == nil {
			f.take(&c, f.index.Column(j))
		} else {
			f.take(&c, trainset.Rank(pick(t.Numbers(j), rows)))
		}
		f.cols = append(f.cols, c)
	}
	f.lanes.build(f)
	return f
}

// pick returns the elements of x at the given indices, or x if they are nil.
func pick[T any](x []T, indices []int32) []T {
	if indices == nil {
		return x
	}
	y := make([]T, len(indices))
	for i, r := range indices {
		y[i] = x[r]
	}
	return y
}

// noteMissing replaces the code -1.
func (f *frame) noteMissing(c *column) {
	if !slices.Contains(c.code, -1) {
		return
	}
	c.missing = true
	c.code = slices.Clone(c.code)
	for i, v := range c.code {
		if v < 0 {
			c.code[i] = c.card
			f.lacks(i)
		}
	}
}

// lacks notes that row i lacks a value.
func (f *frame) lacks(i int) {
	if f.lacking == nil {
		f.lacking = make([]bool, f.rows)
	}
	f.lacking[i] = true
}

// take sets a numeric column to the ranks of its numbers.
func (f *frame) take(c *column, r trainset.Ranks) {
	c.values, c.code, c.order = r.Values, r.Codes, r.Order
	c.card = int32(len(c.values))
	c.minGap = r.MinGap
	c.rises = make([]uint64, (len(c.order)+63)/64)
	last := int32(0)
	for i, q := range c.order {
		if v := c.code[q]; v != last {
			c.rises[i/64] |= 1 << (i % 64)
			last = v
		}
	}
	for i := len(c.order) - 1; i >= 0 && c.code[c.order[i]] == c.card; i-- {
		c.missing = true
		f.lacks(int(c.order[i]))
	}
}
