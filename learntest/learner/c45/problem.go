package c45

import (
	"math"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/learner/internal/entropy"
	"github.com/learnbench/learnbench/learntest/learner/internal/scratch"
)

// A problem is a training set. Its instances are rows of the frame.
type problem struct {
	*frame
	cfg Config
	est estimator
	tab *entropy.Table

	table   *dataset.Table
	set     []int32   // the rows, which may occur more than once
	n       int       // len(set)
	times   []int32   // how often each row occurs
	tags    []int32   // of each row its class, or -1 if it does not occur
	again   bool      // some row occurs more than once
	weight  []float64 // of each row, nil if all are 1
	missing bool      // some instances lack a value
	general bool      // no node is taken for whole, for tests
	many    []bool    // whether a column has so many values that it is left out of the average gain
	seen    [][]bool  // of each column whether a code occurs, empty if it is not known
	close
}

// load sets the problem up for a training set from f.
func (p *problem) load(f *frame, set []int32, weight []float64) {
	p.frame, p.set, p.n, p.weight = f, set, len(set), weight
	p.times, p.tags = scratch.Resize(p.times, f.rows), scratch.Resize(p.tags, f.rows)
	clear(p.times)
	for r := range p.tags {
		p.tags[r] = -1
	}
	p.again, p.missing = false, false
	for _, r := range set {
		p.times[r]++
		p.tags[r] = f.class[r]
		p.again = p.again || p.times[r] > 1
	}
	if f.lacking != nil {
		for _, r := range set {
			if f.lacking[r] {
				p.missing = true
				break
			}
		}
	}
	p.many = scratch.Resize(p.many, len(f.cols))
	p.seen = scratch.Resize(p.seen, len(f.cols))
	p.close.load(len(f.cols))
	all := true
	for k := range f.cols {
		c := &f.cols[k]
		p.seen[k] = p.seen[k][:0]
		p.many[k] = c.nominal && !sm(float64(c.card), 0.3*float64(p.n))
		all = all && p.many[k]
	}
	if all {
		clear(p.many)
	}
}

// sort sets list to the sorted keys of a numeric column for the training set.
func (p *problem) sort(c *column, list []key) {
	i, code := 0, int32(0)
	for j, q := range c.order {
		if i == len(list) {
			return
		}
		code += int32(c.rises[j/64] >> (j % 64) & 1)
		y := p.tags[q]
		if p.again {
			if y >= 0 {
				k := newKey(code, y, q)
				for range p.times[q] {
					list[i] = k
					i++
				}
			}
			continue
		}
		list[i] = newKey(code, y, q)
		i += int(^uint32(y) >> 31) // 1 if it occurs, without a branch
	}
}

// threshold returns the threshold of a split of column k between two values
// that are neighbours at a node, given by their codes: the greatest value of
// the whole training set that is not above their midpoint. It also returns the
// greatest code that is not above the threshold.
func (p *problem) threshold(k, lower, upper int32) (cut float64, last int32) {
	c := &p.cols[k]
	mid := (c.values[upper] + c.values[lower]) / 2
	if math.IsInf(mid, 0) {
		mid = float64(c.values[upper]/2) + float64(c.values[lower]/2)
	}
	if mid == c.values[upper] {
		mid = c.values[lower]
	}
	if c.minGap < closeGap {
		cut, last = p.closeThreshold(k, mid)
		if last < lower { // nothing would go left
			return c.values[lower], lower
		}
		return cut, last
	}
	seen := p.see(k)
	last = lower
	for v := upper - 1; v > lower; v-- {
		if seen[v] && smEq(c.values[v], mid) {
			last = v
			break
		}
	}
	return c.values[last], last
}

// see returns for each code of column k whether it occurs.
func (p *problem) see(k int32) []bool {
	if len(p.seen[k]) > 0 {
		return p.seen[k]
	}
	c := &p.cols[k]
	seen := scratch.Resize(p.seen[k], len(c.values)+1)
	clear(seen)
	for _, r := range p.set {
		seen[c.code[r]] = true
	}
	p.seen[k] = seen
	return seen
}

// extend returns s with n more elements, whose values are not set.
func extend[T any](s []T, n int) []T {
	return scratch.Resize(s, len(s)+n)
}
