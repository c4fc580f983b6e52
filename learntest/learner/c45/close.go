package c45

import (
	"math"
	"sort"

	"github.com/learnbench/learnbench/learntest/learner/internal/scratch"
)

// close finds thresholds in columns in which equality of two values is not transitive, so that
// the order of the rows matters.
type close struct {
	first [][]int32 // of each column and code its first place in the training set, empty if they are not known
	chain []int32   // codes
}

func (t *close) load(columns int) {
	t.first = scratch.Resize(t.first, columns)
	for k := range t.first {
		t.first[k] = t.first[k][:0]
	}
}

// firstOf returns for each code of column k its first place in the training set, which is no less than
// its size if there is none.
func (p *problem) firstOf(k int32) []int32 {
	if len(p.first[k]) > 0 {
		return p.first[k]
	}
	c := &p.cols[k]
	first := scratch.Resize(p.first[k], int(c.card)+1)
	for v := range first {
		first[v] = math.MaxInt32
	}
	for i, q := range p.set {
		if v := c.code[q]; first[v] == math.MaxInt32 {
			first[v] = int32(i)
		}
	}
	p.first[k] = first
	return first
}

// closeThreshold returns the value at which Weka's search ends, and the greatest code that is not
// above it. The search looks at the rows of the training set one after another, and takes each
// value that is not above mid and greater than the one it has.
//
// As it always has a value that is not smaller than the greatest one it has seen, it takes new greatest
// ones only, and each that is greater than the one before. So those from the last such value on decide.
func (p *problem) closeThreshold(k int32, mid float64) (cut float64, last int32) {
	c, first := &p.cols[k], p.firstOf(k)
	v := int32(sort.Search(int(c.card), func(v int) bool { return !smEq(c.values[v], mid) })) - 1
	for v >= 0 && first[v] == math.MaxInt32 {
		v--
	}
	if v < 0 {
		return -math.MaxFloat64, -1
	}
	// The greatest ones from the last to that, in descending order.
	p.chain = append(p.chain[:0], v)
	for u := v - 1; u >= 0 && !gr(c.values[v], c.values[u]); u-- {
		if first[u] < first[v] {
			v = u
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
