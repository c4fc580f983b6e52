package c45

import (
	"github.com/learnbench/learnbench/learntest/learner/internal/scratch"
	"github.com/learnbench/learnbench/learntest/learner/internal/weka"
)

// selectSplit chooses the split of a node and sets its distribution. It
// returns false if there is none. In Weka's order, it leaves the instances of
// the node in the order of the last sort. It pushes the columns on which nodes
// below may be split.
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
	g.cands, g.slots = g.cands[:0], g.slots[:0]
	if g.inOrder {
		g.evaluateInOrder(n, active)
	} else {
		g.evaluate(n, active, base)
	}
	best := choose(g.many, g.cands, weight)
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
		n.cut, n.last = g.threshold(cand.col, cand.lower, cand.upper)
	}
	n.dist = g.addDist((1 + g.classes) * int(1+n.num))
	x := g.part(n.lo, n.hi)
	known, all := x, x
	if g.inOrder {
		size := n.hi - n.lo
		if last := int32(len(g.sorted.pos)) / size; last > 0 {
			all = g.sorted.part((last-1)*size, last*size)
		}
		if s := g.slots[best]; s > 0 {
			known = g.sorted.part((s-1)*size, s*size)
		}
	}
	g.sumSplit(n, known, all, !c.nominal)
	copy(x.pos, all.pos)
	copy(x.wt, all.wt)
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
			g.try(n, k, x, nil, 0)
			continue
		}
		g.try(n, k, x, g.lists[base:][:len(x.pos)], 0)
		base += len(x.pos)
	}
}

// evaluateInOrder makes the candidates of a node while the instances are
// sorted. sorted gets the instances after the sort by each numeric column.
func (g *weighted) evaluateInOrder(n *wnode, active []int32) {
	g.sorted.pos, g.sorted.wt = g.sorted.pos[:0], g.sorted.wt[:0]
	x := g.part(n.lo, n.hi)
	slot := int32(0)
	for k := range g.cols {
		c := &g.cols[k]
		if !c.nominal {
			x = g.sort(c, x)
			slot++
		}
		if len(active) > 0 && active[0] == int32(k) {
			active = active[1:]
			if !c.nominal && !n.unit {
				for i, q := range x.pos {
					g.at[q] = x.wt[i]
				}
			}
			g.try(n, int32(k), x, g.keys, slot)
		}
	}
}

// try makes the candidate of column k for the instances x of node n. keys are
// those of a numeric column.
func (g *weighted) try(n *wnode, k int32, x instances, keys []key, slot int32) {
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
		g.slots = append(g.slots, slot)
	}
}

// sort appends the instances x, sorted by column c, to sorted, and returns
// them. It sets keys to their keys.
func (g *weighted) sort(c *column, x instances) instances {
	size := int32(len(x.pos))
	g.order, g.keys = scratch.Resize(g.order, int(size)), scratch.Resize(g.keys, int(size))
	for i, q := range x.pos {
		g.order[i] = uint64(c.code[q])<<32 | uint64(i)
	}
	weka.Sort(g.order)
	end := int32(len(g.sorted.pos))
	g.sorted.pos = extend(g.sorted.pos, int(size))
	g.sorted.wt = extend(g.sorted.wt, int(size))
	y := g.sorted.part(end, end+size)
	for i, k := range g.order {
		q := x.pos[uint32(k)]
		y.pos[i], y.wt[i] = q, x.wt[uint32(k)]
		g.keys[i] = newKey(c.code[q], g.class[q], q)
	}
	return y
}
