package c45

import "github.com/learnbench/learnbench/learntest/learner/internal/scratch"

// addDist appends n zeros to the distributions and returns their start.
func (g *grower) addDist(n int) int32 {
	start := len(g.dist)
	g.dist = extend(g.dist, n)
	clear(g.dist[start:])
	return int32(start)
}

func (g *grower) perClass(n *gnode) []float64 { return g.dist[n.dist+1:][:g.classes] }

func (g *grower) perBag(n *gnode) []float64 {
	return g.dist[int(n.dist)+1+g.classes:][:n.num]
}

// perBagClass returns the weight of each class in each branch, branch after
// branch.
func (g *grower) perBagClass(n *gnode) []float64 {
	return g.dist[int(n.dist)+1+g.classes+int(n.num):][:int(n.num)*g.classes]
}

// sumLeaf sets the distribution of a node before it is split, or of a leaf.
func (g *grower) sumLeaf(n *gnode) {
	n.dist = g.addDist(1 + g.classes)
	d := g.dist[n.dist:][:1+g.classes]
	x := g.part(n.lo, n.hi)
	n.unit = true
	if n.whole {
		g.countLeaf(x.pos, d)
	} else {
		for i, q := range x.pos {
			w := x.wt[i]
			d[1+g.class[q]] += w
			d[0] += w
			if w != 1 {
				n.unit = false
			}
		}
		n.whole = n.unit && !g.general && !g.lack(x.pos)
	}
	n.empty = n.empty && eq(d[0], 0)
	g.setWrong(n)
}

// countLeaf sets the distribution d of a whole node.
func (g *grower) countLeaf(rows []int32, d []float64) {
	g.counts = scratch.Resize(g.counts, g.classes)
	clear(g.counts)
	for _, q := range rows {
		g.counts[g.class[q]]++
	}
	d[0] = float64(len(rows))
	for y, k := range g.counts {
		d[1+y] = float64(k)
	}
}

// lack reports whether one of the rows lacks a value.
func (g *grower) lack(rows []int32) bool {
	if g.missing {
		for _, q := range rows {
			if g.lacking[q] {
				return true
			}
		}
	}
	return false
}

// setWrong sets the weight of the instances that are not of the class of n, which
// has its distribution, and whether it must not be split.
func (g *grower) setWrong(n *gnode) {
	total, classes := g.dist[n.dist], g.perClass(n)
	n.wrong = total - classes[majority(classes)]
	n.stops = sm(total, float64(2*g.cfg.MinLeaf)) || eq(n.wrong, 0)
}

// bagOf returns the branch of row q, -1 if its value is missing.
func (n *gnode) bagOf(c *column, q int32) int32 {
	switch v := c.code[q]; {
	case v == c.card:
		return -1
	case n.test == nominal:
		return v
	case v <= n.last:
		return 0
	}
	return 1
}

// sumSplit sets the distribution of a node that is split: first the instances
// whose value is known, then the others. known and all are all instances of
// the node, in the orders in which the former and the latter are added.
func (g *grower) sumSplit(n *gnode, known, all instances) {
	c := &g.cols[n.col]
	clear(g.dist[n.dist:][:(1+g.classes)*int(1+n.num)])
	classes, bags, cells := g.perClass(n), g.perBag(n), g.perBagClass(n)
	total := 0.0
	for i, q := range known.pos {
		b := n.bagOf(c, q)
		if b < 0 {
			continue
		}
		w, y := known.wt[i], g.class[q]
		cells[int(b)*g.classes+int(y)] += w
		classes[y] += w
		bags[b] += w
		total += w
	}
	if n.test == numeric && !n.resummed { // Weka adds them branch after branch
		total = 0
		for _, w := range bags {
			total += w
		}
	}
	g.addMissing(n, total, all)
}

// addMissing adds the instances whose value is missing to the distribution of
// the others, whose weight is total.
func (g *grower) addMissing(n *gnode, total float64, all instances) {
	c := &g.cols[n.col]
	classes, bags, cells := g.perClass(n), g.perBag(n), g.perBagClass(n)
	g.setShare(bags, total)
	for i, q := range all.pos {
		if c.code[q] != c.card {
			continue
		}
		w, y := all.wt[i], g.class[q]
		classes[y] += w
		total += w
		for b, s := range g.share {
			part := float64(s * w)
			cells[b*g.classes+int(y)] += part
			bags[b] += part
		}
	}
	g.dist[n.dist] = total
	g.setWrong(n)
}

// setShare sets share to the part of each branch in the known instances.
func (g *grower) setShare(bags []float64, total float64) {
	g.share = scratch.Resize(g.share, len(bags))
	for b, w := range bags {
		if eq(total, 0) {
			g.share[b] = 1 / float64(len(bags))
		} else {
			g.share[b] = w / total
		}
	}
}
