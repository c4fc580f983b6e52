package c45

import (
	"github.com/learnbench/learnbench/learntest/learner/internal/scratch"
	"github.com/learnbench/learnbench/learntest/learner/internal/weka"
)

// An origin tells how the distribution of a node was summed. What a node tests
// here, a leaf may have tested before it was pruned.
type origin struct {
	col      int32   // index in problem.cols
	most     float64 // numeric: the greatest value that goes left
	num      int32   // number of branches
	test     kind    // leaf if the instances were not divided
	sorted   bool    // Weka has sorted the instances by each numeric column
	resummed bool    // a branch was raised to this node or to one above
}

// wekaSums are the sums of a tree with the digits that they have in Weka. They
// are inexact where weights are fractions, so that their last digits depend on
// the order of summation and decide between classes of equal weight.
//
// Weka sorts the instances of each node that it splits by each numeric attribute in turn, with
// a sort that is not stable. It sums the instances with a known value after the sort by the
// attribute of the split, the others after the last sort, and hands them to the children in
// the resulting order. Where it raises a branch, it sums anew, without further sorts.
//
// Splits and pruning do not depend on last digits, within the tolerances of the algorithm. So
// the sums of a node follow from the sums of the nodes above it alone.
type wekaSums struct {
	tree            // shares all but dist with the tree that was grown
	made  []bool    // of each node whether it has its sums
	ranks [][]int32 // of each numeric column that has needed them
	g     *sapling  // has the instances of the nodes that are made and of their children
	keys  []uint64
	known instances
	all   instances
}

// start prepares the sums of x, a tree for the training set p, without computing any.
func (s *wekaSums) start(p *problem, g *sapling, x *tree) {
	g.load(p)
	g.nodes = scratch.Resize(g.nodes, len(x.nodes))
	clear(g.nodes[1:])
	s.made = scratch.Resize(s.made, len(x.nodes))
	clear(s.made)
	dist := scratch.Resize(s.tree.dist, len(x.dist))
	s.ranks = scratch.Resize(s.ranks, len(g.cols))
	clear(s.ranks)
	s.g, s.tree = g, *x
	s.tree.dist = dist
}

// release lets go of the tree.
func (s *wekaSums) release() {
	clear(s.ranks)
	s.g, s.tree = nil, tree{dist: s.tree.dist}
}

// need computes the sums of a node once. The sums of the nodes above it must exist.
func (s *wekaSums) need(at int32) {
	if s.made[at] {
		return
	}
	s.made[at] = true
	g, d, n := s.g, &s.nodes[at], &s.g.nodes[at]
	n.origin = d.origin
	x := g.part(n.lo, n.hi)
	known := x
	if n.sorted {
		s.sort(x, n.col)
		if !n.resummed {
			known = s.known
		}
	}
	if n.test == leaf {
		g.sumLeaf(n)
	} else {
		n.dist = g.addDist((1 + g.classes) * int(1+n.num))
		g.sumSplit(n, known, x)
	}
	copy(s.dist[d.dist:], g.dist[n.dist:][:(1+g.classes)*int(1+d.num)])
	if d.split != leaf {
		n.first = d.first
		g.hand(n)
	}
	g.dist = g.dist[:0]
}

// sort sorts the instances x by each numeric column. It sets known to them in
// the order after the sort by column last, or by the one before it if that is
// nominal.
func (s *wekaSums) sort(x instances, last int32) {
	s.keys = scratch.Resize(s.keys, len(x.pos))
	for i := range s.keys {
		s.keys[i] = uint64(i)
	}
	for k := range s.g.cols {
		if c := &s.g.cols[k]; !c.nominal {
			if s.ranks[k] == nil {
				s.ranks[k] = s.g.ranks(s.g.table, c)
			}
			rank := s.ranks[k]
			for i, key := range s.keys {
				p := uint32(key)
				s.keys[i] = uint64(rank[x.pos[p]])<<32 | uint64(p)
			}
			weka.Sort(s.keys)
		}
		if int32(k) == last {
			s.known.pick(x, s.keys)
		}
	}
	s.all.pick(x, s.keys)
	copy(x.pos, s.all.pos)
	copy(x.wt, s.all.wt)
}

// pick sets y to the instances of x at the indices in the lower halves of keys.
func (y *instances) pick(x instances, keys []uint64) {
	y.pos, y.wt = y.pos[:0], y.wt[:0]
	for _, key := range keys {
		i := uint32(key)
		y.pos = append(y.pos, x.pos[i])
		y.wt = append(y.wt, x.wt[i])
	}
}
