package c45

import "github.com/learnbench/learnbench/learntest/learner/internal/scratch"

// maxMemo is the number of instances below which estimates are remembered.
const maxMemo = 64

// estimate returns the estimated errors of a leaf with n instances, some of
// which are not of its class.
func (g *unit) estimate(n, wrong int32) float64 {
	if n >= maxMemo {
		return g.est.errors(float64(n), float64(wrong))
	}
	e := &g.memo[n*maxMemo+wrong]
	if *e == 0 {
		*e = g.est.errors(float64(n), float64(wrong))
	}
	return *e
}

// prune prunes the subtree, from the bottom, and sets its estimated errors.
func (g *unit) prune(id int32) {
	n := &g.nodes[id]
	asLeaf := g.estimate(n.hi-n.lo, n.wrong)
	if n.split == leaf {
		n.est = asLeaf
		return
	}
	asTree := 0.0
	largest, most := n.first, int32(0)
	for child := n.first; child < n.first+n.num; child++ {
		g.prune(child)
		asTree += g.nodes[child].est
		if size := g.nodes[child].hi - g.nodes[child].lo; size >= most {
			largest, most = child, size
		}
	}
	n.est = asTree
	if g.cfg.NoRaising {
		if smEq(asLeaf, asTree+0.1) {
			n.split, n.est = leaf, asLeaf
		}
		return
	}
	asBranch := g.branchErrors(n, largest)
	switch {
	case smEq(asLeaf, asTree+0.1) && smEq(asLeaf, asBranch+0.1):
		n.split, n.est = leaf, asLeaf
	case smEq(asBranch, asTree+0.1):
		b := &g.nodes[largest]
		n.split, n.cut, n.col, n.last = b.split, b.cut, b.col, b.last
		n.first, n.num = b.first, b.num
		g.resum(id)
		g.prune(id)
	}
}

// branchErrors returns the estimated errors of a branch of n if all instances
// of n passed through it.
func (g *unit) branchErrors(n *unode, branch int32) float64 {
	b := &g.nodes[branch]
	if b.split == leaf {
		return g.estimate(n.hi-n.lo, n.wrong)
	}
	g.passed, g.spots = g.passed[:0], g.spots[:0]
	// The instances of the branch itself are in its leaves already.
	g.pass(branch, n.lo, b.lo)
	g.pass(branch, b.hi, n.hi)
	sum := b.est
	for _, id := range g.spots {
		l := &g.nodes[id]
		counts := g.passed[l.spot:][:g.classes]
		l.spot = 0
		total, most := int32(0), int32(0)
		for _, k := range counts {
			total += k
			most = max(most, k)
		}
		sum += g.estimate(total, total-most) - l.est
	}
	return sum
}

// pass lets the instances lo to hi pass through the subtree and counts them in
// passed, together with those that are in its leaves.
func (g *unit) pass(root, lo, hi int32) {
	for _, q := range g.idx[lo:hi] {
		id := root
		n := &g.nodes[id]
		for n.split != leaf {
			id = n.first + n.branch(&g.cols[n.col], q)
			n = &g.nodes[id]
		}
		if n.spot == 0 {
			if len(g.spots) == 0 {
				g.passed = append(g.passed, 0) // a spot of 0 means none
			}
			n.spot = int32(len(g.passed))
			g.passed = append(g.passed, g.perClass(id)...)
			g.spots = append(g.spots, id)
		}
		g.passed[n.spot+g.class[q]]++
	}
}

// resum hands the instances of a node to its children anew, and so on.
func (g *unit) resum(id int32) {
	n := &g.nodes[id]
	g.setWrong(id)
	if n.split == leaf {
		return
	}
	c := &g.cols[n.col]
	clear(g.counts[int(n.first)*g.classes:][:int(n.num)*g.classes])
	g.ptr = scratch.Resize(g.ptr, int(n.num)+1)
	clear(g.ptr)
	g.tmp = append(g.tmp[:0], g.idx[n.lo:n.hi]...)
	for _, q := range g.tmp {
		b := n.branch(c, q)
		g.counts[int(n.first+b)*g.classes+int(g.class[q])]++
		g.ptr[b+1]++
	}
	g.ptr[0] = n.lo
	for b := range n.num {
		g.ptr[b+1] += g.ptr[b]
		child := &g.nodes[n.first+b]
		child.lo, child.hi = g.ptr[b], g.ptr[b+1]
	}
	for _, q := range g.tmp {
		b := n.branch(c, q)
		g.idx[g.ptr[b]] = q
		g.ptr[b]++
	}
	for b := range n.num {
		g.resum(n.first + b)
	}
}

// branch returns the branch of row q.
func (n *unode) branch(c *column, q int32) int32 {
	switch v := c.code[q]; {
	case n.split == nominal:
		return v
	case v <= n.last:
		return 0
	}
	return 1
}
