package tan

import (
	"slices"
	"strings"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/learner"
	"github.com/learnbench/learnbench/learntest/learner/internal/scratch"
)

// A Model is a Bayesian network. Its methods must not be used after Close.
type Model struct{ lent scratch.Loan[network] }

var _ learner.Model = (*Model)(nil)

// Distribution writes the class probabilities of a row into dist. It panics if
// the attributes of t are not those trained on.
func (m *Model) Distribution(t *dataset.Table, row int, dist []float64) {
	m.lent.Use("tan: Distribution").distribution(t, row, dist)
}

// Parents returns for each column of the table its second parent, -1 for the
// class and for the attribute that has none.
func (m *Model) Parents() []int {
	net := m.lent.Space
	p := make([]int, len(net.names))
	for j := range p {
		p[j] = -1
	}
	for _, n := range net.nodes {
		if n.parent >= 0 {
			p[n.Index] = net.nodes[n.parent].Index
		}
	}
	return p
}

// Cuts returns the cut points of column j in ascending order, none for a
// nominal column.
func (m *Model) Cuts(j int) []float64 {
	for _, n := range m.lent.Space.nodes {
		if n.Index == j {
			return slices.Clone(n.cuts)
		}
	}
	return nil
}

// String lists the attributes with their parents, a line each.
func (m *Model) String() string {
	net := m.lent.Space
	var b strings.Builder
	for j, p := range m.Parents() {
		switch {
		case j == net.class:
			b.WriteString(net.names[j])
		case p < 0:
			b.WriteString(net.names[j] + ": " + net.names[net.class])
		default:
			b.WriteString(net.names[j] + ": " + net.names[net.class] + ", " + net.names[p])
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// Close gives the model's memory back to the classifier. Closing twice does nothing.
func (m *Model) Close() error { return m.lent.Close((*network).release) }
