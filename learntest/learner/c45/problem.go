package c45

import (
	"math"
	"slices"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/learner/internal/entropy"
	"github.com/learnbench/learnbench/learntest/learner/internal/rank"
)

// A column is an attribute as the training sees it: small integers, by
// position in the training set.
type column struct {
	col     int       // in the table
	nominal bool      //
	many    bool      // nominal, and left out of the average gain since it has so many values
	card    int32     // number of declared values, or of distinct numbers
	values  []float64 // distinct numbers in ascending order
	minGap  float64   // least difference of two of them
	code    []int32   // of each instance the declared value or the index in values, card where missing
	order   []int32   // rows of the table in ascending order of the number, or nil
	seen    []bool    // whether an index in values occurs in the training set, if it is known
	local   []float64 // memory of values where they are not shared
}

// Two numbers closer than this may not be told apart by a threshold, and two
// closer than closeGap may be equal for the comparison with a threshold. Both
// leave room for rounding.
const (
	tightGap = 2.1e-5
	closeGap = 2.1e-6
)

// A problem is a training set.
type problem struct {
	cfg     Config
	inOrder bool // keep the instances in Weka's order where it matters
	table   *dataset.Table
	all     []int32 // the rows of the table that were given
	rows    []int32 // those of them whose class is known
	n       int     // len(rows)
	classes int
	class   []int32
	weight  []float64 // nil if all are 1
	cols    []column
	tab     *entropy.Table
	est     estimator
	chain   rank.Chain
	ptr     []int32
}

// localFactor is the number of times that a table must exceed the training
// set to make ranking the training set by itself cheaper than ranking the table.
const localFactor = 8

// load sets the problem up for a table and the given rows, which must have been
// checked.
func (p *problem) load(t *dataset.Table, rows []int, ranks *rank.Cache) {
	p.table = t
	class := t.Codes(t.ClassIndex())
	p.all, p.rows, p.class = p.all[:0], p.rows[:0], p.class[:0]
	for _, r := range rows {
		p.all = append(p.all, int32(r))
		if y := class[r]; y >= 0 {
			p.rows = append(p.rows, int32(r))
			p.class = append(p.class, y)
		}
	}
	p.n = len(p.rows)
	p.classes = t.NumClasses()
	p.weight = p.weight[:0]
	if w := t.Weights(); w != nil {
		for _, r := range p.rows {
			p.weight = append(p.weight, w[r])
		}
	}
	var index *rank.Index
	if t.Len() > localFactor*p.n {
		index = ranks.Lookup(t)
	} else {
		index = ranks.Get(t)
	}
	if index != nil {
		p.chain.Set(t.Len(), p.rows)
	}
	p.cols = grow(p.cols, t.NumAttributes()-1)
	everyMany := true
	k := 0
	for j := range t.NumAttributes() {
		if j == t.ClassIndex() {
			continue
		}
		c := &p.cols[k]
		k++
		c.col = j
		c.code = grow(c.code, p.n)
		c.seen = c.seen[:0]
		c.many = false
		if t.Attribute(j).Kind == dataset.Nominal {
			p.loadNominal(c)
			everyMany = everyMany && c.many
			continue
		}
		everyMany = false
		p.loadNumeric(c, index)
	}
	if everyMany {
		for i := range p.cols {
			p.cols[i].many = false
		}
	}
}

func (p *problem) loadNominal(c *column) {
	c.nominal = true
	c.card = int32(len(p.table.Attribute(c.col).Values))
	c.many = !sm(float64(c.card), 0.3*float64(len(p.all)))
	codes := p.table.Codes(c.col)
	for i, r := range p.rows {
		v := codes[r]
		if v < 0 {
			v = c.card
		}
		c.code[i] = v
	}
}

