package tan

import (
	"math"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/learner/internal/detmath"
	"github.com/learnbench/learnbench/learntest/learner/internal/scratch"
	"github.com/learnbench/learnbench/learntest/learner/internal/trainset"
)

// A network is the memory of a model. Later trainings use it again.
type network struct {
	names   []string // of the columns
	class   int      // column of the class
	classes int
	prior   []float64 // logarithm of the probability of each class
	nodes   []node
	logs    []float64
	value   []int32 // of each attribute in the row that is classified
	totals  []float64
	none    []float64
	table   *dataset.Table // that the nodes are bound to
}

// A node is an attribute with the logarithms of its probabilities. The logarithm for value v
// given value u of its second parent and class c is logs[start+(u*card+v)*classes+c].
type node struct {
	trainset.Column
	card, mode, parent int32
	cuts               []float64
	start              int
}

// fill sets it to the network that has been trained.
func (m *network) fill(w *workspace, alpha float64) {
	t := w.table
	m.names = m.names[:0]
	for j := range t.NumAttributes() {
		m.names = append(m.names, t.Attribute(j).Name)
	}
	m.class, m.classes = t.ClassIndex(), w.classes
	m.setPrior(w, alpha)
	m.nodes = scratch.Resize(m.nodes, len(w.attrs))
	m.value = scratch.Resize(m.value, len(w.attrs))
	m.logs = m.logs[:0]
	for k := range w.attrs {
		a, n := &w.attrs[k], &m.nodes[k]
		n.Column = trainset.NewColumn(t, a.col)
		n.card, n.mode, n.parent = a.card, a.mode, a.parent
		n.cuts = append(n.cuts[:0], a.cuts...)
		m.setTable(w, n, a, alpha)
	}
}

func (m *network) setPrior(w *workspace, alpha float64) {
	m.prior = scratch.Resize(m.prior, m.classes)
	for c := range m.prior {
		m.prior[c] = alpha
	}
	total := float64(m.classes) * alpha
	for q, c := range w.class {
		x := w.weight(q)
		m.prior[c] += x
		total += x
	}
	for c, n := range m.prior {
		m.prior[c] = detmath.Log(n / total)
	}
}

// weight returns the weight of the instance at position q.
func (w *workspace) weight(q int) float64 {
	if x := w.table.Weights(); x != nil {
		return x[w.rows[q]]
	}
	return 1
}

// setTable appends the logarithms of the probabilities of an attribute.
func (m *network) setTable(w *workspace, n *node, a *attribute, alpha float64) {
	n.start = len(m.logs)
	card, configs := int(a.card), 1
	var parent []int32
	if a.parent >= 0 {
		configs = int(w.attrs[a.parent].card)
		parent = w.attrs[a.parent].code
	}
	m.logs = scratch.Resize(m.logs, n.start+configs*card*m.classes)
	counts := m.logs[n.start:]
	for i := range counts {
		counts[i] = alpha
	}
	m.totals = scratch.Resize(m.totals, configs*m.classes)
	for i := range m.totals {
		m.totals[i] = float64(card) * alpha
	}
	for q, c := range w.class {
		u := 0
		if parent != nil {
			u = int(parent[q])
		}
		x := w.weight(q)
		counts[(u*card+int(a.code[q]))*m.classes+int(c)] += x
		m.totals[u*m.classes+int(c)] += x
	}
	for u := range configs {
		totals := m.totals[u*m.classes:][:m.classes]
		none := m.none[:0]
		for _, x := range totals {
			none = append(none, detmath.Log(alpha/x))
		}
		m.none = none
		for v := range card {
			row := counts[(u*card+v)*m.classes:][:m.classes]
			for c, x := range row {
				if x == alpha { // as in many cells
					row[c] = none[c]
				} else {
					row[c] = detmath.Log(x / totals[c])
				}
			}
		}
	}
}

// distribution writes the class probabilities of a row into dist.
func (m *network) distribution(t *dataset.Table, row int, dist []float64) {
	trainset.Bind(&m.table, t, "tan", m.nodes)
	clear(dist)
	for k := range m.nodes {
		n := &m.nodes[k]
		var v int32
		if n.Numbers != nil {
			v = bin(n.cuts, n.Numbers[row])
		} else {
			v = n.Codes[row]
		}
		if v < 0 {
			v = n.mode
		}
		m.value[k] = v
	}
	k := 0
	for j := range m.names {
		if j == m.class {
			for c, p := range m.prior {
				dist[c] += p
			}
			continue
		}
		n := &m.nodes[k]
		v := int(m.value[k])
		k++
		if n.parent >= 0 {
			v += int(m.value[n.parent] * n.card)
		}
		for c, p := range m.logs[n.start+v*m.classes:][:m.classes] {
			dist[c] += p
		}
	}
	most := math.Inf(-1)
	for c := range dist {
		dist[c]++ // as Weka does, which may round
		most = max(most, dist[c])
	}
	sum := 0.0
	for c, p := range dist {
		dist[c] = detmath.Exp(p - most)
		sum += dist[c]
	}
	for c := range dist {
		dist[c] /= sum
	}
}

// release forgets tables, so that the pool does not keep them alive.
func (m *network) release() {
	m.table = nil
	for k := range m.nodes {
		m.nodes[k].Column = trainset.Column{}
	}
}
