package c45

// A grower grows and prunes a tree. Each numeric column is sorted once, and the sorted lists of a
// node are divided among its children.
type grower struct {
	sapling
	pruner   pruner
	lists    lists
	active   []int32 // stack of the columns on which nodes may be split
	counted  judge[int64]
	weighed  judge[float64]
	counting counting
	weighing weighing
}

// build grows and prunes the tree.
func (g *grower) build(p *problem) {
	g.load(p)
	g.counted.finder, g.weighed.finder = &g.counting, &g.weighing
	g.active = g.active[:0]
	for k := range p.cols {
		g.active = append(g.active, int32(k))
	}
	g.lists.load(p)
	s := &g.sapling
	if s.sumLeaf(&s.nodes[0]); !s.nodes[0].stops {
		g.grow(0, g.active, 0)
	}
	if p.cfg.Pruning == Pessimistic {
		g.pruner.prune(s)
	}
}

// grow grows the subtree of node id, which has its instances and their sums. The node may be
// split on the active columns; their lists start at base. A subtree that makes no fewer errors
// on the training set than a leaf is replaced by one. grow returns the weight of the training
// instances that the subtree, before that, puts into the wrong class.
func (g *grower) grow(id int32, active []int32, base int) float64 {
	start, instances := len(g.active), len(g.pos)
	if !g.selectSplit(&g.nodes[id], active, base) {
		g.active = g.active[:start]
		return g.nodes[id].wrong
	}
	if g.bear(id) {
		g.lists.deal(&g.sapling, id, active, g.active[start:], base)
	}
	sum := g.growChildren(id, g.active[start:])
	g.active = g.active[:start]
	if n := &g.nodes[id]; sum >= n.wrong-1e-3 && !g.cfg.NoCollapse {
		n.split = leaf
		g.nodes = g.nodes[:n.first]
		g.dist = g.dist[:int(n.dist)+1+g.classes]
		g.pos, g.wt = g.pos[:instances], g.wt[:instances]
	}
	return sum
}

// growChildren grows the subtrees of the children of node id, for which only the given columns
// are active. The lists of the children that may be split have been dealt. Remainders of whole
// nodes are integers, whose sum does not depend on the order.
func (g *grower) growChildren(id int32, active []int32) (wrong float64) {
	n := g.nodes[id]
	for b := range n.num {
		if b != n.held || !n.whole {
			wrong += g.growChild(id, n.first+b, active)
		}
	}
	if n.whole {
		wrong += g.growChild(id, n.first+n.held, active)
	}
	return wrong
}

// growChild grows the subtree of a child of node id, whose lists are the last on the stack.
func (g *grower) growChild(id, child int32, active []int32) float64 {
	n := &g.nodes[child]
	if n.stops {
		return n.wrong
	}
	at := len(g.lists.keys) - int(g.nodes[id].lists)*int(n.hi-n.lo)
	wrong := g.grow(child, active, at)
	g.lists.keys = g.lists.keys[:at]
	return wrong
}

// selectSplit chooses the split of a node. It returns false if there is none. It
// pushes the columns on which nodes below may be split.
func (g *grower) selectSplit(n *gnode, active []int32, base int) bool {
	x, start := g.part(n.lo, n.hi), len(g.active)
	var cands []candidate
	if n.unit {
		g.counted.node(g.problem, g.perClass(n))
		cands, g.active = g.counted.judge(x, active, g.lists.keys[base:], g.active)
	} else {
		g.weighed.node(g.problem, g.perClass(n))
		cands, g.active = g.weighed.judge(x, active, g.lists.keys[base:], g.active)
	}
	for _, k := range g.active[start:] {
		if !g.cols[k].nominal {
			n.lists++
		}
	}
	best := choose(g.many, cands, g.dist[n.dist])
	if best < 0 {
		return false
	}
	cand := &cands[best]
	c := &g.cols[cand.col]
	n.col, n.sorted = cand.col, true
	if c.nominal {
		n.split, n.num = nominal, c.card
		if n.whole {
			g.expect(c, g.counted.cells(g.problem, c, x, g.counted.present), g.counted.present)
		}
	} else {
		n.split, n.num = numeric, 2
		n.cut, n.most = g.threshold(cand.col, cand.lower, cand.upper)
		if n.whole {
			g.sortKeys(g.lists.keys[base+cand.from:][:len(x.pos)], g.layout, int(cand.at), x.pos,
				g.classes)
		}
	}
	n.test = n.split
	return true
}

// bear makes the children of a node that is split, with their instances and
// distributions. It returns false if none of them may be split.
func (g *grower) bear(id int32) (grows bool) {
	first, num := int32(len(g.nodes)), int(g.nodes[id].num)
	g.nodes = extend(g.nodes, num)
	n, children := &g.nodes[id], g.nodes[first:]
	if n.first = first; !n.whole {
		n.dist = g.addDist((1 + g.classes) * (1 + num))
	}
	for b := range children {
		children[b] = gnode{empty: true, unit: n.whole, whole: n.whole}
	}
	g.divide(n)
	for b := range children {
		if !n.whole {
			g.sumLeaf(&children[b])
		}
		grows = grows || !children[b].stops
	}
	return grows
}

// release lets go of what belongs to the table.
func (g *grower) release() {
	g.counted.release()
	g.weighed.release()
}
