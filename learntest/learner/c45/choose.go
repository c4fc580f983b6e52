package c45

import "github.com/learnbench/learnbench/learntest/learner/internal/scratch"

// selectSplit chooses the split of a node. It returns nil if there is none. It
// pushes the columns on which nodes below may be split.
func (g *grower) selectSplit(n *gnode, active []int32, base int) *candidate {
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
	used := g.evaluate(n, active, base)
	best := choose(g.many, g.cands[:used], weight)
	if best < 0 {
		return nil
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
	return cand
}

// evaluate makes the candidates of a node and returns their number.
func (g *grower) evaluate(n *gnode, active []int32, base int) int {
	x := g.part(n.lo, n.hi)
	if !n.unit {
		for i, q := range x.pos {
			g.at[q] = x.wt[i]
		}
	}
	g.cands = scratch.Resize(g.cands, len(active))
	used := 0
	for _, k := range active {
		c := &g.cols[k]
		cand := &g.cands[used]
		cand.col, cand.valid, cand.from = k, false, base
		var again bool // some subset of the instances can be split on the column
		if c.nominal {
			if n.unit {
				again = g.scan.nominal(c, x.pos, cand)
			} else {
				again = g.weigh.nominal(c, x, cand)
			}
		} else {
			keys := g.lists[base:][:len(x.pos)]
			base += len(x.pos)
			if n.unit {
				again = g.scan.numeric(c, keys, cand)
			} else {
				again = g.weigh.numeric(c, keys, g.at, cand)
			}
		}
		if again {
			g.active = append(g.active, k)
			if !c.nominal {
				n.lists++
			}
		}
		if cand.valid {
			used++
		}
	}
	return used
}
