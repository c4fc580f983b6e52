package c45

import "github.com/learnbench/learnbench/learntest/learner/internal/scratch"

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

// unit grows and prunes a tree on instances that all weigh 1 and lack no value,
// in integers, whose sums do not depend on an order.
//
// Each numeric column is sorted once. The sorted lists of a node are divided
// among its children without changing the order.
type unit struct {
	*problem
	nodes  []unode
	counts []int32 // of each node the number of instances of each class
	idx    []int32 // rows; those of a node are neighbours

	// lists holds for each numeric column the sorted keys of all instances,
	// those of a node at the same place as in idx. A node at an odd depth has
	// them in the second, one at an even depth in the first.
	lists [2][]key
	slot  []int32 // of each numeric column its place in lists

	active []int32 // stack of the columns on which nodes may be split
	cands  []candidate
	scan   scanner
	bag    []uint8 // of each row the branch of a numeric split
	keys   []key
	tmp    []int32
	ptr    []int32
	memo   []float64 // estimated errors of small leaves, 0 if they are not known
	passed []int32   // class counts of the leaves that instances reach on a branch
	spots  []int32   // those leaves
}

// build grows and prunes the tree.
func (g *unit) build(p *problem) {
	g.problem = p
	g.scan.problem = p
	g.nodes = append(g.nodes[:0], unode{hi: int32(p.n)})
	g.counts = scratch.Resize(g.counts, p.classes)
	clear(g.counts)
	for _, r := range p.set {
		g.counts[p.class[r]]++
	}
	g.idx = append(g.idx[:0], p.set...)
	g.setWrong(0)
	g.sortAll()
	g.memo = scratch.Resize(g.memo, maxMemo*maxMemo)
	g.active = g.active[:0]
	for k := range p.cols {
		g.active = append(g.active, int32(k))
	}
	g.grow(0, 0, g.active)
	if p.cfg.Pruning == Pessimistic {
		g.prune(0)
	}
}

// sortAll fills the first lists.
func (g *unit) sortAll() {
	g.slot = scratch.Resize(g.slot, len(g.cols))
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
	g.lists[0] = scratch.Resize(g.lists[0], size)
	g.lists[1] = scratch.Resize(g.lists[1], size)
	for k := range g.cols {
		if c := &g.cols[k]; !c.nominal {
			g.sort(c, g.list(0, int32(k), 0, int32(g.n)))
		}
	}
}

// list returns the keys of column k for the instances lo to hi.
func (g *unit) list(depth int, k, lo, hi int32) []key {
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
// the number of training errors.
func (g *unit) grow(id int32, depth int, active []int32) (wrong int32) {
	n := &g.nodes[id]
	if g.stops(n) {
		return n.wrong
	}
	start := len(g.active)
	best := g.evaluate(id, depth, active)
	if best >= 0 {
		cand := g.cands[best]
		below := g.active[start:]
		g.divide(id, depth, &cand, below)
		first, num := g.nodes[id].first, g.nodes[id].num
		for b := range num {
			wrong += g.grow(first+b, depth+1, below)
		}
	}
	g.active = g.active[:start]
	n = &g.nodes[id]
	if best < 0 {
		return n.wrong
	}
	if wrong == n.wrong && !g.cfg.NoCollapse {
		n.split = leaf
		g.nodes = g.nodes[:n.first]
		g.counts = g.counts[:int(n.first)*g.classes]
	}
	return wrong
}

// evaluate makes the candidates of a node and returns the index of the best,
// or -1 if there is none. It pushes the columns on which nodes below may be
// split.
func (g *unit) evaluate(id int32, depth int, active []int32) int {
	n := &g.nodes[id]
	g.scan.count(g.perClass(id))
	g.cands = scratch.Resize(g.cands, len(active))
	used := 0
	for _, k := range active {
		c := &g.cols[k]
		cand := &g.cands[used]
		cand.col, cand.valid = k, false
		var again bool
		if c.nominal {
			again = g.scan.nominal(c, g.idx[n.lo:n.hi], cand)
		} else {
			again = g.scan.numeric(c, g.list(depth, k, n.lo, n.hi), cand)
		}
		if again {
			g.active = append(g.active, k)
		}
		if cand.valid {
			used++
		}
	}
	return choose(g.many, g.cands[:used], float64(n.hi-n.lo))
}
