package neighbor

import "github.com/learnbench/learnbench/learntest/learner/internal/scratch"

const (
	// leafPoints is the number of points that are not divided any further.
	leafPoints = 16

	// minTreePoints is the least number of points for which a tree is built.
	minTreePoints = 32
)

// A tree divides points by hyperplanes, each across one numeric attribute.
// The points of a node are consecutive.
type tree struct {
	nodes []node // in depth-first order; empty if there is no tree

	// Scratch.
	keys  []key
	sums  []float64
	x     []float64
	rows  []int32
	place []int32
}

// A node is a cell of the tree. The first child of an inner node follows it.
type node struct {
	from, to int32 // its points
	slot     int32 // the attribute that divides it, or -1 for a leaf
	second   int32 // index of the second child

	// The first child's point of the greatest value and the second child's of
	// the smallest. The gap between them is free of points.
	last, first int32
	low, high   float64 // their values
}

// A key is a point with its value in the slot that is being divided.
type key struct {
	value float64
	point int32
}

// buildTree puts the points into a tree over their full coordinates and
// reorders them accordingly. It leaves the tree empty where nominal or missing
// values would let it exclude few points.
func (p *points) buildTree() {
	t := &p.tree
	n := len(p.rows)
	if p.dc > 0 || 2*p.full < p.dx || n < minTreePoints {
		return
	}
	t.keys = scratch.Resize(t.keys, n)
	for i := range t.keys {
		t.keys[i].point = int32(i)
	}
	t.sums = scratch.Resize(t.sums, 2*p.full)
	p.divide(0, n)
	p.permute()
}

// divide makes a node of keys[from:to] and its descendants.
func (p *points) divide(from, to int) {
	t := &p.tree
	at := len(t.nodes)
	t.nodes = append(t.nodes, node{from: int32(from), to: int32(to), slot: -1})
	if to-from <= leafPoints {
		return
	}
	slot := p.widest(t.keys[from:to])
	if slot < 0 {
		return
	}
	keys := t.keys[from:to]
	for i := range keys {
		keys[i].value = p.x[int(keys[i].point)*p.dx+slot]
	}
	cut := from + cutKeys(keys)
	last, first := from, cut
	for i := from; i < cut; i++ {
		if t.keys[i].value > t.keys[last].value {
			last = i
		}
	}
	for i := cut; i < to; i++ {
		if t.keys[i].value < t.keys[first].value {
			first = i
		}
	}
	nd := &t.nodes[at]
	nd.slot = int32(slot)
	nd.low, nd.high = t.keys[last].value, t.keys[first].value
	nd.last, nd.first = t.keys[last].point, t.keys[first].point
	p.divide(from, cut)
	t.nodes[at].second = int32(len(t.nodes))
	p.divide(cut, to)
}

// widest returns the slot whose values spread most, or -1 if all points are
// equal.
func (p *points) widest(keys []key) int {
	sum, squares := p.tree.sums[:p.full], p.tree.sums[p.full:]
	clear(sum)
	clear(squares)
	ref := p.x[int(keys[0].point)*p.dx:][:p.full]
	step := (len(keys) + sampled - 1) / sampled
	n := 0.0
	for i := 0; i < len(keys); i += step {
		n++
		x := p.x[int(keys[i].point)*p.dx:][:p.full]
		for j, v := range x {
			v -= ref[j]
			sum[j] += v
			squares[j] += float64(v * v)
		}
	}
	slot, most := -1, 0.0
	for j := range sum {
		if s := squares[j] - sum[j]*sum[j]/n; squares[j] > 0 && (slot < 0 || s > most) {
			slot, most = j, s
		}
	}
	return slot
}

// cutKeys reorders keys, not all of which are equal, and returns c such that
// all values before c are less than those from c on; c is near the middle.
func cutKeys(keys []key) int {
	lo, hi := 0, len(keys)
	middle := len(keys) / 2
	for {
		// All before lo are less than, all from hi on greater than, those
		// between.
		pivot := median(keys[lo].value, keys[(lo+hi)/2].value, keys[hi-1].value)
		less, equal := lo, lo
		for i := lo; i < hi; i++ { // three ways: less, equal, greater
			k := keys[i]
			if k.value > pivot {
				continue
			}
			keys[i] = keys[equal]
			if k.value < pivot {
				keys[equal] = keys[less]
				keys[less] = k
				less++
			} else {
				keys[equal] = k
			}
			equal++
		}
		switch {
		case middle < less:
			hi = less
		case middle >= equal:
			lo = equal
		case less == 0:
			return equal
		case equal == len(keys):
			return less
		case middle-less <= equal-middle:
			return less
		default:
			return equal
		}
	}
}

func median(a, b, c float64) float64 {
	return max(min(a, b), min(max(a, b), c))
}

// permute puts the points in the order of the keys.
func (p *points) permute() {
	t := &p.tree
	t.x = scratch.Resize(t.x, len(p.x))
	t.rows = scratch.Resize(t.rows, len(p.rows))
	t.place = scratch.Resize(t.place, len(p.rows))
	for i, k := range t.keys {
		copy(t.x[i*p.dx:(i+1)*p.dx], p.x[int(k.point)*p.dx:])
		t.rows[i] = p.rows[k.point]
		t.place[k.point] = int32(i)
	}
	p.x, t.x = t.x, p.x
	p.rows, t.rows = t.rows, p.rows
	for i := range t.nodes {
		if nd := &t.nodes[i]; nd.slot >= 0 {
			nd.last, nd.first = t.place[nd.last], t.place[nd.first]
		}
	}
}

// renewTree takes the values at which nodes are divided from the points, whose coordinates in
// a slot have been normalised anew. Their order does not change.
func (p *points) renewTree(slot int) {
	for i := range p.tree.nodes {
		nd := &p.tree.nodes[i]
		if int(nd.slot) == slot {
			nd.low, nd.high = p.x[int(nd.last)*p.dx+slot], p.x[int(nd.first)*p.dx+slot]
		}
	}
}