func (p *problem) loadNumeric(c *column, index *rank.Index) {
	c.nominal = false
	if index != nil {
		x := index.Column(c.col)
		c.values, c.minGap, c.order = x.Values, x.MinGap, x.Order
		c.card = int32(len(x.Values))
		for i, r := range p.rows {
			c.code[i] = x.Codes[r]
		}
		return
	}
	numbers := p.table.Numbers(c.col)
	c.local = c.local[:0]
	for _, r := range p.all {
		if x := numbers[r]; x == x {
			c.local = append(c.local, x+0)
		}
	}
	slices.Sort(c.local)
	c.local = slices.Compact(c.local)
	c.values, c.minGap, c.order = c.local, rank.MinGap(c.local), nil
	c.card = int32(len(c.values))
	for i, r := range p.rows {
		c.code[i] = rank.Of(c.values, numbers[r])
	}
}

// sort sets list to the keys of a numeric column in ascending order: the codes
// in the upper half, and the positions in the training set in the lower half.
func (p *problem) sort(c *column, list []uint64) {
	if c.order != nil {
		i := 0
		for _, r := range c.order {
			for q := p.chain.Head[r]; q >= 0; q = p.chain.Next[q] {
				list[i] = uint64(c.code[q])<<32 | uint64(q)
				i++
			}
		}
		return
	}
	p.ptr = grow(p.ptr, int(c.card)+2)
	clear(p.ptr)
	for _, v := range c.code {
		p.ptr[v+1]++
	}
	for v := range c.card {
		p.ptr[v+1] += p.ptr[v]
	}
	for q, v := range c.code {
		list[p.ptr[v]] = uint64(v)<<32 | uint64(q)
		p.ptr[v]++
	}
}

// threshold returns the threshold of a split between two values of a column
// that are neighbours at a node, given by their codes: the greatest value of
// the whole training set, rows of unknown class included, that is not above
// their midpoint. It also returns the greatest code that is not above the
// threshold.
func (p *problem) threshold(c *column, lower, upper int32) (cut float64, last int32) {
	mid := (c.values[upper] + c.values[lower]) / 2
	if math.IsInf(mid, 0) {
		mid = c.values[upper]/2 + c.values[lower]/2
	}
	if mid == c.values[upper] {
		mid = c.values[lower]
	}
	if c.minGap < closeGap {
		cut, last = p.scanThreshold(c, mid)
		if last < lower { // nothing would go left
			return c.values[lower], lower
		}
		return cut, last
	}
	if len(c.seen) == 0 {
		p.see(c)
	}
	last = lower
	for k := upper - 1; k > lower; k-- {
		if c.seen[k] && smEq(c.values[k], mid) {
			last = k
			break
		}
	}
	return c.values[last], last
}

// see notes which of its values a column takes in the training set.
func (p *problem) see(c *column) {
	c.seen = grow(c.seen, len(c.values)+1)
	clear(c.seen)
	for _, k := range c.code {
		c.seen[k] = true
	}
	if len(p.all) > p.n {
		numbers := p.table.Numbers(c.col)
		for _, r := range p.all {
			c.seen[rank.Of(c.values, numbers[r])] = true
		}
	}
}

// scanThreshold is threshold for columns in which equality of two values is
// not transitive, so that the result depends on the order of the rows.
func (p *problem) scanThreshold(c *column, mid float64) (cut float64, last int32) {
	numbers := p.table.Numbers(c.col)
	cut = -math.MaxFloat64
	for _, r := range p.all {
		if x := numbers[r]; gr(x, cut) && smEq(x, mid) {
			cut = x
		}
	}
	last = -1
	for k, v := range c.values {
		if smEq(v, cut) {
			last = int32(k)
		}
	}
	return cut, last
}

// grow returns s with length n, keeping its memory if there is enough, and
// with it the elements of structs that hold memory of their own.
func grow[T any](s []T, n int) []T {
	if n <= cap(s) {
		return s[:n]
	}
	return append(s[:cap(s)], make([]T, n-cap(s))...)
}
