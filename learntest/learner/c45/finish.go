package c45

import "math"

// finish copies the tree to t, without the nodes that were cut off.
func (g *grower) finish(t *tree) {
	t.nodes = append(t.nodes[:0], node{})
	t.dist = t.dist[:0]
	g.copyNode(t, 0, 0)
}

func (g *grower) copyNode(t *tree, to, from int32) {
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
func (g *grower) inexact(n *gnode) bool {
	if n.whole {
		return false
	}
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
