package c45

import "math"

// finish copies the tree to t, without the nodes that were cut off.
func (g *weighted) finish(t *tree) {
	t.nodes = append(t.nodes[:0], node{})
	t.dist = t.dist[:0]
	g.copyNode(t, 0, 0)
}

func (g *weighted) copyNode(t *tree, to, from int32) {
	n := &g.nodes[from]
	d := node{split: n.split, empty: n.empty, inexact: g.inexact(n), origin: n.origin, dist: int32(len(t.dist))}
	size := 1 + g.classes
	if n.split != leaf {
		size += int(n.num) * (1 + g.classes)
		d.cut, d.num = n.cut, n.num
		d.attr = t.attr(g.table, g.cols[n.col].col)
		d.first = int32(len(t.nodes))
		t.nodes = extend(t.nodes, int(n.num))
	}
	t.dist = append(t.dist, g.dist[n.dist:][:size]...)
	t.nodes[to] = d
	for b := range d.num {
		g.copyNode(t, d.first+b, n.first+b)
	}
}

// inexact reports whether some of the weights at n are fractions.
func (g *weighted) inexact(n *wnode) bool {
	x := g.part(n.lo, n.hi)
	for _, w := range x.wt {
		if w != math.Trunc(w) {
			return true
		}
	}
	if n.split == leaf {
		return false
	}
	c := &g.cols[n.col]
	for _, q := range x.pos {
		if c.code[q] == c.card {
			return true
		}
	}
	return false
}

// finish copies the tree to t, without the nodes that were cut off.
func (g *unit) finish(t *tree) {
	t.nodes = append(t.nodes[:0], node{})
	t.dist = t.dist[:0]
	g.copyNode(t, 0, 0)
}

func (g *unit) copyNode(t *tree, to, from int32) {
	n := &g.nodes[from]
	d := node{split: n.split, empty: n.lo == n.hi, dist: int32(len(t.dist))}
	t.dist = append(t.dist, float64(n.hi-n.lo))
	t.dist = appendCounts(t.dist, g.perClass(from))
	if n.split != leaf {
		d.cut, d.num = n.cut, n.num
		d.attr = t.attr(g.table, g.cols[n.col].col)
		d.first = int32(len(t.nodes))
		t.nodes = extend(t.nodes, int(n.num))
		for b := range n.num {
			child := &g.nodes[n.first+b]
			t.dist = append(t.dist, float64(child.hi-child.lo))
		}
		t.dist = appendCounts(t.dist, g.counts[int(n.first)*g.classes:][:int(n.num)*g.classes])
	}
	t.nodes[to] = d
	for b := range d.num {
		g.copyNode(t, d.first+b, n.first+b)
	}
}

func appendCounts(dst []float64, counts []int32) []float64 {
	for _, k := range counts {
		dst = append(dst, float64(k))
	}
	return dst
}
