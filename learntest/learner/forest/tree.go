package forest

import (
	"math"
	"math/rand/v2"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/learner/internal/scratch"
	"github.com/learnbench/learnbench/learntest/learner/internal/trainset"
)

// A workspace is the memory of a model and of its training. Later trainings
// use it again.
type workspace struct {
	cfg      Config
	rows     []int32
	declared int // classes
	inputs   []trainset.Column
	columns  []column
	table    *dataset.Table // the table that inputs are bound to
	looked   int            // columns that a node looks at

	roots  []int32
	nodes  []node
	shares []float64 // of the classes in the leaves of several, as codes of classes and shares

	rng       *rand.Rand
	source    rand.PCG
	counts    []int32 // how often each training row was drawn
	turns     []int32 // the columns, in the order in which a node draws them
	samples   []sample
	spare     []sample
	waiting   []task
	search    search
	presences []bool
}

// A column is a numeric attribute, or one value of a nominal one.
type column struct {
	input int32
	value int32 // of a nominal attribute

	ranks  []int32   // of the number of each row among values, len(values) where missing
	values []float64 // the numbers of the table in ascending order
}

// A sample is a training row in a tree.
type sample struct {
	row, class int32
	weight     float64
}

// A node sends a row to the child nodes[child] if its value is at most the threshold, else to the
// next one. A leaf has a negative column, and its class or its place in shares for a child.
type node struct {
	threshold   float64
	child       int32
	column      int32
	missingLeft bool
}

// The columns of leaves.
const (
	pure  = -1 // of the class child
	mixed = -2 // of the shares that begin at child
)

// A task is a node that is to be grown from samples[from:to].
type task struct {
	node, depth int32
	from, to    int
}

// train grows the trees from w.rows.
func (w *workspace) train(t *dataset.Table, index *trainset.Index, cfg Config, seed uint64) {
	w.cfg, w.declared = cfg, t.NumClasses()
	w.takeColumns(t, index)
	if w.rng == nil {
		w.rng = rand.New(&w.source)
	}
	w.search.reset(w.declared)
	w.roots, w.nodes, w.shares = w.roots[:0], w.nodes[:0], w.shares[:0]
	for tree := range cfg.Trees {
		w.source.Seed(seed, uint64(tree))
		w.draw(t)
		w.grow()
	}
}

// takeColumns lists the columns.
func (w *workspace) takeColumns(t *dataset.Table, index *trainset.Index) {
	w.inputs, w.columns = w.inputs[:0], w.columns[:0]
	for j := range t.NumAttributes() {
		if j != t.ClassIndex() {
			w.inputs = append(w.inputs, trainset.NewColumn(t, j))
		}
	}
	w.table = nil
	trainset.Bind(&w.table, t, "forest", w.inputs)
	for k := range w.inputs {
		in := &w.inputs[k]
		if in.Meta.Kind == dataset.Numeric {
			r := index.Column(in.Index)
			w.columns = append(w.columns, column{input: int32(k), ranks: r.Codes, values: r.Values})
			continue
		}
		w.presences = scratch.Resize(w.presences, len(in.Meta.Values))
		clear(w.presences)
		for _, r := range w.rows {
			if c := in.Codes[r]; c >= 0 {
				w.presences[c] = true
			}
		}
		for v, there := range w.presences {
			if there {
				w.columns = append(w.columns, column{input: int32(k), value: int32(v)})
			}
		}
	}
	w.looked = w.cfg.Features
	if w.looked == 0 {
		w.looked = max(1, int(math.Sqrt(float64(len(w.columns)))))
	}
	w.turns = scratch.Resize(w.turns, len(w.columns))
	for j := range w.turns {
		w.turns[j] = int32(j)
	}
}

// draw sets samples to as many training rows as there are, drawn with replacement.
func (w *workspace) draw(t *dataset.Table) {
	n := len(w.rows)
	w.counts = scratch.Resize(w.counts, n)
	clear(w.counts)
	for range n {
		w.counts[w.rng.IntN(n)]++
	}
	w.take(t)
}

// take sets samples to the training rows that counts has, with their weights.
func (w *workspace) take(t *dataset.Table) {
	class, weights := t.Codes(t.ClassIndex()), t.Weights()
	w.samples = w.samples[:0]
	for i, r := range w.rows {
		if w.counts[i] == 0 {
			continue
		}
		s := sample{r, class[r], float64(w.counts[i])}
		if weights != nil {
			s.weight = float64(s.weight * weights[r])
		}
		w.samples = append(w.samples, s)
	}
	w.spare = scratch.Resize(w.spare, len(w.samples))
}

