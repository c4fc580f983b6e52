package naivebayes

import (
	"math"

	"github.com/learnbench/learnbench/learntest/learner/internal/scratch"
)

// minLikelihood is the least factor that an attribute contributes.
const minLikelihood = 1e-75

// maxSlots bounds the number of rounded values of an attribute whose
// likelihoods are remembered.
const maxSlots = 4096

// A memo finds likelihoods that have been computed before. As the precision is
// the mean distance of the distinct values in training, there are not many
// more rounded values between the least and the greatest than distinct ones.
type memo struct {
	low  float64 // the least multiple of the precision
	from int     // its place in workspace.slots
	size int     // number of multiples remembered
}

// remember makes room for the likelihoods of the values from least to most.
func (w *workspace) remember(a *attribute, least, most float64) {
	a.memo = memo{low: math.RoundToEven(least / a.precision), from: len(w.slots)}
	if n := math.RoundToEven(most/a.precision) - a.memo.low + 1; n <= maxSlots { // false for NaN
		a.memo.size = int(n)
		w.slots = append(w.slots, make([]int32, a.memo.size)...)
	}
}

// likelihood returns max(P(x|c), minLikelihood) for each class. The result is
// valid until the next call.
func (w *workspace) likelihood(a *attribute, x float64) []float64 {
	if a.kernels != nil {
		w.scratch = scratch.Resize(w.scratch, w.classes)
		for c := range w.scratch {
			w.scratch[c] = atLeastMin(a.kernels[c].likelihood(x))
		}
		return w.scratch
	}
	multiple := math.RoundToEven(x / a.precision)
	i := multiple - a.memo.low
	if !(i >= 0 && i < float64(a.memo.size)) {
		w.scratch = scratch.Resize(w.scratch, w.classes)
		a.normal(w.scratch, multiple)
		return w.scratch
	}
	slot := &w.slots[a.memo.from+int(i)]
	if *slot == 0 {
		n := len(w.known)
		w.known = append(w.known, w.prior...) // makes room for as many values
		a.normal(w.known[n:], multiple)
		*slot = int32(n/w.classes) + 1
	}
	return w.known[(int(*slot)-1)*w.classes:][:w.classes]
}

// normal sets p to the likelihoods of a multiple of the precision.
func (a *attribute) normal(p []float64, multiple float64) {
	// Beyond these limits, in deviations, both values of the distribution
	// function are 1, or both are below minLikelihood.
	const high, low = 8.5, -18.5
	x := float64(multiple * a.precision)
	half := float64(a.precision / 2)
	for c := range p {
		from := (x - a.mean[c] - half) / a.sd[c]
		to := (x - a.mean[c] + half) / a.sd[c]
		q := minLikelihood
		if from < high && to > low {
			q = normalCDF(to) - normalCDF(from)
		}
		p[c] = atLeastMin(q)
	}
}

// atLeastMin returns max(q, minLikelihood), even if q is not a number because
// some parameter is infinite.
func atLeastMin(q float64) float64 {
	if !(q > minLikelihood) {
		return minLikelihood
	}
	return q
}
