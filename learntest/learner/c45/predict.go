package c45

import "github.com/learnbench/learnbench/learntest/dataset"

// A predictor finds class distributions.
type predictor struct {
	*tree
	laplace bool
	inexact bool // the result comes from inexact sums
	scratch []float64
}

// predict sets dist to the distribution of a row.
func (p *predictor) predict(x *tree, t *dataset.Table, row int, dist []float64) {
	p.tree, p.inexact, p.scratch = x, false, p.scratch[:0]
	p.distribute(&x.nodes[0], t, row, 1, dist)
	p.tree = nil
}

// distribute sets dist to weight times the distribution below n.
func (p *predictor) distribute(n *node, t *dataset.Table, row int, weight float64, dist []float64) {
	for n.split != leaf {
		b := p.branch(n, t, row)
		if b < 0 {
			p.spread(n, t, row, weight, dist)
			return
		}
		child := p.child(n, b)
		if child.empty {
			if w := p.perBag(n)[b]; gr(w, 0) {
				p.scale(n, p.bag(n, b), w, weight, dist)
				return
			}
			break
		}
		n = child
	}
	p.scale(n, p.perClass(n), p.total(n), weight, dist)
}

// spread divides a row of unknown value among the branches.
func (p *predictor) spread(n *node, t *dataset.Table, row int, weight float64, dist []float64) {
	p.inexact = p.inexact || n.inexact
	start := len(p.scratch)
	p.scratch = append(p.scratch, dist...)
	clear(dist)
	total := p.total(n)
	for b, w := range p.perBag(n) {
		child := p.child(n, b)
		if child.empty {
			continue
		}
		part := p.scratch[start : start+len(dist)]
		p.distribute(child, t, row, w/total*weight, part)
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
