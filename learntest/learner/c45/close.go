package c45

import (
	"math"
	"sort"

	"github.com/learnbench/learnbench/learntest/learner/internal/scratch"
)

// close finds thresholds in columns in which equality of two values is not transitive, so that
// the order of the rows matters.
type close struct {
	place []int32           // of each row its first place in the training set, empty if not known
	first []map[int32]int32 // of each column and code the first place, as far as anybody has asked
	chain []int32           // codes
}

func (t *close) load(columns int) {
	t.place, t.first = t.place[:0], scratch.Resize(t.first, columns)
	for _, first := range t.first {
		clear(first)
	}
}

// absent is the place of rows that are not in the training set.
const absent = math.MaxInt32

// firstOf returns the first place in the training set of a row with code v in column k, or absent.
// Few codes of a column are asked for, so that places of all would be a waste of memory.
func (p *problem) firstOf(k, v int32) int32 {
	if at, ok := p.first[k][v]; ok {
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
	begin := sort.Search(len(c.order), func(i int) bool { return c.code[c.order[i]] >= v })
	for _, r := range c.order[begin:] {
		if c.code[r] != v {
			break
		}
		at = min(at, p.place[r])
	}
	if p.first[k] == nil {
		p.first[k] = make(map[int32]int32)
	}
	p.first[k][v] = at
	return at
}

// closeThreshold returns the value at which Weka's search ends, and the greatest code that is not
// above it. The search looks at the rows of the training set one after another, and takes each
// value that is not above mid and greater than the one it has.
//
// As it always has a value that is not smaller than the greatest one it has seen, it takes new
// greatest ones only, and each that is greater than the one before. So those from the last such
// value on decide.
func (p *problem) closeThreshold(k int32, mid float64) (cut float64, last int32) {
	c := &p.cols[k]
	v := int32(sort.Search(int(c.card), func(v int) bool { return !smEq(c.values[v], mid) })) - 1
	first := int32(absent)
	for ; v >= 0; v-- {
		if first = p.firstOf(k, v); first != absent {
			break
		}
	}
	if v < 0 {
		return -math.MaxFloat64, -1
	}
	// The greatest ones from the last to that, in descending order.
	p.chain = append(p.chain[:0], v)
	for u := v - 1; u >= 0 && !gr(c.values[v], c.values[u]); u-- {
		if at := p.firstOf(k, u); at < first {
			v, first = u, at
			p.chain = append(p.chain, v)
		}
	}
	cut = c.values[v]
	for i := len(p.chain) - 2; i >= 0; i-- {
		if x := c.values[p.chain[i]]; gr(x, cut) {
			cut, v = x, p.chain[i]
		}
	}
	above := sort.Search(int(c.card-v), func(i int) bool { return !smEq(c.values[int(v)+i], cut) })
	return cut, v + int32(above) - 1
}
