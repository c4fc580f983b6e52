// Package mdl divides numeric attributes into intervals by their classes.
package mdl

import (
	"math"
	"slices"

	"github.com/learnbench/learnbench/learntest/learner/internal/detmath"
	"github.com/learnbench/learnbench/learntest/learner/internal/entropy"
)

// Values are the known values of an attribute in ascending order with their
// classes.
type Values struct {
	X       []float64
	Class   []int32
	Weight  []float64 // nil if all are 1
	Classes int
}

// A Finder finds cut points. Its memory is reused from one call to the next.
type Finder struct {
	v     Values
	table *entropy.Table
	side  [2]counts
	best  [2]counts
	prior counts
	step  []int32
	logs  []float64 // log₂(3^k - 2)
}

// counts are the weights of the classes.
type counts []float64

// Cuts appends to dst the cut points of the values in ascending order. They
// are those of Fayyad & Irani [1], in the reading of Weka: an interval of N
// values, of weight W, is cut at the midpoint of the two neighbours between
// which the entropy of the classes, averaged over both sides, is least (the
// first of ties), if the gain exceeds
//
//	(log₂(N-1) + log₂(3^k-2) - (k E - k₁E₁ - k₂E₂)) / W
//
// with k classes of entropy E in the interval, and k₁, E₁, k₂, E₂ on its
// sides; and both sides are divided in the same way. table must reach to the
// number of values.
//
// [1] U. M. Fayyad & K. B. Irani, Multi-interval discretization of
// continuous-valued attributes for classification learning, IJCAI 1993,
// 1022-1027.
func (f *Finder) Cuts(dst []float64, v Values, table *entropy.Table) []float64 {
	f.v, f.table = v, table
	for i := range f.side {
		f.side[i] = slices.Grow(f.side[i][:0], v.Classes)[:v.Classes]
		f.best[i] = slices.Grow(f.best[i][:0], v.Classes)[:v.Classes]
	}
	f.prior = slices.Grow(f.prior[:0], v.Classes)[:v.Classes]
	dst = f.divide(dst, 0, len(v.X))
	f.v, f.table = Values{}, nil
	return dst
}

// divide appends the cut points of the values lo to hi.
func (f *Finder) divide(dst []float64, lo, hi int) []float64 {
	if hi-lo < 2 {
		return dst
	}
	left, right := f.side[0], f.side[1]
	clear(left)
	clear(right)
	weight := 0.0
	for i := lo; i < hi; i++ {
		w := f.weight(i)
		weight += w
		right[f.v.Class[i]] += w
	}
	copy(f.prior, right)
	before := f.entropy(f.prior)
	after, at := f.search(lo, hi, before)
	if at == 0 || !f.accept(before, after, weight, hi-lo) {
		return dst
	}
	cut := (f.v.X[at-1] + f.v.X[at]) / 2
	dst = f.divide(dst, lo, at)
	dst = append(dst, cut)
	return f.divide(dst, at, hi)
}

func (f *Finder) weight(i int) float64 {
	if f.v.Weight == nil {
		return 1
	}
	return f.v.Weight[i]
}

// search finds the cut of least entropy below that of the uncut interval. The
// values from at on are above it; at is 0 if there is none.
func (f *Finder) search(lo, hi int, before float64) (least float64, at int) {
	left, right := f.side[0], f.side[1]
	least = before
	for i := lo; i < hi-1; i++ {
		w, y := f.weight(i), f.v.Class[i]
		left[y] += w
		right[y] -= w
		if f.v.X[i] < f.v.X[i+1] {
			if e := f.split(f.side); e < least {
				least, at = e, i+1
				copy(f.best[0], left)
				copy(f.best[1], right)
			}
		}
	}
	return least, at
}

// accept reports whether the gain of the best cut is worth its description.
func (f *Finder) accept(before, after, weight float64, n int) bool {
	k, k1, k2 := present(f.prior), present(f.best[0]), present(f.best[1])
	e1, e2 := f.entropy(f.best[0]), f.entropy(f.best[1])
	delta := f.logOf(k) - (float64(float64(k)*before) - float64(float64(k2)*e2) - float64(float64(k1)*e1))
	return before-after > (detmath.Log(float64(n-1))/math.Ln2+delta)/weight
}

// present returns the number of classes of positive weight.
func present(c counts) int {
	k := 0
	for _, w := range c {
		if w > 0 {
			k++
		}
	}
	return k
}

// logOf returns log₂(3^k - 2).
func (f *Finder) logOf(k int) float64 {
	for len(f.logs) <= k {
		f.logs = append(f.logs, detmath.Log(math.Pow(3, float64(len(f.logs)))-2)/math.Ln2)
	}
	return f.logs[k]
}

// ln returns x ln x, 0 for x below 1e-6.
func (f *Finder) ln(x float64) float64 {
	if k := int(x); float64(k) == x && k < len(f.table.Ln) {
		return f.table.Ln[k]
	}
	if x < 1e-6 {
		return 0
	}
	return x * detmath.Log(x)
}

// entropy returns the entropy of the classes in bits.
func (f *Finder) entropy(c counts) float64 {
	sum, e := 0.0, 0.0
	for _, w := range c {
		e -= f.ln(w)
		sum += w
	}
	if sum < 1e-6 {
		return 0
	}
	return (e + f.ln(sum)) / (sum * math.Ln2)
}

// split returns the entropy of the classes in bits, averaged over both sides.
func (f *Finder) split(side [2]counts) float64 {
	total, e := 0.0, 0.0
	for _, c := range side {
		sum := 0.0
		for _, w := range c {
			e += f.ln(w)
			sum += w
		}
		e -= f.ln(sum)
		total += sum
	}
	if total < 1e-6 {
		return 0
	}
	return -e / (total * math.Ln2)
}
