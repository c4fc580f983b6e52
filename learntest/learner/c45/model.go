package c45

import (
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/learner"
)

// A Model is a decision tree. Its methods must not be used after Close.
type Model struct {
	tree
	classifier *Classifier
	predictor  predictor
	factor     float64 // of cost-complexity pruning
	spare      tree

	// Where last digits decide, the digits of Weka's sums do. The sums are computed on demand.
	source *dataset.Table // nil if all sums are exact
	rows   []int32
	exact  *workspace // nil before it is needed
}

var _ learner.Model = (*Model)(nil)

// Distribution writes the class probabilities of a row into dist: the class weights at the
// leaf that the row reaches, divided by their sum. A row that lacks a tested value reaches
// several leaves, with weights in proportion to the weights of the training instances on the
// branches. On a branch that no training instance took, the class weights are the weights of
// the node above.
func (m *Model) Distribution(t *dataset.Table, row int, dist []float64) {
	p := &m.predictor
	p.laplace = m.classifier.cfg.Laplace
	if p.predict(&m.tree, t, row, dist); p.inexact && tied(dist) {
		p.sums = m.wekaSums()
		p.predict(&p.sums.tree, t, row, dist)
		p.sums = nil
	}
}

// tied reports whether the greatest of the probabilities is nearly equal to
// another one.
func tied(dist []float64) bool {
	first, second := 0.0, 0.0
	for _, p := range dist {
		if p > first {
			first, second = p, first
		} else if p > second {
			second = p
		}
	}
	return first-second <= 1e-9*first
}

// wekaSums returns the sums that Weka has, of the nodes for which they were
// made so far.
func (m *Model) wekaSums() *wekaSums {
	if m.exact == nil {
		m.exact = m.classifier.spaces.Get()
		m.exact.prepare(m.classifier, m.source, m.rows)
		m.exact.sums.start(&m.exact.problem, &m.exact.grower.sapling, &m.tree)
	}
	return &m.exact.sums
}

// inWekaOrder returns the tree with all sums as Weka has them.
func (m *Model) inWekaOrder() *tree {
	if m.source == nil {
		return &m.tree
	}
	s := m.wekaSums()
	for i := range m.nodes {
		s.need(int32(i))
	}
	return &s.tree
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

// Factor returns the factor that cost-complexity pruning chose, the rise of the
// error rate on the training set that a leaf must prevent, and 0 with another
// pruning.
func (m *Model) Factor() float64 { return m.factor }

// Close gives the model's memory back to the classifier.
func (m *Model) Close() error {
	if c := m.classifier; c != nil {
		if m.exact != nil {
			m.exact.release()
			c.spaces.Put(m.exact)
		}
		m.classifier, m.source, m.exact = nil, nil, nil
		m.tree.release()
		m.spare.release()
		c.models.Put(m)
	}
	return nil
}
