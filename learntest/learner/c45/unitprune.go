package c45

// estimate returns the estimated errors of a leaf.
func (g *unit) estimate(n *unode) float64 {
	return g.est.errors(float64(n.hi-n.lo), float64(n.wrong))
}

// prune prunes the subtree, from the bottom, and sets its estimated errors.
// It returns false if it gives up.
func (g *unit) prune(id int32) bool {
	n := &g.nodes[id]
	asLeaf := g.estimate(n)
	if n.split == leaf {
		n.est = asLeaf
		return true
	}
	asTree := 0.0
	largest, most := n.first, int32(0)
	for child := n.first; child < n.first+n.num; child++ {
		if !g.prune(child) {
			return false
		}
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
		return true
	}
	asBranch, ok := g.branchErrors(n, largest)
	if !ok {
		return false
	}
	switch {
	case smEq(asLeaf, asTree+0.1) && smEq(asLeaf, asBranch+0.1):
		n.split, n.est = leaf, asLeaf
	case smEq(asBranch, asTree+0.1):
		b := &g.nodes[largest]
		n.split, n.cut, n.col, n.last = b.split, b.cut, b.col, b.last
		n.first, n.num = b.first, b.num
		return g.resum(id) && g.prune(id)
	}
	return true
}

// branchErrors returns the estimated errors of a branch of n if all instances
// of n passed through it. It returns false if one of them lacks a value that
// is tested there.
func (g *unit) branchErrors(n *unode, branch int32) (float64, bool) {
	b := &g.nodes[branch]
	if b.split == leaf {
		return g.estimate(n), true
	}
	g.passed, g.spots = g.passed[:0], g.spots[:0]
	// The instances of the branch itself are in its leaves already.
	ok := g.pass(branch, n.lo, b.lo) && g.pass(branch, b.hi, n.hi)
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
		sum += g.est.errors(float64(total), float64(total-most)) - l.est
	}
	return sum, ok
}

// pass lets the instances lo to hi pass through the subtree and counts them in
// passed, together with those that are in its leaves.
func (g *unit) pass(root, lo, hi int32) bool {
	for _, q := range g.idx[lo:hi] {
		id := root
		n := &g.nodes[id]
		for n.split != leaf {
			c := &g.cols[n.col]
			v := c.code[q]
			switch {
			case v == c.card:
				return false
			case n.split == nominal:
				id = n.first + v
			case v <= n.last:
				id = n.first
			default:
				id = n.first + 1
			}
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
	return true
}

// resum hands the instances of a node to its children anew, and so on. It
// returns false if one of them lacks the value that is tested.
func (g *unit) resum(id int32) bool {
	n := &g.nodes[id]
	g.setWrong(id)
	if n.split == leaf {
		return true
	}
	c := &g.cols[n.col]
	clear(g.counts[int(n.first)*g.classes:][:int(n.num)*g.classes])
	g.ptr = grow(g.ptr, int(n.num)+1)
	clear(g.ptr)
	g.tmp = append(g.tmp[:0], g.idx[n.lo:n.hi]...)
	for _, q := range g.tmp {
		if c.code[q] == c.card {
			return false
		}
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
		if !g.resum(n.first + b) {
			return false
		}
	}
	return true
}

// branch returns the branch of the instance at position q, whose value is
// known.
func (n *unode) branch(c *column, q int32) int32 {
	switch v := c.code[q]; {
	case n.split == nominal:
		return v
	case v <= n.last:
		return 0
	}
	return 1
}
