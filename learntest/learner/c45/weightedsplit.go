package c45

// selectSplit chooses the split of a node and sets its distribution. It
// returns false if there is none. It pushes the columns on which nodes below may
// be split.
func (g *weighted) selectSplit(n *wnode, active []int32, base int) bool {
	weight := g.dist[n.dist]
	if n.unit {
		g.counts = g.counts[:0]
		for _, w := range g.perClass(n) {
			g.counts = append(g.counts, int32(w))
		}
		g.scan.count(g.counts)
	} else {
		g.weigh.node(g.perClass(n), weight)
	}
	g.cands = g.cands[:0]
	g.evaluate(n, active, base)
	best := choose(g.many, g.cands, weight)
	if best < 0 {
		return false
	}
	cand := &g.cands[best]
	c := &g.cols[cand.col]
	n.col, n.sorted = cand.col, true
	if c.nominal {
		n.split, n.num = nominal, c.card
	} else {
		n.split, n.num = numeric, 2
		n.cut, n.last = g.threshold(cand.col, cand.lower, cand.upper)
	}
	n.test = n.split
	n.dist = g.addDist((1 + g.classes) * int(1+n.num))
	x := g.part(n.lo, n.hi)
	g.sumSplit(n, x, x)
	return true
}

// evaluate makes the candidates of a node.
func (g *weighted) evaluate(n *wnode, active []int32, base int) {
	x := g.part(n.lo, n.hi)
	if !n.unit {
		for i, q := range x.pos {
			g.at[q] = x.wt[i]
		}
	}
	for _, k := range active {
		c := &g.cols[k]
		if c.nominal {
			g.try(n, k, x, nil)
			continue
		}
		g.try(n, k, x, g.lists[base:][:len(x.pos)])
		base += len(x.pos)
	}
}

// try makes the candidate of column k for the instances x of node n. keys are
// those of a numeric column.
func (g *weighted) try(n *wnode, k int32, x instances, keys []key) {
	c := &g.cols[k]
	cand := candidate{col: k}
	var again bool
	switch {
	case c.nominal && n.unit:
		again = g.scan.nominal(c, x.pos, &cand)
	case c.nominal:
		again = g.weigh.nominal(c, x, &cand)
	case n.unit:
		again = g.scan.numeric(c, keys, &cand)
	default:
		again = g.weigh.numeric(c, keys, g.at, &cand)
	}
	if again {
		g.active = append(g.active, k)
	}
	if cand.valid {
		g.cands = append(g.cands, cand)
	}
}
