package neighbor

import (
	"math"

	"github.com/learnbench/learnbench/learntest/dataset"
)

// A workspace is the memory of a model and of its searches. Later trainings
// use it again.
//
// A training instance is a point. Its numeric values, normalised, and its
// nominal codes are stored together, in the order of the attributes.
type workspace struct {
	cfg     Config
	classes int
	attrs   []attribute
	runs    []run
	dx, dc  int // numbers of numeric and of nominal attributes

	rows   []int32   // row of each point in the training table
	class  []int32   // class of each point
	weight []float64 // weight of each point; empty if all are 1
	x      []float64 // dx normalised values of each point, NaN if missing
	codes  []int32   // dc nominal codes of each point, -1 if missing
	lanes  lanes
	tree   tree
	moved  []float64 // scratch of permute
	place  []int32
	from   []int32

	query query
	found nearest
	table *dataset.Table // the table that attrs are bound to
}

// An attribute is one column except the class.
type attribute struct {
	column int
	meta   dataset.Attribute
	slot   int // index among the numeric or among the nominal attributes

	// Numeric only.
	min, max float64 // +Inf and -Inf if no value is known
	train    []float64
	missing  bool // whether any value is missing in training

	numbers []float64 // columns of the table that is being classified
	codes   []int32
}

// A run is a maximal sequence of attributes of one kind, by their slots.
type run struct {
	nominal  bool
	from, to int
}

// A query is the instance that is being classified.
type query struct {
	x       []float64 // NaN if missing
	missing bool      // whether a numeric value is missing
	codes   []int32   // -2 if missing, which equals no point's code
	lanes   []uint64
}

// block is the number of points whose coordinates are computed together, so
// that they stay in the processor's nearest cache.
const block = 64

// train sets the model from w.rows.
func (w *workspace) train(t *dataset.Table, cfg Config) {
	w.cfg, w.classes, w.table = cfg, t.NumClasses(), nil
	w.attrs, w.runs = w.attrs[:0], w.runs[:0]
	w.dx, w.dc = 0, 0
	for j := range t.NumAttributes() {
		if j == t.ClassIndex() {
			continue
		}
		a := attribute{column: j, meta: t.Attribute(j)}
		nominal := a.meta.Kind == dataset.Nominal
		slot := &w.dx
		if nominal {
			slot = &w.dc
		} else {
			a.train = t.Numbers(j)
			a.findRange(w.rows)
		}
		a.slot = *slot
		*slot++
		if n := len(w.runs); n == 0 || w.runs[n-1].nominal != nominal {
			w.runs = append(w.runs, run{nominal: nominal, from: a.slot})
		}
		w.runs[len(w.runs)-1].to = *slot
		w.attrs = append(w.attrs, a)
	}
	w.fill(t)
	w.takeClasses(t)
	w.query.x = resize(w.query.x, w.dx)
	w.query.codes = resize(w.query.codes, w.dc)
}

// fill sets the coordinates of the points, and their order.
func (w *workspace) fill(t *dataset.Table) {
	n := len(w.rows)
	w.x = resize(w.x, n*w.dx)
	w.codes = resize(w.codes, n*w.dc)
	for from := 0; from < n; from += block {
		to := min(from+block, n)
		for k := range w.attrs {
			a := &w.attrs[k]
			if a.meta.Kind == dataset.Numeric {
				w.normalise(a, from, to)
				continue
			}
			codes := t.Codes(a.column)
			for i, r := range w.rows[from:to] {
				w.codes[(from+i)*w.dc+a.slot] = codes[r]
			}
		}
	}
	w.tree.nodes = w.tree.nodes[:0]
	if w.dc == 0 {
		w.buildTree()
	} else {
		w.lanes.fill(w)
	}
}

// takeClasses sets the classes and weights of the points in their final order.
func (w *workspace) takeClasses(t *dataset.Table) {
	w.class = resize(w.class, len(w.rows))
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

// findRange sets the range of the known values of the rows.
func (a *attribute) findRange(rows []int32) {
	least, most, missing := math.Inf(1), math.Inf(-1), false
	for _, r := range rows {
		x := a.train[r]
		if x < least {
			least = x
		}
		if x > most {
			most = x
		}
		if x != x {
			missing = true
		}
	}
	a.min, a.max, a.missing = least, most, missing
}

// widen takes x into the range and reports whether that changed it.
func (a *attribute) widen(x float64) bool {
	changed := false
	if x < a.min {
		a.min, changed = x, true
	}
	if x > a.max {
		a.max, changed = x, true
	}
	return changed
}

// norm maps the range to [0, 1]. It returns NaN for NaN.
func (a *attribute) norm(x float64) float64 {
	if x != x {
		return x
	}
	if a.max <= a.min { // one value, or none
		return 0
	}
	width := a.max - a.min
	if width > math.MaxFloat64 {
		return (x/2 - a.min/2) / (a.max/2 - a.min/2)
	}
	return (x - a.min) / width
}

// resize returns s with length n; its elements are arbitrary.
func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/4)
	}
	return s[:n]
}
