package c45

import "github.com/learnbench/learnbench/learntest/learner/internal/wekasort"

// selectSplit chooses the split of a node and sets its distribution. It
// returns false if there is none. It leaves the instances of the node in the
// order of the last sort, and pushes the columns on which nodes below may be
// split.
func (g *weighted) selectSplit(n *wnode, active []int32, unit bool) bool {
	weight := g.dist[n.dist]
	g.evaluate(n, active, unit)
	best := choose(g.cols, g.cands, weight)
	if best < 0 {
		return false
	}
	cand := &g.cands[best]
	c := &g.cols[cand.col]
	n.col = cand.col
	if c.nominal {
		n.split, n.num = nominal, c.card
	} else {
		n.split, n.num = numeric, 2
		n.cut, n.last = g.threshold(c, cand.lower, cand.upper)
	}
	g.addDist(int(n.num) * (1 + g.classes))
	x := g.part(n.lo, n.hi)
	known, all := x, x
	size := n.hi - n.lo
	if last := int32(len(g.sorted.pos)) / size; last > 0 {
		all = g.sorted.part((last-1)*size, last*size)
		if s := g.slots[best]; s > 0 {
			known = g.sorted.part((s-1)*size, s*size)
		}
	}
	g.sumSplit(n, known, all, !c.nominal)
	copy(x.pos, all.pos)
	copy(x.wt, all.wt)
	return true
}

// evaluate makes the candidates of a node. sorted gets the instances after
// the sort by each numeric column; slots gets for each candidate how many
// sorts there were before its column was looked at. If all weights are 1,
// their order does not matter for the distributions, and only the last two
// are kept.
func (g *weighted) evaluate(n *wnode, active []int32, unit bool) {
	g.cands, g.slots = g.cands[:0], g.slots[:0]
	g.sorted.pos, g.sorted.wt = g.sorted.pos[:0], g.sorted.wt[:0]
	x := g.part(n.lo, n.hi)
	if unit {
		g.counts = g.counts[:0]
		for _, w := range g.perClass(n) {
			g.counts = append(g.counts, int32(w))
		}
		g.scan.count(g.counts)
	} else {
		g.weigh.node(g.problem, g.perClass(n), g.dist[n.dist])
	}
	slot := int32(0)
	for k := range g.cols {
		c := &g.cols[k]
		isActive := len(active) > 0 && active[0] == int32(k)
		if isActive {
			active = active[1:]
		}
		if !c.nominal {
			x = g.sort(c, x, unit)
			slot++
		}
		if !isActive {
			continue
		}
		cand := candidate{col: int32(k)}
		var again bool
		switch {
		case c.nominal && unit:
			again = g.scan.nominal(c, x.pos, &cand)
		case c.nominal:
			again = g.weigh.nominal(c, x, &cand)
		case unit:
			again = g.scan.numeric(c, g.keys, &cand)
		default:
			again = g.weigh.numeric(c, g.keys, x, &cand)
		}
		if again {
			g.active = append(g.active, int32(k))
		}
		if cand.valid {
			g.cands = append(g.cands, cand)
			g.slots = append(g.slots, slot)
		}
	}
}

// sort appends the instances x, sorted by column c, to sorted, and returns
// them. It sets keys to the codes of the values in ascending order, in the
// upper half, and positions in the training set, in the lower half.
func (g *weighted) sort(c *column, x instances, unit bool) instances {
	size := int32(len(x.pos))
	g.keys = grow(g.keys, int(size))
	end := int32(len(g.sorted.pos))
	g.sorted.pos = extend(g.sorted.pos, int(size))
	g.sorted.wt = extend(g.sorted.wt, int(size))
	y := g.sorted.part(end, end+size)
	if unit {
		for i, q := range x.pos {
			g.keys[i] = uint64(c.code[q])<<32 | uint64(q)
		}
		wekasort.Sort(g.keys)
		for i, k := range g.keys {
			y.pos[i] = int32(uint32(k))
		}
		copy(y.wt, x.wt)
		return y
	}
	for i, q := range x.pos {
		g.keys[i] = uint64(c.code[q])<<32 | uint64(i)
	}
	wekasort.Sort(g.keys)
	for i, k := range g.keys {
		j := uint32(k)
		y.pos[i], y.wt[i] = x.pos[j], x.wt[j]
		g.keys[i] = k>>32<<32 | uint64(y.pos[i])
	}
	return y
}
