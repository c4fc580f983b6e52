package c45

import (
	"math"
	"sort"

	"github.com/learnbench/learnbench/learntest/learner/internal/scratch"
)

// closeness finds thresholds in columns in which equality of two values is not transitive, so that
// the order of the rows matters.
type closeness struct {
	place []int32           // of each row its first place in the training set, empty if not known
	first []map[int32]int32 // of each column and group the first place, as far as anybody has asked
	chain []int32           // groups
}

func (t *closeness) load(columns int) {
	t.place, t.first = t.place[:0], scratch.Resize(t.first, columns)
	for _, first := range t.first {
		clear(first)
	}
}

// absent is the place of rows that are not in the training set.
const absent = math.MaxInt32

// A group of a column is the rows of one value, given by its start: the index in the order of the
// column of the first of them.

// groupBefore returns the group of the row at index end-1 of the order of column c.
func (c *column) groupBefore(end int32) int32 {
	v := c.at(end - 1)
	return int32(sort.Search(int(end), func(i int) bool { return c.at(int32(i)) >= v }))
}

// firstOf returns the first place in the training set of a row of a group of column k, or absent.
// Few groups of a column are asked for, so that places of all would be a waste of memory.
func (p *problem) firstOf(k, group int32) int32 {
	if at, ok := p.first[k][group]; ok {
		return at
	}
	if len(p.place) == 0 {
		p.place = scratch.Resize(p.place, p.rows)
		for r := range p.place {
			p.place[r] = absent
		}
		for i, r := range p.set {
			p.place[r] = min(p.place[r], int32(i))
		}
	}
	c, at := &p.cols[k], int32(absent)
	v := c.at(group)
	for _, r := range c.order[group:] {
		if c.x[r] != v {
			break
		}
		at = min(at, p.place[r])
	}
	if p.first[k] == nil {
		p.first[k] = make(map[int32]int32)
	}
	p.first[k][group] = at
	return at
}

// closeThreshold returns the value at which Weka's search ends, and the greatest value of the table
// that is not above it. The search looks at the rows of the training set one after another, and
// takes each value that is not above mid and greater than the one it has.
//
// As it always has a value that is not smaller than the greatest one it has seen, it takes new
// greatest ones only, and each that is greater than the one before. So those from the last such
// value on decide.
func (p *problem) closeThreshold(k int32, mid float64) (cut, most float64) {
	c := &p.cols[k]
	g, first := c.above(mid), int32(absent)
	for g > 0 && first == absent {
		g = c.groupBefore(g)
		first = p.firstOf(k, g)
	}
	if first == absent {
		return -math.MaxFloat64, math.Inf(-1)
	}
	// The greatest ones from the last to that, in descending order.
	p.chain = append(p.chain[:0], g)
	for u := g; u > 0 && !gr(c.at(g), c.at(u-1)); {
		u = c.groupBefore(u)
		if at := p.firstOf(k, u); at < first {
			g, first = u, at
			p.chain = append(p.chain, g)
		}
	}
	cut = c.at(g)
	for i := len(p.chain) - 2; i >= 0; i-- {
		if x := c.at(p.chain[i]); gr(x, cut) {
			cut = x
		}
	}
	return cut, c.at(c.above(cut) - 1)
}

// above returns the index in the order of c of the first row whose value is above limit, beyond the
// tolerance.
func (c *column) above(limit float64) int32 {
	return int32(sort.Search(len(c.order), func(i int) bool { return !smEq(c.at(int32(i)), limit) }))
}
