package c45

import "github.com/learnbench/learnbench/learntest/learner/internal/scratch"

// prune prunes the subtree, from the bottom, and sets its estimated errors.
func (g *grower) prune(id int32) {
	n := &g.nodes[id]
	asLeaf := g.leafErrors(n)
	if n.split == leaf {
		n.est = asLeaf
		return
	}
	asTree := 0.0
	for b := range n.num {
		g.prune(n.first + b)
		asTree += g.nodes[n.first+b].est
	}
	largest := n.first + largestBag(g.perBag(n))
	raise := !g.cfg.NoRaising
	asBranch := 0.0
	if raise {
		asBranch = g.raisedErrors(n, largest)
	}
	switch {
	case smEq(asLeaf, asTree+0.1) && (!raise || smEq(asLeaf, asBranch+0.1)):
		n.split = leaf
		n.est = asLeaf
	case raise && smEq(asBranch, asTree+0.1):
		b := &g.nodes[largest]
		n.split, n.cut, n.first, n.dist = b.split, b.cut, b.first, b.dist
		n.test, n.col, n.last, n.num = b.test, b.col, b.last, b.num
		g.resum(id)
		g.prune(id)
	default:
		n.est = asTree
	}
}

// leafErrors returns the estimated errors of a node as a leaf.
func (g *grower) leafErrors(n *gnode) float64 {
	total := g.dist[n.dist]
	if n.whole {
		return g.estimate(int32(total), int32(n.wrong))
	}
	return g.est.errors(total, n.wrong)
}

// largestBag returns the last of the branches of greatest weight.
func largestBag(bags []float64) int32 {
	best, most := 0, 0.0
	for b, w := range bags {
		if grEq(w, most) {
			best, most = b, w
		}
	}
	return int32(best)
}

// resum sets the distributions of the subtree anew from the instances of its
// root.
func (g *grower) resum(id int32) {
	n := &g.nodes[id]
	n.resummed = true
	if n.split == leaf {
		n.test = leaf
		g.sumLeaf(n)
		return
	}
	if n.whole {
		g.resumWhole(n)
	} else {
		x := g.part(n.lo, n.hi)
		g.sumSplit(n, x, x)
		g.hand(n)
	}
	for b := range n.num {
		child := &g.nodes[n.first+b]
		child.sorted, child.whole = false, n.whole
		g.resum(n.first + b)
	}
}

// resumWhole sets the distribution of a whole node that is split, and hands its
// instances to its children, without moving them to another place.
func (g *grower) resumWhole(n *gnode) {
	c, pos := &g.cols[n.col], g.pos[n.lo:n.hi]
	g.where = scratch.Resize(g.where, len(pos))
	g.cells = scratch.Resize(g.cells, int(n.num)*g.classes)
	clear(g.cells)
	for i, q := range pos {
		b := n.bagOf(c, q)
		g.where[i] = b
		g.cells[int(b)*g.classes+int(g.class[q])]++
	}
	children := g.nodes[n.first:][:n.num]
	g.setSplit(n, children, g.cells, g.scan.all())
	g.start = scratch.Resize(g.start, int(n.num))
	for b := range g.start {
		g.start[b] = children[b].lo - n.lo
	}
	g.rows = append(g.rows[:0], pos...)
	for i, q := range g.rows {
		b := g.where[i]
		pos[g.start[b]] = q
		g.start[b]++
	}
}
