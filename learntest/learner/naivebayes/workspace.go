package naivebayes

import (
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/learner/internal/scratch"
	"github.com/learnbench/learnbench/learntest/learner/internal/trainset"
)

// A workspace is the memory of a model and of its training. Later trainings
// use it again.
type workspace struct {
	classes int
	labels  []string  // of the classes
	prior   []float64 // P(c)
	weight  []float64 // weight of the training rows of each class
	attrs   []attribute
	slab    []float64 // backs prior, weight and the parameters of attrs

	// Training.
	rows    []int32   // training rows with a known class
	class   []int32   // the class of each
	size    []int32   // number of training rows of each class
	fields  []uint64  // sums of packed rows of each class
	counts  []int32   // of the fields by class
	wide    []int32   // counts of an attribute without fields, by class and value
	places  []int32   // counts of the values of one attribute in one class
	totals  []float64 // weights of one attribute by value and class
	sampler sampler
	sums    []moments

	// Prediction.
	slots   []int32   // for some rounded values one more than their place in known, or 0
	known   []float64 // likelihoods by class
	scratch []float64

	table *dataset.Table // the table that attrs are bound to
}

// An attribute holds the parameters of one column and, while the model is
// used, the values of the table that it is bound to.
type attribute struct {
	// Nominal: max(P(v|c), minLikelihood) at index v*classes + c.
	prob []float64

	// Numeric.
	precision float64
	mean, sd  []float64 // by class
	memo      memo
	kernels   []density // by class; nil if the density is normal

	trainset.Column
}

// layout lists the attributes and gives each its part of the slab.
func (w *workspace) layout(t *dataset.Table) {
	w.attrs = scratch.Resize(w.attrs, t.NumAttributes()-1)
	size := 2 * w.classes
	k := 0
	for j := range t.NumAttributes() {
		if j == t.ClassIndex() {
			continue
		}
		a := &w.attrs[k]
		k++
		*a = attribute{Column: trainset.NewColumn(t, j)}
		if a.Meta.Kind == dataset.Nominal {
			size += len(a.Meta.Values) * w.classes
		} else {
			size += 2 * w.classes
		}
	}
	w.slab = scratch.Resize(w.slab, size)
	rest := w.slab
	cut := func(n int) []float64 {
		part := rest[:n:n]
		rest = rest[n:]
		return part
	}
	w.prior, w.weight = cut(w.classes), cut(w.classes)
	for k := range w.attrs {
		a := &w.attrs[k]
		if a.Meta.Kind == dataset.Nominal {
			a.prob = cut(len(a.Meta.Values) * w.classes)
		} else {
			a.mean, a.sd = cut(w.classes), cut(w.classes)
		}
	}
}
