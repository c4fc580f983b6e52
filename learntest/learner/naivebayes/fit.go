package naivebayes

import (
	"cmp"
	"slices"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/learner/internal/scratch"
)

// train sets the model from w.rows.
func (w *workspace) train(t *dataset.Table, p *prepared, cfg Config) {
	w.classes, w.labels = t.NumClasses(), t.Attribute(t.ClassIndex()).Values
	w.table = nil
	weights := t.Weights()
	if weights != nil && !cfg.WekaOrder {
		// Sums of weights depend on their order; this one does not depend on
		// the order of the rows.
		slices.SortFunc(w.rows, func(a, b int32) int {
			return cmp.Or(cmp.Compare(weights[a], weights[b]), cmp.Compare(a, b))
		})
	}
	w.class = scratch.Resize(w.class, len(w.rows))
	codes := t.Codes(t.ClassIndex())
	for i, r := range w.rows {
		w.class[i] = codes[r]
	}
	w.layout(t)
	w.trainNominal(t, &p.packed)
	w.setPrior()
	w.trainNumeric(t, p.ranks, cfg)
}

// setPrior sets the prior from the class weights.
func (w *workspace) setPrior() {
	sum := float64(w.classes)
	for _, n := range w.weight {
		sum += n
	}
	for c, n := range w.weight {
		w.prior[c] = (n + 1) / sum
	}
}
