package c45

import "github.com/learnbench/learnbench/learntest/learner/internal/scratch"

// collapse replaces nodes by leaves where that makes no more errors on the
// training set. It returns the weight of the training instances that the
// subtree, as it was, puts into the wrong class.
func (g *weighted) collapse(id int32) float64 {
	n := &g.nodes[id]
	wrong := g.wrong(n)
	if n.split == leaf {
		return wrong
	}
	sum := 0.0
	for b := range n.num {
		sum += g.collapse(n.first + b)
	}
	if sum >= wrong-1e-3 {
		n.split = leaf
	}
	return sum
}

// wrong returns the weight of the instances at n that are not of its class.
func (g *weighted) wrong(n *wnode) float64 {
	d := g.perClass(n)
	return g.dist[n.dist] - d[majority(d)]
}

// prune prunes the subtree, from the bottom, and sets its estimated errors.
func (g *weighted) prune(id int32) {
	n := &g.nodes[id]
	asLeaf := g.est.errors(g.dist[n.dist], g.wrong(n))
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
		x := g.part(n.lo, n.hi)
		g.branch.pos = append(g.branch.pos[:0], x.pos...)
		g.branch.wt = append(g.branch.wt[:0], x.wt...)
		asBranch = g.branchErrors(largest, 0, int32(len(x.pos)))
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

// branchErrors returns the estimated errors of the subtree if the instances lo
// to hi of branch passed through it.
func (g *weighted) branchErrors(id, lo, hi int32) float64 {
	n := &g.nodes[id]
	x := g.branch.part(lo, hi)
	if n.split == leaf {
		g.weigh.known = scratch.Resize(g.weigh.known, g.classes)
		d := g.weigh.known
		clear(d)
		total := 0.0
		for i, q := range x.pos {
			d[g.class[q]] += x.wt[i]
			total += x.wt[i]
		}
		return g.est.errors(total, total-d[majority(d)])
	}
	g.classify(n, x.pos)
	top := len(g.bags)
	g.bags = extend(g.bags, int(n.num))
	bags := g.bags[top:]
	clear(bags)
	total, missing := 0.0, 0.0
	for i, w := range x.wt {
		if b := g.where[i]; b >= 0 {
			bags[b] += w
			total += w
		} else {
			missing += w
		}
	}
	if missing > 0 {
		g.setShare(bags, total)
		for b, s := range g.share {
			bags[b] += float64(s * missing)
		}
	}
	g.pass(total+missing, bags, lo, hi, &g.branch)
	g.bags = g.bags[:top]
	end := len(g.ends)
	g.ends = append(g.ends, g.start...)
	sum := 0.0
	for b := range n.num {
		ends := g.ends[end+int(b):]
		sum += g.branchErrors(n.first+b, ends[0], ends[1])
	}
	first := g.ends[end]
	g.ends = g.ends[:end]
	g.branch.pos, g.branch.wt = g.branch.pos[:first], g.branch.wt[:first]
	return sum
}

// resum sets the distributions of the subtree anew from the instances of its
// root.
func (g *weighted) resum(id int32) {
	n := &g.nodes[id]
	n.resummed = true
	if n.split == leaf {
		n.test = leaf
		g.sumLeaf(n)
		return
	}
	x := g.part(n.lo, n.hi)
	g.sumSplit(n, x, x)
	g.hand(n)
	for b := range n.num {
		g.nodes[n.first+b].sorted = false
		g.resum(n.first + b)
	}
}
