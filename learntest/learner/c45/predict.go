package c45

import (
	"slices"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/learner/internal/trainset"
)

// A predictor finds class distributions.
type predictor struct {
	*tree
	laplace bool
	inexact bool // the result comes from inexact sums
	scratch []float64
	sums    *wekaSums // of the tree, to be made where they are needed, or nil

	// If factor is not nil, nodes whose factor is at most limit are leaves.
	factor []float64
	limit  float64
}

// predict sets dist to the distribution of a row.
func (p *predictor) predict(x *tree, t *dataset.Table, row int, dist []float64) {
	trainset.Bind(&x.bound, t, "c45", x.attrs)
	p.tree, p.inexact, p.scratch = x, false, p.scratch[:0]
	p.distribute(0, row, 1, dist)
	p.tree = nil
}

// isLeaf reports whether a node is a leaf or to be taken for one.
func (p *predictor) isLeaf(at int32) bool {
	return p.nodes[at].split == leaf || p.factor != nil && p.factor[at] <= p.limit
}

// distribute sets dist to weight times the distribution below a node.
func (p *predictor) distribute(at int32, row int, weight float64, dist []float64) {
	n := p.node(at)
	for !p.isLeaf(at) {
		b := p.branch(n, row)
		if b < 0 {
			p.spread(n, row, weight, dist)
			return
		}
		at = n.first + int32(b)
		if p.nodes[at].empty {
			if w := p.perBag(n)[b]; gr(w, 0) {
				p.scale(n, p.bag(n, b), w, weight, dist)
				return
			}
			break
		}
		n = p.node(at)
	}
	p.scale(n, p.perClass(n), p.total(n), weight, dist)
}

// node returns a node, whose sums it makes if need be.
func (p *predictor) node(at int32) *node {
	if p.sums != nil {
		p.sums.need(at)
	}
	return &p.nodes[at]
}

// spread divides a row of unknown value among the branches.
func (p *predictor) spread(n *node, row int, weight float64, dist []float64) {
	p.inexact = p.inexact || n.inexact
	start := len(p.scratch)
	p.scratch = slices.Grow(p.scratch, len(dist))[:start+len(dist)]
	clear(dist)
	total := p.total(n)
	for b, w := range p.perBag(n) {
		child := n.first + int32(b)
		if p.nodes[child].empty {
			continue
		}
		part := p.scratch[start : start+len(dist)]
		p.distribute(child, row, w/total*weight, part)
		for c, q := range part {
			dist[c] += q
		}
	}
	p.scratch = p.scratch[:start]
}

// scale sets dist to weight times the class weights at n divided by their
// total.
func (p *predictor) scale(n *node, classes []float64, total, weight float64, dist []float64) {
	p.inexact = p.inexact || n.inexact
	switch {
	case p.laplace:
		total += float64(len(classes))
		for c, w := range classes {
			dist[c] = weight * ((w + 1) / total)
		}
	case eq(total, 0):
		clear(dist)
	default:
		for c, w := range classes {
			dist[c] = weight * (w / total)
		}
	}
}
