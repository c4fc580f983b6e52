package c45

import (
	"math"
	"sort"

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
	closeness
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
	p.closeness.load(len(f.cols))
	all := true
	for k := range f.cols {
		c := &f.cols[k]
		p.many[k] = c.nominal && !sm(float64(c.card), 0.3*float64(p.n))
		all = all && p.many[k]
	}
	if all {
		clear(p.many)
	}
}

// sort sets list to the sorted keys of a numeric column for the training set.
func (p *problem) sort(c *column, list []key) {
	i, code, one, mask := 0, key(0), key(1)<<p.rowBits, p.codes<<p.rowBits
	tags, shift := p.tags, p.classShift&31
	for j, rises := range c.rises {
		for _, q := range c.order[64*j : min(64*j+64, len(c.order))] {
			if i == len(list) {
				return
			}
			code += one & -key(rises&1)
			rises >>= 1
			y := tags[q]
			k := code&mask | key(y)<<shift | key(q)
			if p.again {
				if y >= 0 {
					for range p.times[q] {
						list[i] = k
						i++
					}
				}
				continue
			}
			list[i] = k
			i += int(^uint32(y) >> 31) // 1 if it occurs, without a branch
		}
	}
}

// threshold returns the threshold of a split of column k between two values that are neighbours at
// a node: the greatest value of the whole training set that is not above their midpoint. It also
// returns the greatest value that is not above the threshold, beyond the tolerance.
func (p *problem) threshold(k int32, lower, upper float64) (cut, most float64) {
	c := &p.cols[k]
	mid := (upper + lower) / 2
	if math.IsInf(mid, 0) {
		mid = float64(upper/2) + float64(lower/2)
	}
	if mid == upper {
		mid = lower
	}
	if c.minGap < closeGap {
		if cut, most = p.closeThreshold(k, mid); most < lower { // nothing would go left
			return lower, lower
		}
		return cut, most
	}
	end := sort.Search(len(c.order), func(i int) bool {
		x := c.at(int32(i))
		return !(x < upper && smEq(x, mid))
	})
	for i := int32(end) - 1; i >= 0; i-- {
		if x := c.at(i); x <= lower {
			break
		} else if p.tags[c.order[i]] >= 0 {
			return x, x
		}
	}
	return lower, lower
}

// extend returns s with n more elements, whose values are not set.
func extend[T any](s []T, n int) []T {
	return scratch.Resize(s, len(s)+n)
}
