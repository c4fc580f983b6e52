package c45

import (
	"sync"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/learner"
)

// A Model is a decision tree. Its methods must not be used after Close.
type Model struct {
	tree
	unpruned bool
	laplace  bool
	scratch  []float64
	pool     *sync.Pool
}

var _ learner.Model = (*Model)(nil)

// Distribution writes the class probabilities of a row into dist: the class
// weights at the leaf that the row reaches, divided by their sum. A row that
// lacks a value that is tested reaches several leaves, with weights in
// proportion to those of the training instances on the branches. On a branch
// that no training instance took, the class weights are those of the node
// above.
func (m *Model) Distribution(t *dataset.Table, row int, dist []float64) {
	m.scratch = m.scratch[:0]
	m.distribute(&m.nodes[0], t, row, 1, dist)
}

// distribute sets dist to weight times the distribution below n.
func (m *Model) distribute(n *node, t *dataset.Table, row int, weight float64, dist []float64) {
	for n.split != leaf {
		b := m.branch(n, t, row)
		if b < 0 {
			m.spread(n, t, row, weight, dist)
			return
		}
		child := m.child(n, b)
		if child.empty {
			if w := m.perBag(n)[b]; gr(w, 0) {
				m.scale(m.bag(n, b), w, weight, dist)
				return
			}
			break
		}
		n = child
	}
	m.scale(m.perClass(n), m.total(n), weight, dist)
}

// spread divides a row of unknown value among the branches.
func (m *Model) spread(n *node, t *dataset.Table, row int, weight float64, dist []float64) {
	start := len(m.scratch)
	m.scratch = append(m.scratch, dist...)
	clear(dist)
	total := m.total(n)
	for b, w := range m.perBag(n) {
		child := m.child(n, b)
		if child.empty {
			continue
		}
		part := m.scratch[start : start+len(dist)]
		m.distribute(child, t, row, w/total*weight, part)
		for c, p := range part {
			dist[c] += p
		}
	}
	m.scratch = m.scratch[:start]
}

// scale sets dist to weight times the class weights divided by their total.
func (m *Model) scale(classes []float64, total, weight float64, dist []float64) {
	switch {
	case m.laplace:
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

// Leaves returns the number of leaves, those included that no training
// instance reached.
func (m *Model) Leaves() int {
	count := 0
	for i := range m.nodes {
		if m.nodes[i].split == leaf {
			count++
		}
	}
	return count
}

// Size returns the number of nodes, the leaves included.
func (m *Model) Size() int { return len(m.nodes) }

// Close gives the model's memory back to the classifier.
func (m *Model) Close() error {
	if p := m.pool; p != nil {
		m.pool = nil
		p.Put(m)
	}
	return nil
}