// grow adds a tree of the samples.
func (w *workspace) grow() {
	w.roots = append(w.roots, int32(len(w.nodes)))
	w.waiting = append(w.waiting[:0], task{node: int32(len(w.nodes)), to: len(w.samples)})
	w.nodes = append(w.nodes, node{})
	for len(w.waiting) > 0 {
		k := w.waiting[len(w.waiting)-1]
		w.waiting = w.waiting[:len(w.waiting)-1]
		samples := w.samples[k.from:k.to]
		s := &w.search
		s.begin(samples)
		if len(s.classes) == 1 || len(samples) < 2*w.cfg.MinLeaf || w.cfg.MaxDepth > 0 &&
			int(k.depth) == w.cfg.MaxDepth || !w.split() {
			w.nodes[k.node] = w.newLeaf()
			s.end()
			continue
		}
		s.end()
		best := s.best
		middle := k.from + w.divide(samples, best)
		child := int32(len(w.nodes))
		w.nodes[k.node] = node{
			threshold: best.threshold, child: child, column: best.column,
			missingLeft: best.missingLeft,
		}
		w.nodes = append(w.nodes, node{}, node{})
		w.waiting = append(w.waiting, task{child + 1, k.depth + 1, middle, k.to},
			task{child, k.depth + 1, k.from, middle})
	}
}

// split looks at columns drawn at random, and reports whether any of them has a split.
func (w *workspace) split() bool {
	varied := false
	for drawn := 0; drawn < len(w.turns) && (drawn < w.looked || !varied); drawn++ {
		other := drawn + w.rng.IntN(len(w.turns)-drawn)
		w.turns[drawn], w.turns[other] = w.turns[other], w.turns[drawn]
		if w.search.look(w, w.turns[drawn]) {
			varied = true
		}
	}
	return w.search.best.column >= 0
}

// left reports whether a sample goes to the left of a split in training.
func (w *workspace) left(row int32, b split) bool {
	c := &w.columns[b.column]
	if c.ranks == nil {
		return w.inputs[c.input].Codes[row] != c.value
	}
	if r := c.ranks[row]; int(r) < len(c.values) {
		return r <= b.rank
	}
	return b.missingLeft
}

// divide moves samples that go to the left before the others, both in their order, and returns
// how many these are.
func (w *workspace) divide(samples []sample, b split) int {
	n, rest := 0, 0
	for _, s := range samples {
		if w.left(s.row, b) {
			samples[n] = s
			n++
		} else {
			w.spare[rest] = s
			rest++
		}
	}
	copy(samples[n:], w.spare[:rest])
	return n
}

// newLeaf returns a leaf of the samples that the search has begun with.
func (w *workspace) newLeaf() node {
	s := &w.search
	if len(s.classes) == 1 {
		return node{column: pure, child: s.classes[0]}
	}
	leaf := node{column: mixed, child: int32(len(w.shares))}
	w.shares = append(w.shares, float64(len(s.classes)))
	for _, c := range s.classes {
		w.shares = append(w.shares, float64(c), s.all[c]/s.weight)
	}
	return leaf
}

// leaf returns the leaf that a row of the bound table falls into.
func (w *workspace) leaf(at int32, row int) node {
	for {
		n := w.nodes[at]
		if n.column < 0 {
			return n
		}
		c := &w.columns[n.column]
		in := &w.inputs[c.input]
		var left bool
		if in.Codes != nil {
			left = in.Codes[row] != c.value
		} else if x := in.Numbers[row]; x == x {
			left = x <= n.threshold
		} else {
			left = n.missingLeft
		}
		if at = n.child; !left {
			at++
		}
	}
}

// add adds the shares of a leaf to dist.
func (w *workspace) add(dist []float64, leaf node) {
	if leaf.column == pure {
		dist[leaf.child]++
		return
	}
	shares := w.shares[leaf.child:]
	for k := range int(shares[0]) {
		dist[int(shares[2*k+1])] += shares[2*k+2]
	}
}

// release forgets the table, so that the pool does not keep it alive.
func (w *workspace) release() {
	w.table = nil
	clear(w.inputs)
	clear(w.columns)
}
