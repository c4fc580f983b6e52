package c45

import (
	"math"
	"slices"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/learner/internal/trainset"
)

// A column is an attribute as the training sees it: a small integer or a number for each row of
// the frame.
type column struct {
	col     int // in the table
	nominal bool
	missing bool      // some rows lack the value
	card    int32     // number of declared values
	code    []int32   // of each row the declared value, card where missing
	x       []float64 // of each row the number, NaN where missing
	minGap  float64   // least difference of two distinct numbers
	gap     float64   // of two numbers between which a threshold may not lie
	order   []int32   // the rows in ascending order of their numbers, those without one last
	rises   []uint64  // of each place in order a bit that is 1 where the code is greater than the one before
	codes   int32     // number of codes, at most as great as the numbers of rows
	doubt   key       // a threshold may lie between two numbers whose codes differ that much,
	sure    key       // and certainly if they differ that much
	whole   float64   // between numbers that are closer, bits of no code come twice
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

// apart reports whether a threshold may lie between two values in ascending order.
func (c *column) apart(a, b float64) bool { return a+c.gap < b }

// at returns the number at an index of the order. -0 becomes +0.
func (c *column) at(i int32) float64 { return c.x[c.order[i]] + 0 }

// lacks reports whether a row lacks the value.
func (c *column) lacks(row int32) bool {
	if c.nominal {
		return c.code[row] == c.card
	}
	return c.x[row] != c.x[row]
}

// A frame is the common part of all training sets of a table. It is not
// modified once it is made.
type frame struct {
	index   *trainset.Index // nil if the frame has orders of its own
	classes int
	rows    int
	class   []int32 // of each row
	cols    []column
	layout
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
		f.index = trainset.OrdersOf(t)
	} else {
		f.rows = len(rows)
	}
	f.layout = newLayout(f.rows, f.classes)
	var s trainset.Sorter
	for j := range t.NumAttributes() {
		if j == t.ClassIndex() {
			continue
		}
		c := column{col: j, nominal: t.Attribute(j).Kind == dataset.Nominal}
		if c.nominal {
			c.card = int32(len(t.Attribute(j).Values))
			c.code = pick(t.Codes(j), rows)
			f.noteMissing(&c)
		} else {
			c.x = pick(t.Numbers(j), rows)
			if rows == nil {
				c.order = f.index.Order(j)
			} else {
				c.order = s.Order(make([]int32, f.rows), c.x)
			}
			f.noteOrder(&c)
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

// noteOrder looks for the least difference of the numbers of a column, and for rows without one,
// and gives codes to the numbers.
func (f *frame) noteOrder(c *column) {
	known := len(c.order)
	for ; known > 0 && c.lacks(c.order[known-1]); known-- {
		c.missing = true
		f.lacks(int(c.order[known-1]))
	}
	x := make([]float64, known)
	c.minGap = math.Inf(1)
	for i := range x {
		x[i] = c.at(int32(i))
		if i > 0 && x[i] > x[i-1] {
			c.minGap = min(c.minGap, x[i]-x[i-1])
		}
	}
	if c.doubt, c.sure = 1, 1; c.minGap < tightGap {
		c.gap, c.sure = tight, 2
	}
	c.rises = make([]uint64, (len(c.order)+63)/64)
	c.codes = 1
	for i, first := 1, 0; i < known; i++ {
		if c.apart(x[first], x[i]) {
			c.rises[i/64] |= 1 << (i % 64)
			c.codes++
			first = i
		}
	}
	if c.codes > int32(f.layout.codes) {
		c.doubt = 0
	}
	step := c.minGap
	if c.gap > 0 {
		step = c.gap
	}
	c.whole = step * (float64(f.layout.codes) - 2)
}

// ranks returns the ranks of the numbers of a column, of the frame of table t.
func (f *frame) ranks(t *dataset.Table, c *column) []int32 {
	if f.index == nil {
		return trainset.Rank(c.x).Codes
	}
	f.index.Rank(t)
	return f.index.Column(c.col).Codes
}
