package c45

// A unode is a node of a tree that grows on instances that all weigh 1. Its
// instances are unit.idx[lo:hi].
type unode struct {
	cut    float64
	est    float64 // estimated errors of the subtree, once it is pruned
	col    int32   // index in problem.cols
	last   int32   // numeric: the greatest code that goes left
	first  int32   // index of the first child; the others follow it
	num    int32   // number of children
	lo, hi int32
	wrong  int32 // number of instances that are not of the node's class
	spot   int32 // where the counts of a leaf are while instances pass a branch, 0 if none has reached it
	split  kind
}

// unit grows and prunes a tree on instances that all weigh 1, in integers,
// whose sums do not depend on an order. It gives up where an instance lacks
// the value that is tested at its node, which has to be left to [weighted].
//
// Each numeric column is sorted once. The sorted lists of a node are divided
// among its children without changing the order.
type unit struct {
	*problem
	nodes  []unode
	counts []int32 // of each node the number of instances of each class
	idx    []int32 // positions in the training set; those of a node are neighbours

	// lists holds for each numeric column the keys of [scanner.numeric] for
	// all instances, those of a node at the same place as in idx. A node at
	// an odd depth has them in the second, one at an even depth in the first.
	lists [2][]uint64
	slot  []int32 // of each numeric column its place in lists

	active []int32 // stack of the columns on which nodes may be split
	cands  []candidate
	scan   scanner
	bag    []uint8 // of each position the branch of a numeric split
	keys   []uint64
	tmp    []int32
	ptr    []int32
	passed []int32 // class counts of the leaves that instances reach on a branch
	spots  []int32 // those leaves
}

// build grows and prunes the tree. It returns false if it gives up.
func (g *unit) build(p *problem) bool {
	g.problem = p
	g.scan.problem = p
	g.nodes = append(g.nodes[:0], unode{hi: int32(p.n)})
	g.counts = grow(g.counts, p.classes)
	clear(g.counts)
	g.idx = g.idx[:0]
	for q, y := range p.class {
		g.counts[y]++
		g.idx = append(g.idx, int32(q))
	}
	g.setWrong(0)
	g.sortAll()
	g.active = g.active[:0]
	for k := range p.cols {
		g.active = append(g.active, int32(k))
	}
	if _, ok := g.grow(0, 0, g.active); !ok {
		return false
	}
	return p.cfg.Pruning != Pessimistic || g.prune(0)
}

// sortAll fills the first lists.
func (g *unit) sortAll() {
	g.slot = grow(g.slot, len(g.cols))
	slots := int32(0)
	for k := range g.cols {
		if !g.cols[k].nominal {
			g.slot[k] = slots
			slots++
		}
	}
	if slots == 0 {
		return
	}
	size := int(slots) * g.n
	g.lists[0] = grow(g.lists[0], size)
	g.lists[1] = grow(g.lists[1], size)
	for k := range g.cols {
		if c := &g.cols[k]; !c.nominal {
			g.sort(c, g.list(0, int32(k), 0, int32(g.n)))
		}
	}
}

// list returns the keys of column k for the instances lo to hi.
func (g *unit) list(depth int, k, lo, hi int32) []uint64 {
	start := int(g.slot[k]) * g.n
	return g.lists[depth&1][start+int(lo) : start+int(hi)]
}

func (g *unit) perClass(id int32) []int32 {
	return g.counts[int(id)*g.classes:][:g.classes]
}

// setWrong sets the number of instances of a node that are not of its class.
func (g *unit) setWrong(id int32) {
	n := &g.nodes[id]
	most := int32(0)
	for _, k := range g.perClass(id) {
		most = max(most, k)
	}
	n.wrong = n.hi - n.lo - most
}

// stops reports whether a node must not be split.
func (g *unit) stops(n *unode) bool {
	return int(n.hi-n.lo) < 2*g.cfg.MinLeaf || n.wrong == 0
}

// grow grows the subtree of node id, at the given depth, which has its
// instances and its counts. It may be split on the active columns. It returns
// the number of training errors, and false if it gives up.
func (g *unit) grow(id int32, depth int, active []int32) (wrong int32, ok bool) {
	n := &g.nodes[id]
	if g.stops(n) {
		return n.wrong, true
	}
	start := len(g.active)
	defer func() { g.active = g.active[:start] }()
	best := g.evaluate(id, depth, active)
	if best < 0 {
		return n.wrong, true
	}
	cand := g.cands[best]
	if cand.missing {
		return 0, false
	}
	below := g.active[start:]
	g.divide(id, depth, &cand, below)
	first, num := g.nodes[id].first, g.nodes[id].num
	for b := range num {
		w, ok := g.grow(first+b, depth+1, below)
		if !ok {
			return 0, false
		}
		wrong += w
	}
	n = &g.nodes[id]
	if wrong == n.wrong && !g.cfg.NoCollapse {
		n.split = leaf
		g.nodes = g.nodes[:first]
		g.counts = g.counts[:int(first)*g.classes]
	}
	return wrong, true
}

// evaluate makes the candidates of a node and returns the index of the best,
// or -1 if there is none. It pushes the columns on which nodes below may be
// split.
func (g *unit) evaluate(id int32, depth int, active []int32) int {
	n := &g.nodes[id]
	g.scan.count(g.perClass(id))
	g.cands = g.cands[:0]
	for _, k := range active {
		c := &g.cols[k]
		cand := candidate{col: k}
		var again bool
		if c.nominal {
			again = g.scan.nominal(c, g.idx[n.lo:n.hi], &cand)
		} else {
			again = g.scan.numeric(c, g.list(depth, k, n.lo, n.hi), &cand)
		}
		if again {
			g.active = append(g.active, k)
		}
		if cand.valid {
			g.cands = append(g.cands, cand)
		}
	}
	return choose(g.cols, g.cands, float64(n.hi-n.lo))
}
