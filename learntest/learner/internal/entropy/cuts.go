package entropy

import (
	"math"

	"github.com/learnbench/learnbench/learntest/learner/internal/detmath"
	"github.com/learnbench/learnbench/learntest/learner/internal/scratch"
)

// Values are the known values of a numeric attribute in ascending order with their
// classes.
type Values struct {
	X       []float64
	Class   []int32
	Weight  []float64 // nil if all are 1
	Classes int
}

// A CutFinder finds cut points. Its memory is reused from one call to the next.
type CutFinder struct {
	v     Values
	table *Table
	left  []float64 // weights of the classes on either side of a cut
	right []float64
	best  [2][]float64 // the weights for the best cut
	prior []float64
	sides []sides
	logs  []float64 // log₂(3^k - 2)
}

// sides are the numbers of values of a class on either side of a cut.
type sides struct{ left, right int32 }

// Cuts appends to dst the cut points of the values in ascending order. The algorithm is by
// Fayyad & Irani [1], in the reading of Weka: an interval of N values, of weight W, is cut at
// the midpoint of the two neighbours between which the entropy of the classes, averaged over
// both sides, is least (the first of ties), if the gain exceeds
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
func (f *CutFinder) Cuts(dst []float64, v Values, table *Table) []float64 {
	f.v, f.table = v, table
	for _, s := range []*[]float64{&f.left, &f.right, &f.best[0], &f.best[1], &f.prior} {
		*s = scratch.Resize(*s, v.Classes)
	}
	f.sides = scratch.Resize(f.sides, v.Classes)
	dst = f.divide(dst, 0, len(v.X))
	f.v, f.table = Values{}, nil
	return dst
}

// divide appends the cut points of the values lo to hi.
func (f *CutFinder) divide(dst []float64, lo, hi int) []float64 {
	if hi-lo < 2 || f.v.X[lo] == f.v.X[hi-1] {
		return dst
	}
	clear(f.prior)
	weight := 0.0
	for i := lo; i < hi; i++ {
		w := 1.0
		if f.v.Weight != nil {
			w = f.v.Weight[i]
		}
		weight += w
		f.prior[f.v.Class[i]] += w
	}
	before := f.entropy(f.prior)
	var after float64
	var at int
	if f.v.Weight == nil {
		after, at = f.searchCounts(lo, hi, before)
	} else {
		after, at = f.searchWeights(lo, hi, before)
	}
	if at == 0 || !f.accept(before, after, weight, hi-lo) {
		return dst
	}
	cut := (f.v.X[at-1] + f.v.X[at]) / 2
	if math.IsInf(cut, 0) {
		cut = float64(f.v.X[at-1]/2) + float64(f.v.X[at]/2)
	}
	dst = f.divide(dst, lo, at)
	dst = append(dst, cut)
	return f.divide(dst, at, hi)
}

// searchWeights finds the cut of least entropy, below the entropy of the uncut interval. The
// values from at on are above it; at is 0 if there is none.
func (f *CutFinder) searchWeights(lo, hi int, before float64) (least float64, at int) {
	clear(f.left)
	copy(f.right, f.prior)
	least = before
	for i := lo; i < hi-1; i++ {
		w, y := f.v.Weight[i], f.v.Class[i]
		f.left[y] += w
		f.right[y] -= w
		if f.v.X[i] < f.v.X[i+1] {
			if e := f.split(); e < least {
				least, at = e, i+1
				copy(f.best[0], f.left)
				copy(f.best[1], f.right)
			}
		}
	}
	return least, at
}

// searchCounts is searchWeights for weights of 1. Sums of integers tell which
// cuts are as good as the best one so far, or so nearly that rounding decides;
// only for these it evaluates the entropy.
func (f *CutFinder) searchCounts(lo, hi int, before float64) (least float64, at int) {
	fixed, step := f.table.Fixed, f.table.Step
	n := hi - lo
	sum := int64(0)
	for y, w := range f.prior {
		f.sides[y] = sides{right: int32(w)}
		sum += fixed[int32(w)]
	}
	margin := fixed[n]>>40 + 1<<10 // more than the errors of entropies
	bound := sum - fixed[n] - margin
	least = before
	x, class := f.v.X[lo:hi], f.v.Class[lo:hi]
	for i, y := range class[:n-1] {
		d := &f.sides[y]
		left, right := d.left, d.right-1
		d.left, d.right = left+1, right
		sum += step[left] - step[right]
		if v := sum - fixed[i+1] - fixed[n-1-i]; v >= bound && x[i] < x[i+1] {
			for y, d := range f.sides {
				f.left[y], f.right[y] = float64(d.left), float64(d.right)
			}
			bound = max(bound, v-margin)
			if e := f.split(); e < least {
				least, at = e, lo+i+1
				copy(f.best[0], f.left)
				copy(f.best[1], f.right)
			}
		}
	}
	return least, at
}

// accept reports whether the gain of the best cut is worth its description.
func (f *CutFinder) accept(before, after, weight float64, n int) bool {
	k, k1, k2 := present(f.prior), present(f.best[0]), present(f.best[1])
	e1, e2 := f.entropy(f.best[0]), f.entropy(f.best[1])
	delta := f.logOf(k) - (float64(float64(k)*before) - float64(float64(k2)*e2) - float64(float64(k1)*e1))
	return before-after > (detmath.Log(float64(n-1))/math.Ln2+delta)/weight
}

// present returns the number of classes of positive weight.
func present(classes []float64) int {
	k := 0
	for _, w := range classes {
		if w > 0 {
			k++
		}
	}
	return k
}

// logOf returns log₂(3^k - 2).
func (f *CutFinder) logOf(k int) float64 {
	for len(f.logs) <= k {
		power := 1.0
		for range len(f.logs) {
			power *= 3
		}
		f.logs = append(f.logs, detmath.Log(power-2)/math.Ln2)
	}
	return f.logs[k]
}

// ln returns x ln x, 0 for x below 1e-6.
func (f *CutFinder) ln(x float64) float64 {
	if x < 1e-6 {
		return 0
	}
	if k := int(x); float64(k) == x && k < len(f.table.Ln) {
		return f.table.Ln[k]
	}
	return x * detmath.Log(x)
}

// entropy returns the entropy of the classes in bits.
func (f *CutFinder) entropy(classes []float64) float64 {
	sum, e := 0.0, 0.0
	for _, w := range classes {
		e -= f.ln(w)
		sum += w
	}
	if sum < 1e-6 {
		return 0
	}
	return (e + f.ln(sum)) / float64(sum*math.Ln2)
}

// split returns the entropy of the classes in bits, averaged over both sides.
func (f *CutFinder) split() float64 {
	total, e := 0.0, 0.0
	for _, side := range [2][]float64{f.left, f.right} {
		sum := 0.0
		for _, w := range side {
			e += f.ln(w)
			sum += w
		}
		e -= f.ln(sum)
		total += sum
	}
	if total < 1e-6 {
		return 0
	}
	return -e / float64(total*math.Ln2)
}
