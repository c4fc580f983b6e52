package c45

import "github.com/learnbench/learnbench/learntest/learner/internal/scratch"

// A gnode is a node of a tree that grows. Its instances are those from lo to hi;
// its distribution is as in a finished tree.
type gnode struct {
	cut    float64
	est    float64 // estimated errors of the subtree, once it is pruned
	wrong  float64 // weight of the instances that are not of the node's class
	first  int32   // index of the first child; the others follow it
	dist   int32
	lo, hi int32
	lists  int32 // number of numeric columns on which nodes below may be split
	spot   int32 // where the counts of a leaf are while instances pass a branch, 0 if none has reached it
	split  kind
	empty  bool
	unit   bool // all instances weigh 1
	whole  bool // they do, and lack no value, so that they are never divided
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

// A grower grows and prunes a tree. Instances without some values are divided
// among the branches of a node, so that they have weights, even if all weigh 1
// at the root.
//
// Whole nodes have a way of their own where that is faster: their instances go to
// one branch each, and their sums are integers, which no order changes. Where
// the last digits of other sums matter, see wekaSums.
//
// Each numeric column is sorted once, and the sorted lists of a node are divided
// among its children.
type grower struct {
	*problem
	nodes []gnode
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
	rows   []int32
	cells  []int32
	raiser

	lists  []key     // stack of the keys of the active numeric columns, by node
	sides  []uint8   // of each row which of two branches it takes, see markSides
	at     []float64 // of each row the weight
	routes []route
}

// load sets the instances to those of the training set.
func (g *grower) load(p *problem) {
	g.problem, g.scan.problem, g.weigh.problem = p, p, p
	g.nodes = append(g.nodes[:0], gnode{hi: int32(p.n), whole: p.weight == nil && !p.missing && !p.general})
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
func (g *grower) build(p *problem) {
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
	g.sides, g.at = scratch.Resize(g.sides, p.rows), scratch.Resize(g.at, p.rows)
	g.memo = scratch.Resize(g.memo, maxMemo*maxMemo)
	if g.sumLeaf(&g.nodes[0]); !g.nodes[0].stops {
		g.grow(0, g.active, 0)
	}
	if p.cfg.Pruning == Pessimistic {
		g.prune(0)
	}
}

// grow grows the subtree of node id, which has its instances and their sums. It
// may be split on the active columns; their lists start at base. A subtree that
// makes no fewer errors on the training set than a leaf is replaced by one. grow
// returns the weight of the training instances that the subtree, as it was, puts
// into the wrong class.
func (g *grower) grow(id int32, active []int32, base int) float64 {
	start, instances := len(g.active), len(g.pos)
	cand := g.selectSplit(&g.nodes[id], active, base)
	if cand == nil {
		g.active = g.active[:start]
		return g.nodes[id].wrong
	}
	if g.divide(id, cand) {
		g.deal(id, active, g.active[start:], base)
	}
	sum := g.growChildren(id, g.active[start:])
	g.active = g.active[:start]
	if n := &g.nodes[id]; sum >= n.wrong-1e-3 && !g.cfg.NoCollapse {
		n.split = leaf
		g.nodes = g.nodes[:n.first]
		g.dist = g.dist[:int(n.dist)+1+g.classes]
		g.pos, g.wt = g.pos[:instances], g.wt[:instances]
	}
	return sum
}

// growChildren grows the subtrees of the children of node id, for which only
// the given columns are active. The lists of those that may be split have been dealt.
func (g *grower) growChildren(id int32, active []int32) (wrong float64) {
	first, num, lists := g.nodes[id].first, g.nodes[id].num, int(g.nodes[id].lists)
	for child := first; child < first+num; child++ {
		n := &g.nodes[child]
		if n.stops {
			wrong += n.wrong
			continue
		}
		at := len(g.lists) - lists*int(n.hi-n.lo)
		wrong += g.grow(child, active, at)
		g.lists = g.lists[:at]
	}
	return wrong
}
