package neighbor

import (
	"cmp"
	"math"
	"slices"

	"github.com/learnbench/learnbench/learntest/learner/internal/scratch"
)

// A candidate is a point with its squared distance to the query.
type candidate struct {
	distance float64
	point    int32
}

// nearest collects the points whose distance is at most the k-th smallest.
//
// It keeps k points in a heap and those at the same distance as the k-th
// beside it. Weka does so, too, and if points are added in its order, the
// neighbours come out in its order.
type nearest struct {
	k     int
	bound float64     // the k-th smallest distance so far, +Inf before there are k
	heap  []candidate // the k nearest, the farthest first
	ties  []candidate // others at the distance bound, in the order of their addition
	found []candidate // the result
}

func (f *nearest) reset(k int) {
	f.k, f.bound = k, math.Inf(1)
	f.heap, f.ties = f.heap[:0], f.ties[:0]
}

// add takes a point into account. It does nothing if the distance exceeds
// f.bound.
func (f *nearest) add(distance float64, point int32) {
	c := candidate{distance, point}
	switch {
	case len(f.heap) < f.k:
		f.put(c)
		if len(f.heap) == f.k {
			f.bound = f.heap[0].distance
		}
	case distance < f.bound && f.k == 1:
		f.heap[0], f.bound = c, distance
		f.ties = f.ties[:0]
	case distance < f.bound:
		out := f.take()
		f.put(c)
		f.bound = f.heap[0].distance
		if out.distance == f.bound {
			f.ties = append(f.ties, out)
		} else {
			f.ties = f.ties[:0]
		}
	case distance == f.bound:
		f.ties = append(f.ties, c)
	}
}

// put adds an element to the heap.
func (f *nearest) put(c candidate) {
	h := append(f.heap, c)
	f.heap = h
	for i := len(h) - 1; i > 0; {
		parent := (i - 1) / 2
		if h[i].distance <= h[parent].distance {
			return
		}
		h[i], h[parent] = h[parent], h[i]
		i = parent
	}
}

// take removes the farthest element from the heap.
func (f *nearest) take() candidate {
	h := f.heap
	out, last := h[0], len(h)-1
	h[0] = h[last]
	h = h[:last]
	f.heap = h
	for i := 0; ; {
		child := 2*i + 1
		if child+1 < len(h) && h[child].distance <= h[child+1].distance {
			child++
		}
		if child >= len(h) || h[i].distance >= h[child].distance {
			return out
		}
		h[i], h[child] = h[child], h[i]
		i = child
	}
}

// finish sets f.found to the neighbours in ascending order of their distances.
func (f *nearest) finish() {
	n := len(f.heap)
	f.found = append(scratch.Resize(f.found, n), f.ties...)
	for i := n - 1; i >= 0; i-- {
		f.found[i] = f.take()
	}
}

// sort puts the neighbours in an order that does not depend on the order of the points, except
// for points that vote alike.
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
