package c45

import "github.com/learnbench/learnbench/learntest/learner/internal/scratch"

// maxMemo is the number of instances below which estimates are remembered.
const maxMemo = 64

// A pruner replaces nodes by leaves or by branches, and estimates the errors of a branch that
// might be raised.
type pruner struct {
	tree   *sapling
	memo   []float64 // estimated errors of small whole leaves, 0 if they are not known
	passed []int32   // class counts of the leaves of a whole branch that further instances reach
	spots  []int32   // those leaves

	branch  instances // stack of what passes down a branch
	bags    []float64 // stack of the weights of its branches
	ends    []int32   // stack of the ends of its branches
	classes []float64 // weights at one of its leaves
}

// prune prunes a tree that has been grown.
func (p *pruner) prune(s *sapling) {
	p.tree, p.memo = s, scratch.Resize(p.memo, maxMemo*maxMemo)
	p.pruneNode(0)
	p.tree = nil
}

// pruneNode prunes the subtree, from the bottom, and sets its estimated errors.
func (p *pruner) pruneNode(id int32) {
	s := p.tree
	n := &s.nodes[id]
	asLeaf := p.leafErrors(n)
	if n.split == leaf {
		n.est = asLeaf
		return
	}
	asTree := 0.0
	for b := range n.num {
		p.pruneNode(n.first + b)
		asTree += s.nodes[n.first+b].est
	}
	largest := n.first + largestBag(s.perBag(n))
	raise := !s.cfg.NoRaising
	asBranch := 0.0
	if raise {
		asBranch = p.raisedErrors(n, largest)
	}
	switch {
	case smEq(asLeaf, asTree+0.1) && (!raise || smEq(asLeaf, asBranch+0.1)):
		n.split = leaf
		n.est = asLeaf
	case raise && smEq(asBranch, asTree+0.1):
		b := &s.nodes[largest]
		n.split, n.cut, n.first, n.dist = b.split, b.cut, b.first, b.dist
		n.test, n.col, n.most, n.num = b.test, b.col, b.most, b.num
		p.resum(id)
		p.pruneNode(id)
	default:
		n.est = asTree
	}
}

// leafErrors returns the estimated errors of a node as a leaf.
func (p *pruner) leafErrors(n *gnode) float64 {
	s := p.tree
	total := s.dist[n.dist]
	if n.whole {
		return p.estimate(int32(total), int32(n.wrong))
	}
	return s.est.errors(total, n.wrong)
}

// largestBag returns the last of the branches of greatest weight.
func largestBag(bags []float64) int32 {
	best, most := 0, 0.0
	for b, w := range bags {
		if grEq(w, most) {
			best, most = b, w
		}
	}
	return int32(best)
}

// resum sets the distributions of the subtree anew from the instances of its
// root.
func (p *pruner) resum(id int32) {
	s := p.tree
	n := &s.nodes[id]
	n.resummed = true
	if n.split == leaf {
		n.test = leaf
		s.sumLeaf(n)
		return
	}
	s.divide(n)
	for b := range n.num {
		child := &s.nodes[n.first+b]
		child.sorted, child.whole = false, n.whole
		p.resum(n.first + b)
	}
}
