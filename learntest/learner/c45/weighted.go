package c45

import "github.com/learnbench/learnbench/learntest/learner/internal/scratch"

// A wnode is a node of a tree that grows on weighted instances. Its instances
// are those from lo to hi; its distribution is as in a finished tree.
type wnode struct {
	cut    float64
	est    float64 // estimated errors of the subtree, once it is pruned
	first  int32   // index of the first child; the others follow it
	dist   int32
	lo, hi int32
	split  kind
	empty  bool
	unit   bool // all instances weigh 1
	stops  bool // not to be split
	origin
}

// instances are rows with weights.
type instances struct {
	pos []int32
	wt  []float64
}

func (s *instances) part(lo, hi int32) instances {
	return instances{s.pos[lo:hi], s.wt[lo:hi]}
}

// weighted grows and prunes a tree on instances with weights, and on instances
// without some values, which are divided among the branches of a node.
//
// Each numeric column is sorted once, and the sorted lists of a node are divided
// among its children. Where the last digits of the sums matter, see wekaSums.
type weighted struct {
	*problem
	nodes []wnode
	dist  []float64
	instances

	active []int32 // stack of the columns on which nodes may be split
	cands  []candidate
	scan   scanner
	weigh  weigher
	counts []int32
	share  []float64
	where  []int32 // of each instance the branch
	start  []int32
	branch instances // stack of what passes down a branch that might be raised
	bags   []float64 // stack of the weights of its branches
	ends   []int32   // stack of the ends of its branches

	lists    []key     // stack of the keys of the active numeric columns, by node
	branchAt []int32   // of each row the branch it takes, see markBranches
	at       []float64 // of each row the weight
	routes   []route
}

// load sets the instances to those of the training set.
func (g *weighted) load(p *problem) {
	g.problem, g.scan.problem, g.weigh.problem = p, p, p
	g.nodes = append(g.nodes[:0], wnode{hi: int32(p.n)})
	g.dist = g.dist[:0]
	g.pos, g.wt = append(g.pos[:0], p.set...), g.wt[:0]
	for _, r := range p.set {
		w := 1.0
		if p.weight != nil {
			w = p.weight[r]
		}
		g.wt = append(g.wt, w)
	}
}

// build grows and prunes the tree.
func (g *weighted) build(p *problem) {
	g.load(p)
	g.active, g.lists = g.active[:0], g.lists[:0]
	for k := range p.cols {
		g.active = append(g.active, int32(k))
		if c := &p.cols[k]; !c.nominal {
			start := len(g.lists)
			g.lists = extend(g.lists, p.n)
			p.sort(c, g.lists[start:])
		}
	}
	g.branchAt, g.at = scratch.Resize(g.branchAt, p.rows), scratch.Resize(g.at, p.rows)
	if !g.sumLeaf(&g.nodes[0]) {
		g.grow(0, g.active, 0)
	}
	if !p.cfg.NoCollapse {
		g.collapse(0)
	}
	if p.cfg.Pruning == Pessimistic {
		g.prune(0)
	}
}

// grow grows the subtree of node id, which has its instances and their sums. It
// may be split on the active columns; their lists start at base.
func (g *weighted) grow(id int32, active []int32, base int) {
	start := len(g.active)
	if g.selectSplit(&g.nodes[id], active, base) {
		g.divide(id)
		first, num := g.nodes[id].first, g.nodes[id].num
		grows := false
		for child := first; child < first+num; child++ {
			n := &g.nodes[child]
			n.stops = g.sumLeaf(n)
			grows = grows || !n.stops
		}
		if grows {
			g.growChildren(id, active, g.active[start:], base)
		}
	}
	g.active = g.active[:start]
}

// growChildren grows the subtrees of the children of node id, for which only
// the columns below are active.
func (g *weighted) growChildren(id int32, active, below []int32, base int) {
	lists := g.numbers(below)
	g.deal(id, active, below, base, lists)
	first, num := g.nodes[id].first, g.nodes[id].num
	for child := first; child < first+num; child++ {
		if n := &g.nodes[child]; !n.stops {
			at := len(g.lists) - lists*int(n.hi-n.lo)
			g.grow(child, below, at)
			g.lists = g.lists[:at]
		}
	}
}

// addDist appends n zeros to the distributions and returns their start.
func (g *weighted) addDist(n int) int32 {
	start := len(g.dist)
	g.dist = extend(g.dist, n)
	clear(g.dist[start:])
	return int32(start)
}

func (g *weighted) perClass(n *wnode) []float64 { return g.dist[n.dist+1:][:g.classes] }

func (g *weighted) perBag(n *wnode) []float64 {
	return g.dist[int(n.dist)+1+g.classes:][:n.num]
}

// perBagClass returns the weight of each class in each branch, branch after
// branch.
func (g *weighted) perBagClass(n *wnode) []float64 {
	return g.dist[int(n.dist)+1+g.classes+int(n.num):][:int(n.num)*g.classes]
}

// sumLeaf sets the distribution of a node before it is split, or of a leaf, and
// reports whether it must not be split.
func (g *weighted) sumLeaf(n *wnode) bool {
	n.dist = g.addDist(1 + g.classes)
	d := g.dist[n.dist:][:1+g.classes]
	x := g.part(n.lo, n.hi)
	n.unit = true
	for i, q := range x.pos {
		w := x.wt[i]
		d[1+g.class[q]] += w
		d[0] += w
		if w != 1 {
			n.unit = false
		}
	}
	n.empty = n.empty && eq(d[0], 0)
	return sm(d[0], float64(2*g.cfg.MinLeaf)) || eq(d[0], d[1+majority(d[1:])])
}

// bagOf returns the branch of row q, -1 if its value is missing.
func (n *wnode) bagOf(c *column, q int32) int32 {
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
func (g *weighted) sumSplit(n *wnode, known, all instances) {
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
func (g *weighted) addMissing(n *wnode, total float64, all instances) {
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
}

// setShare sets share to the part of each branch in the known instances.
func (g *weighted) setShare(bags []float64, total float64) {
	g.share = scratch.Resize(g.share, len(bags))
	for b, w := range bags {
		if eq(total, 0) {
			g.share[b] = 1 / float64(len(bags))
		} else {
			g.share[b] = w / total
		}
	}
}

// divide makes the children of a node that is split.
func (g *weighted) divide(id int32) {
	first := int32(len(g.nodes))
	g.nodes[id].first = first
	g.nodes = extend(g.nodes, int(g.nodes[id].num))
	n := &g.nodes[id]
	for b := range n.num {
		g.nodes[first+b] = wnode{empty: true}
	}
	g.hand(n)
}

// hand hands the instances of a node that is split to its children.
func (g *weighted) hand(n *wnode) {
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
func (g *weighted) classify(n *wnode, rows []int32) {
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
func (g *weighted) pass(total float64, bags []float64, lo, hi int32, x *instances) {
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
