package neighbor

import (
	"cmp"
	"math"
	"slices"
)

// A candidate is a point with its squared distance to the query.
type candidate struct {
	distance float64
	point    int32
}

// Nearest collects the points whose distance is at most the k-th smallest.
type nearest struct {
	k     int
	bound float64   // the k-th smallest distance so far, +Inf before there are k
	heap  []float64 // the k smallest distances, the greatest first; unused if k = 1
	found []candidate
	limit int // number of candidates at which those beyond bound are dropped
}

func (f *nearest) reset(k int) {
	f.k, f.bound = k, math.Inf(1)
	f.heap, f.found = f.heap[:0], f.found[:0]
	f.limit = 4*k + 64
}

// add takes a point into account, unless its distance exceeds f.bound.
func (f *nearest) add(distance float64, point int32) {
	if distance > f.bound {
		return
	}
	if f.k == 1 {
		if distance < f.bound {
			f.bound = distance
			f.found = f.found[:0]
		}
		f.found = append(f.found, candidate{distance, point})
		return
	}
	f.found = append(f.found, candidate{distance, point})
	f.push(distance)
	if len(f.found) >= f.limit {
		f.finish()
		f.limit = 2*len(f.found) + 64
	}
}

// intBound returns the bound for distances that are integers.
func (f *nearest) intBound() int {
	if f.bound > math.MaxInt32 {
		return math.MaxInt
	}
	return int(f.bound)
}

// push keeps the k smallest distances in the heap.
func (f *nearest) push(distance float64) {
	h := f.heap
	if len(h) < f.k {
		h = append(h, distance)
		for i := len(h) - 1; i > 0 && h[(i-1)/2] < h[i]; i = (i - 1) / 2 {
			h[i], h[(i-1)/2] = h[(i-1)/2], h[i]
		}
		f.heap = h
		if len(h) == f.k {
			f.bound = h[0]
		}
		return
	}
	h[0] = distance
	for i := 0; ; {
		child := 2*i + 1
		if child >= len(h) {
			break
		}
		if child+1 < len(h) && h[child+1] > h[child] {
			child++
		}
		if h[i] >= h[child] {
			break
		}
		h[i], h[child] = h[child], h[i]
		i = child
	}
	f.bound = h[0]
}

// finish drops the candidates beyond the bound.
func (f *nearest) finish() {
	f.found = slices.DeleteFunc(f.found, func(c candidate) bool { return c.distance > f.bound })
}

// sort puts the neighbours in an order that does not depend on that of the
// points, except for points that vote alike.
func (f *nearest) sort(class []int32, weight []float64) {
	slices.SortFunc(f.found, func(a, b candidate) int {
		if a.distance != b.distance {
			return cmp.Compare(a.distance, b.distance)
		}
		if class[a.point] != class[b.point] {
			return cmp.Compare(class[a.point], class[b.point])
		}
		if len(weight) > 0 {
			return cmp.Compare(weight[a.point], weight[b.point])
		}
		return 0
	})
}
