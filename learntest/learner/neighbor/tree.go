package neighbor

import "slices"

const (
	// leafPoints is the number of points that are not divided any further.
	leafPoints = 16

	// minTreePoints is the least number of points for which a tree is built.
	minTreePoints = 32

	// sampled bounds the number of points by which a hyperplane is chosen.
	sampled = 24

	// slack makes up for rounding in lower bounds of distances.
	slack = 1 + 1e-11
)

// A tree divides points by hyperplanes, each across one numeric attribute.
// The points of a node are consecutive.
type tree struct {
	nodes  []node // in depth-first order; empty if there is no tree
	points int    // number of points in the tree; those after them have missing values

	keys []treeKey
	row  []float64 // scratch
	side []float64 // distance of the query to the current cell, by attribute
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

type treeKey struct {
	value float64
	point int32
}

// buildTree puts the points into a tree and permutes them accordingly.
func (w *workspace) buildTree() {
	n := w.moveMissing()
	t := &w.tree
	t.nodes, t.points = t.nodes[:0], 0
	if n < minTreePoints {
		return
	}
	t.points = n
	t.keys = resize(t.keys, n)
	for p := range t.keys {
		t.keys[p].point = int32(p)
	}
	t.side = resize(t.side, w.dx)
	t.row = resize(t.row, 2*w.dx)
	w.divide(0, n)
	w.permute()
}

// moveMissing moves the points with a missing value to the end and returns
// the number of the others.
func (w *workspace) moveMissing() int {
	n := len(w.rows)
	if !slices.ContainsFunc(w.attrs, func(a attribute) bool { return a.missing }) {
		return n
	}
	for p := 0; p < n; {
		x := w.x[p*w.dx : (p+1)*w.dx]
		missing := false
		for _, v := range x {
			missing = missing || v != v
		}
		if !missing {
			p++
			continue
		}
		n--
		w.rows[p], w.rows[n] = w.rows[n], w.rows[p]
		last := w.x[n*w.dx : (n+1)*w.dx]
		for j := range x {
			x[j], last[j] = last[j], x[j]
		}
	}
	return n
}

// divide makes a node of keys[from:to] and its descendants.
func (w *workspace) divide(from, to int) {
	t := &w.tree
	at := len(t.nodes)
	t.nodes = append(t.nodes, node{from: int32(from), to: int32(to), slot: -1})
	if to-from <= leafPoints {
		return
	}
	slot := w.widest(t.keys[from:to])
	if slot < 0 {
		return
	}
	keys := t.keys[from:to]
	for i := range keys {
		keys[i].value = w.x[int(keys[i].point)*w.dx+slot]
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
	w.divide(from, cut)
	t.nodes[at].second = int32(len(t.nodes))
	w.divide(cut, to)
}

// widest returns the slot whose values spread most, or -1 if all points are equal.
func (w *workspace) widest(keys []treeKey) int {
	sum, squares := w.tree.row[:w.dx], w.tree.row[w.dx:]
	clear(sum)
	clear(squares)
	ref := w.x[int(keys[0].point)*w.dx:][:w.dx]
	step := (len(keys) + sampled - 1) / sampled
	n := 0.0
	for i := 0; i < len(keys); i += step {
		n++
		x := w.x[int(keys[i].point)*w.dx:][:w.dx]
		for j, v := range x {
			v -= ref[j]
			sum[j] += v
			squares[j] += v * v
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
func cutKeys(keys []treeKey) int {
	lo, hi := 0, len(keys)
	middle := len(keys) / 2
	for {
		// All before lo are less than, all from hi on greater than, those between.
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
func (w *workspace) permute() {
	t := &w.tree
	w.moved = resize(w.moved, len(w.x))
	w.place = resize(w.place, t.points)
	w.from = resize(w.from, t.points)
	for i, k := range t.keys {
		copy(w.moved[i*w.dx:(i+1)*w.dx], w.x[int(k.point)*w.dx:])
		w.from[i] = w.rows[k.point]
		w.place[k.point] = int32(i)
	}
	copy(w.moved[t.points*w.dx:], w.x[t.points*w.dx:])
	w.x, w.moved = w.moved, w.x
	copy(w.rows, w.from)
	for i := range t.nodes {
		nd := &t.nodes[i]
		if nd.slot >= 0 {
			nd.last, nd.first = w.place[nd.last], w.place[nd.first]
		}
	}
}

// renew takes the values at which nodes are divided by a slot from the points,
// whose coordinates have been normalised anew. Their order is the same.
func (w *workspace) renewTree(slot int) {
	for i := range w.tree.nodes {
		nd := &w.tree.nodes[i]
		if int(nd.slot) == slot {
			nd.low, nd.high = w.x[int(nd.last)*w.dx+slot], w.x[int(nd.first)*w.dx+slot]
		}
	}
}

// searchTree looks at the points in the tree that may be neighbours.
func (w *workspace) searchTree() {
	clear(w.tree.side)
	w.visit(0, 0)
}

// visit looks at a node whose cell is at least at the squared distance bound
// from the query.
func (w *workspace) visit(at int, bound float64) {
	for {
		nd := &w.tree.nodes[at]
		if nd.slot < 0 {
			if w.query.missing {
				w.scan(int(nd.from), int(nd.to))
			} else {
				w.scanLeaf(int(nd.from), int(nd.to))
			}
			return
		}
		slot := nd.slot
		q := w.query.x[slot]
		if q != q { // a missing value bounds nothing
			w.visit(at+1, bound)
			at = int(nd.second)
			continue
		}
		toFirst, toSecond := max(q-nd.low, 0), max(nd.high-q, 0)
		near, far, d := at+1, int(nd.second), toSecond
		if toFirst > toSecond {
			near, far, d = int(nd.second), at+1, toFirst
		}
		w.visit(near, bound)
		side := w.tree.side[slot]
		if d > side {
			bound += d*d - side*side
			w.tree.side[slot] = d
			if bound <= w.found.bound*slack {
				w.visit(far, bound)
			}
			w.tree.side[slot] = side
			return
		}
		if bound > w.found.bound*slack {
			return
		}
		at = far
	}
}
