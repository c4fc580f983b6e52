package c45

import "github.com/learnbench/learnbench/learntest/learner/internal/scratch"

// divide makes the children of a node that is split, with their instances and
// distributions. It returns false if none of them may be split.
func (g *grower) divide(id int32, cand *candidate) (grows bool) {
	first, num := int32(len(g.nodes)), int(g.nodes[id].num)
	g.nodes = extend(g.nodes, num)
	n, children := &g.nodes[id], g.nodes[first:]
	n.first = first
	for b := range children {
		children[b] = gnode{empty: true, unit: n.whole, whole: n.whole}
	}
	if n.whole {
		g.divideWhole(n, children, cand)
	} else {
		n.dist = g.addDist((1 + g.classes) * int(1+n.num))
		x := g.part(n.lo, n.hi)
		g.sumSplit(n, x, x)
		g.hand(n)
		for b := range children {
			g.sumLeaf(&children[b])
		}
	}
	for b := range children {
		grows = grows || !children[b].stops
	}
	return grows
}

// divideWhole hands the instances of a whole node to its children, without
// moving them to another place, and sets the distributions.
func (g *grower) divideWhole(n *gnode, children []gnode, cand *candidate) {
	var cells, present []int32
	if n.split == nominal {
		cells, present = g.partCodes(n)
	} else {
		cells, present = g.partKeys(n, cand)
	}
	g.setSplit(n, children, cells, present)
}

// setSplit sets the distributions of a whole node and of its children, and where the instances of
// these are, from the number of instances of each of the given classes on the branches, branch
// after branch.
func (g *grower) setSplit(n *gnode, children []gnode, cells, present []int32) {
	size := 1 + g.classes
	n.dist = g.addDist(size * (1 + 2*len(children)))
	g.dist[n.dist] = float64(n.hi - n.lo)
	classes, bags, byBag := g.perClass(n), g.perBag(n), g.perBagClass(n)
	at, lo := n.dist+int32(size*(1+len(children))), n.lo
	least := int32(2 * g.cfg.MinLeaf)
	for b := range children {
		child := &children[b]
		child.dist, child.lo = at, lo
		d := g.dist[at:][:size]
		total, most := int32(0), int32(0)
		for i, y := range present {
			k := cells[b*len(present)+i]
			d[1+y], byBag[b*g.classes+int(y)] = float64(k), float64(k)
			classes[y] += float64(k)
			total += k
			most = max(most, k)
		}
		d[0], bags[b] = float64(total), float64(total)
		at += int32(size)
		lo += total
		child.hi, child.wrong = lo, float64(total-most)
		child.empty, child.stops = total == 0, total < least || total == most
	}
}

// partKeys divides the instances of a whole node at a threshold. It returns the
// number of instances of each of the given classes on the branches, branch after
// branch.
func (g *grower) partKeys(n *gnode, cand *candidate) (cells, classes []int32) {
	pos := g.pos[n.lo:n.hi]
	keys, sides := g.lists[cand.from:][:len(pos)], g.sides
	g.cells = scratch.Resize(g.cells, 2*g.classes)
	cells = g.cells
	clear(cells)
	for i, key := range keys[:cand.at] {
		q := int32(key.row())
		pos[i], sides[q] = q, 1
		cells[key.class()]++
	}
	keys, pos, right := keys[cand.at:], pos[cand.at:], cells[g.classes:]
	for i, key := range keys {
		q := int32(key.row())
		pos[i], sides[q] = q, 2
		right[key.class()]++
	}
	return cells, g.scan.all()
}

// partCodes divides the instances of a whole node by their values, and returns
// the same.
func (g *grower) partCodes(n *gnode) (cells, classes []int32) {
	c := &g.cols[n.col]
	pos := g.pos[n.lo:n.hi]
	cells, classes = g.scan.recount(c, pos)
	if n.num == 2 {
		g.partTwo(pos, c.code)
		return cells, classes
	}
	g.start = scratch.Resize(g.start, int(n.num))
	at := int32(0)
	for b := range g.start {
		g.start[b] = at
		for _, k := range cells[b*len(classes):][:len(classes)] {
			at += k
		}
	}
	g.rows = append(g.rows[:0], pos...)
	for _, q := range g.rows {
		b := c.code[q]
		pos[g.start[b]] = q
		g.start[b]++
	}
	return cells, classes
}

// partTwo puts the rows of code 0 before those of code 1, without a branch that is
// hard to foresee for a processor.
func (g *grower) partTwo(pos, code []int32) {
	g.rows = scratch.Resize(g.rows, len(pos)+1)
	right := g.rows
	l, r := 0, 0
	for _, q := range pos {
		pos[l], right[r] = q, q
		b := int(code[q])
		l += 1 - b
		r += b
	}
	copy(pos[l:], right[:r])
}

// hand hands copies of the instances of a node that is split to its children.
func (g *grower) hand(n *gnode) {
	g.classify(n, g.pos[n.lo:n.hi])
	g.pass(g.dist[n.dist], g.perBag(n), n.lo, n.hi, &g.instances)
	for b := range n.num {
		child := &g.nodes[n.first+b]
		child.lo, child.hi = g.start[b], g.start[b+1]
	}
}

// classify sets where to the branches of the given rows, -1 if the value is
// missing, and start to the number of rows on each branch, after that of rows
// without a value.
func (g *grower) classify(n *gnode, rows []int32) {
	c := &g.cols[n.col]
	g.where = scratch.Resize(g.where, len(rows))
	g.start = scratch.Resize(g.start, int(n.num)+1)
	clear(g.start)
	for i, q := range rows {
		b := n.bagOf(c, q)
		g.where[i] = b
		g.start[b+1]++
	}
}

// pass appends the instances lo to hi of x, which have been classified, to x
// again, branch after branch. Those without a value go to all branches, with
// weights in proportion to bags. It sets start to the ends of the branches.
func (g *grower) pass(total float64, bags []float64, lo, hi int32, x *instances) {
	missing := g.start[0]
	g.share = scratch.Resize(g.share, len(bags))
	begin := int32(len(x.pos))
	end := begin
	for b, w := range bags {
		size := g.start[b+1]
		g.share[b] = w / total
		if missing > 0 && gr(g.share[b], 0) {
			size += missing
		}
		g.start[b] = end
		end += size
	}
	g.start[len(bags)] = end
	x.pos = extend(x.pos, int(end-begin))
	x.wt = extend(x.wt, int(end-begin))
	from := x.part(lo, hi)
	for i, b := range g.where {
		q, w := from.pos[i], from.wt[i]
		if b >= 0 {
			k := g.start[b]
			g.start[b]++
			x.pos[k], x.wt[k] = q, w
			continue
		}
		for b, s := range g.share {
			if gr(s, 0) {
				k := g.start[b]
				g.start[b]++
				x.pos[k], x.wt[k] = q, float64(s*w)
			}
		}
	}
	copy(g.start[1:], g.start) // every branch ends where the next one starts
	g.start[0] = begin
}
