package neighbor

import (
	"cmp"
	"math"
	"slices"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/learner/internal/lanes"
	"github.com/learnbench/learnbench/learntest/learner/internal/scratch"
	"github.com/learnbench/learnbench/learntest/learner/internal/trainset"
)

const (
	// sampled bounds the number of points by which the spread of an attribute
	// is judged.
	sampled = 24

	// block is the number of points whose coordinates are computed together,
	// so that they stay in the processor's nearest cache.
	block = 64
)

// A workspace is the memory of a model and of its searches. Later trainings
// use it again.
//
// A training instance is a point. Its coordinates are its normalised numeric
// values. First come those of the full attributes, which no training instance
// lacks, by descending spread, since a sum over the first few of them often
// shows that a point is no neighbour.
type workspace struct {
	cfg     Config
	classes int
	attrs   []attribute
	order   []int32 // slot of each attribute if it is numeric, else its complement
	dx, dc  int     // numbers of numeric and of nominal attributes
	full    int     // number of full numeric attributes

	rows   []int32   // row of each point in the training table
	class  []int32   // class of each point
	weight []float64 // weight of each point; empty if all are 1
	x      []float64 // dx coordinates of each point, NaN if missing
	codes  []int32   // dc nominal codes of each point, -1 if missing
	lanes  packed
	tree   tree

	query query
	found nearest
	table *dataset.Table // the table that attrs are bound to

	training *dataset.Table
	indexed  bool    // whether x, codes, lanes and tree are there, which lists often make needless
	half     bool    // a missing value differs by half of the range, the least possible
	lists    *lists  // of the training table; nil if they are of no use
	marks    *lists  // those that are not due yet
	lister   *lister // that makes them
	point    []int32 // of each row of the training table; -1 if there is none
	turns    turns

	numeric []*attribute // numeric attributes by slot
}

// A query is the instance that is being classified.
type query struct {
	x     []float64 // NaN if missing
	lacks bool      // whether the value of a full attribute is missing
	codes []int32   // -2 if missing, which equals no point's code
	lanes []uint64
}

// train sets the model from w.rows.
func (w *workspace) train(t *dataset.Table, cfg Config, l *lists) {
	w.cfg, w.classes, w.table, w.training = cfg, t.NumClasses(), nil, t
	w.takeAttributes(t)
	w.takeClasses(t)
	if cfg.Ties == FirstTies {
		w.turns.take(w.rows, t.Len())
	}
	w.query.x = scratch.Resize(w.query.x, w.dx)
	w.query.codes = scratch.Resize(w.query.codes, w.dc)
	w.query.lanes = scratch.Resize(w.query.lanes, lanes.Words(w.dc))
	w.indexed = false
	w.bindLists(t, l)
	if w.lists == nil {
		w.index()
	}
}

// index makes what a search through all points takes. It may put the points in another
// order.
func (w *workspace) index() {
	t := w.training
	w.fill(t)
	w.tree.nodes = w.tree.nodes[:0]
	// Weka's sums of weighted votes depend on the order of the points.
	if !w.cfg.WekaOrder || t.Weights() == nil {
		w.buildTree()
	}
	if len(w.tree.nodes) > 0 {
		w.takeClasses(t)
		if w.lists != nil {
			placePoints(w.point, w.rows)
		}
	}
	w.indexed = true
}

// takeAttributes lists the attributes and gives each its slot.
func (w *workspace) takeAttributes(t *dataset.Table) {
	w.attrs = scratch.Resize(w.attrs, t.NumAttributes()-1)
	w.order = scratch.Resize(w.order, len(w.attrs))
	w.numeric = w.numeric[:0]
	w.dx, w.dc, w.full = 0, 0, 0
	k := 0
	for j := range t.NumAttributes() {
		if j == t.ClassIndex() {
			continue
		}
		a := &w.attrs[k]
		*a = attribute{Column: trainset.NewColumn(t, j), place: k}
		k++
		if a.Meta.Kind == dataset.Nominal {
			a.slot = w.dc
			w.order[a.place] = ^int32(a.slot)
			w.dc++
			continue
		}
		a.train = t.Numbers(j)
		a.measure(w.rows)
		w.numeric = append(w.numeric, a)
		if !a.missing {
			w.full++
		}
	}
	w.dx = len(w.numeric)
	slices.SortStableFunc(w.numeric, func(a, b *attribute) int {
		if a.missing != b.missing {
			if a.missing {
				return 1
			}
			return -1
		}
		return cmp.Compare(b.spread, a.spread)
	})
	for slot, a := range w.numeric {
		a.slot = slot
		w.order[a.place] = int32(slot)
	}
}

// fill sets the coordinates and codes of the points.
func (w *workspace) fill(t *dataset.Table) {
	n := len(w.rows)
	w.x = scratch.Resize(w.x, n*w.dx)
	w.codes = scratch.Resize(w.codes, n*w.dc)
	for from := 0; from < n; from += block {
		to := min(from+block, n)
		for k := range w.attrs {
			a := &w.attrs[k]
			if a.Meta.Kind == dataset.Numeric {
				w.normalise(a, from, to)
				continue
			}
			codes := t.Codes(a.Index)
			at := from*w.dc + a.slot
			for _, r := range w.rows[from:to] {
				w.codes[at] = codes[r]
				at += w.dc
			}
		}
	}
	w.lanes.fill(w)
}

// normalise sets the coordinate of a numeric attribute of the points
// from..to-1.
func (w *workspace) normalise(a *attribute, from, to int) {
	at := from*w.dx + a.slot
	if width := a.max - a.min; 0 < width && width <= math.MaxFloat64 {
		for _, r := range w.rows[from:to] {
			w.x[at] = (a.train[r] - a.min) / width
			at += w.dx
		}
		return
	}
	for _, r := range w.rows[from:to] {
		w.x[at] = a.norm(a.train[r])
		at += w.dx
	}
}

// takeClasses sets the classes and weights of the points in their final order.
func (w *workspace) takeClasses(t *dataset.Table) {
	w.class = scratch.Resize(w.class, len(w.rows))
	codes := t.Codes(t.ClassIndex())
	for p, r := range w.rows {
		w.class[p] = codes[r]
	}
	w.weight = w.weight[:0]
	if weights := t.Weights(); weights != nil {
		for _, r := range w.rows {
			w.weight = append(w.weight, weights[r])
		}
	}
}

// release forgets the tables, so that the pool does not keep them alive.
func (w *workspace) release() {
	w.table, w.training, w.lists, w.marks = nil, nil, nil, nil
	clear(w.attrs)
	clear(w.numeric)
}
