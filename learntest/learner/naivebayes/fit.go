package naivebayes

import (
	"cmp"
	"slices"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/learner/internal/presort"
)

// A workspace is the memory of a model and of its training. Later trainings
// use it again.
type workspace struct {
	classes int
	rows    []int32   // training rows with a known class
	prior   []float64 // P(c)
	weight  []float64 // weight of the training rows of each class
	attrs   []attribute
	slab    []float64 // backs prior, weight and the parameters of attrs

	class  []int32   // class of each training row
	total  []float64 // weight by value and class of a nominal attribute
	counts []int32   // the same, where all rows weigh 1
	sums   []moments

	sorted presort.Cache
	subset presort.Column
	tags   []int32 // for each row of the table its class, or -1 if it is not trained on
	times  []int32 // for each row of the table how often it is trained on
	sample sample
	order  []int32 // positions in rows in the order of summation, if it is Weka's
	sorter wekaSorter

	table *dataset.Table // the table that attrs are bound to
}

// An attribute holds the parameters of one column and, while the model is
// used, the values of the table that it is bound to.
type attribute struct {
	column int
	meta   dataset.Attribute

	// Nominal: max(P(v|c), minLikelihood) at index v*classes + c.
	prob []float64

	// Numeric.
	precision float64
	mean, sd  []float64 // by class
	memo      memo

	numbers []float64
	codes   []int32
}

// A sample is the known values of one numeric attribute, in the order of
// summation. weights is nil if all are 1.
type sample struct {
	values  []float64
	class   []int32
	weights []float64
}

// train sets the model from w.rows.
func (w *workspace) train(t *dataset.Table, cfg Config) {
	w.classes = t.NumClasses()
	w.table = nil
	weights := t.Weights()
	if weights != nil && !cfg.WekaOrder {
		// Sums of weights depend on their order; this one does not depend on
		// the order of the rows.
		slices.SortFunc(w.rows, func(a, b int32) int {
			return cmp.Or(cmp.Compare(weights[a], weights[b]), cmp.Compare(a, b))
		})
	}
	w.class = resize(w.class, len(w.rows))
	codes := t.Codes(t.ClassIndex())
	for i, r := range w.rows {
		w.class[i] = codes[r]
	}
	w.layout(t)
	w.trainPrior(weights)
	if weights == nil {
		w.countNominal(t)
	} else {
		w.weighNominal(t, weights)
	}
	w.trainNumeric(t, weights, cfg.WekaOrder)
}

// layout lists the attributes and gives each its part of the slab.
func (w *workspace) layout(t *dataset.Table) {
	w.attrs = resize(w.attrs, t.NumAttributes()-1)
	size := 2 * w.classes
	k := 0
	for j := range t.NumAttributes() {
		if j == t.ClassIndex() {
			continue
		}
		a := &w.attrs[k]
		k++
		*a = attribute{column: j, meta: t.Attribute(j), memo: a.memo}
		if a.meta.Kind == dataset.Nominal {
			size += len(a.meta.Values) * w.classes
		} else {
			size += 2 * w.classes
		}
	}
	w.slab = resize(w.slab, size)
	rest := w.slab
	cut := func(n int) []float64 {
		part := rest[:n:n]
		rest = rest[n:]
		return part
	}
	w.prior, w.weight = cut(w.classes), cut(w.classes)
	for k := range w.attrs {
		a := &w.attrs[k]
		if a.meta.Kind == dataset.Nominal {
			a.prob = cut(len(a.meta.Values) * w.classes)
		} else {
			a.mean, a.sd = cut(w.classes), cut(w.classes)
		}
	}
}

func (w *workspace) trainPrior(weights []float64) {
	clear(w.weight)
	if weights == nil {
		for _, c := range w.class {
			w.weight[c]++
		}
	} else {
		for i, c := range w.class {
			w.weight[c] += weights[w.rows[i]]
		}
	}
	sum := float64(w.classes)
	for _, n := range w.weight {
		sum += n
	}
	for c, n := range w.weight {
		w.prior[c] = (n + 1) / sum
	}
}

// resize returns s with length n; its elements are arbitrary.
func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/4)
	}
	return s[:n]
}
