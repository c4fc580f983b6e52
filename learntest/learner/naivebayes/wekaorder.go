package naivebayes

import (
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/learner/internal/scratch"
	"github.com/learnbench/learnbench/learntest/learner/internal/trainset"
	"github.com/learnbench/learnbench/learntest/learner/internal/weka"
)

// wekaOrder sets w.order to the rows in the order in which Weka has them when
// it takes sums: it sorts them by each numeric attribute in turn, missing values
// last, and its sort is not stable.
func (w *workspace) wekaOrder(index *trainset.Index) {
	w.keys, w.order = scratch.Resize(w.keys, len(w.rows)), scratch.Resize(w.order, len(w.rows))
	for i, r := range w.rows {
		w.keys[i] = uint64(r)
	}
	for k := range w.attrs {
		if w.attrs[k].Meta.Kind != dataset.Numeric {
			continue
		}
		codes := index.Column(w.attrs[k].Index).Codes
		for i, key := range w.keys {
			r := uint32(key)
			w.keys[i] = uint64(codes[r])<<32 | uint64(r)
		}
		weka.Sort(w.keys)
	}
	for i, key := range w.keys {
		w.order[i] = int32(uint32(key))
	}
}
