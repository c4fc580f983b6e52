package c45

import "github.com/learnbench/learnbench/learntest/learner/internal/scratch"

// divide makes the children of a node, and hands them its instances and the
// lists of the active columns.
func (g *unit) divide(id int32, depth int, cand *candidate, active []int32) {
	c := &g.cols[cand.col]
	first := int32(len(g.nodes))
	n := &g.nodes[id]
	n.col, n.first = cand.col, first
	if c.nominal {
		n.split, n.num = nominal, c.card
	} else {
		n.split, n.num = numeric, 2
		n.cut, n.last = g.threshold(cand.col, cand.lower, cand.upper)
	}
	g.addChildren(id)
	if c.nominal {
		g.divideNominal(id, c)
	} else {
		g.divideNumeric(id, depth, cand)
	}
	num := g.nodes[id].num
	grows := false
	for b := range num {
		g.setWrong(first + b)
		grows = grows || !g.stops(&g.nodes[first+b])
	}
	if !grows {
		return
	}
	for _, k := range active {
		switch {
		case g.cols[k].nominal:
		case c.nominal:
			g.scatter(id, depth, k, c)
		default:
			g.part(id, depth, k, cand)
		}
	}
}

// addChildren appends the children of a node that is split.
func (g *unit) addChildren(id int32) {
	first, num := len(g.nodes), int(g.nodes[id].num)
	g.nodes = extend(g.nodes, num)
	clear(g.nodes[first:])
	g.counts = extend(g.counts, num*g.classes)
	clear(g.counts[first*g.classes:])
}

// divideNumeric hands the instances to the two children of a numeric split.
func (g *unit) divideNumeric(id int32, depth int, cand *candidate) {
	n := &g.nodes[id]
	keys := g.list(depth, cand.col, n.lo, n.hi)
	g.bag = scratch.Resize(g.bag, g.frame.rows)
	idx := g.idx[n.lo:n.hi]
	l, r := g.perClass(n.first), g.perClass(n.first+1)
	for i, key := range keys {
		q := int32(key.row())
		idx[i] = q
		if i < int(cand.at) {
			g.bag[q] = 0
			l[g.class[q]]++
		} else {
			g.bag[q] = 1
			r[g.class[q]]++
		}
	}
	mid := n.lo + cand.at
	g.nodes[n.first].lo, g.nodes[n.first].hi = n.lo, mid
	g.nodes[n.first+1].lo, g.nodes[n.first+1].hi = mid, n.hi
}

// divideNominal hands the instances to the children of a nominal split.
func (g *unit) divideNominal(id int32, c *column) {
	n := &g.nodes[id]
	cells, classes := g.scan.recount(c, g.idx[n.lo:n.hi])
	width := len(classes)
	g.ptr = scratch.Resize(g.ptr, int(n.num))
	at := n.lo
	for b := range n.num {
		child := &g.nodes[n.first+b]
		child.lo = at
		counts := g.perClass(n.first + b)
		for i, y := range classes {
			k := cells[int(b)*width+i]
			counts[y] = k
			at += k
		}
		child.hi = at
		g.ptr[b] = child.lo
	}
	idx := g.idx[n.lo:n.hi]
	if n.num == 2 {
		// Without a branch that is hard to foresee.
		g.tmp = scratch.Resize(g.tmp, len(idx)+1)
		tmp := g.tmp
		l, r := 0, 0
		for _, q := range idx {
			idx[l], tmp[r] = q, q
			b := int(c.code[q])
			l += 1 - b
			r += b
		}
		copy(idx[l:], tmp[:r])
		return
	}
	g.tmp = append(g.tmp[:0], idx...)
	for _, q := range g.tmp {
		b := c.code[q]
		g.idx[g.ptr[b]] = q
		g.ptr[b]++
	}
}

// scatter divides the list of column k among the children of a nominal split.
func (g *unit) scatter(id int32, depth int, k int32, c *column) {
	n := &g.nodes[id]
	for b := range n.num {
		g.ptr[b] = g.nodes[n.first+b].lo
	}
	to := g.list(depth+1, k, 0, int32(g.n))
	for _, key := range g.list(depth, k, n.lo, n.hi) {
		b := c.code[key.row()]
		to[g.ptr[b]] = key
		g.ptr[b]++
	}
}

// part divides the list of column k between the children of a numeric split.
func (g *unit) part(id int32, depth int, k int32, cand *candidate) {
	n := &g.nodes[id]
	from := g.list(depth, k, n.lo, n.hi)
	to := g.list(depth+1, k, n.lo, n.hi)
	if k == cand.col {
		copy(to, from)
		return
	}
	bag := g.bag
	switch {
	case g.stops(&g.nodes[n.first+1]):
		to = to[:cand.at]
		for i, l := 0, 0; l < len(to); i++ {
			key := from[i]
			to[l] = key
			l += int(bag[key.row()] ^ 1)
		}
	case g.stops(&g.nodes[n.first]):
		to = to[cand.at:]
		for i, r := 0, 0; r < len(to); i++ {
			key := from[i]
			to[r] = key
			r += int(bag[key.row()])
		}
	default:
		g.keys = scratch.Resize(g.keys, len(from)+1)
		keys := g.keys
		l, r := 0, 0
		for _, key := range from {
			to[l], keys[r] = key, key
			b := int(bag[key.row()])
			l += b ^ 1
			r += b
		}
		copy(to[l:], keys[:r])
	}
}
