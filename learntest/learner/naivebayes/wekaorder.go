package naivebayes

import (
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/learner/internal/scratch"
	"github.com/learnbench/learnbench/learntest/learner/internal/trainset"
	"github.com/learnbench/learnbench/learntest/learner/internal/weka"
)

// wekaOrder sets w.order to the positions in w.rows in the order in which Weka
// has the instances when it takes sums: it sorts them by each numeric
// attribute in turn, missing values last, and its sort is not stable.
func (w *workspace) wekaOrder(index *trainset.Index) {
	n := len(w.rows)
	w.order = scratch.Resize(w.order, n)
	for i := range w.order {
		w.order[i] = int32(i)
	}
	w.keys = scratch.Resize(w.keys, n)
	for k := range w.attrs {
		if w.attrs[k].Meta.Kind != dataset.Numeric {
			continue
		}
		codes := index.Column(w.attrs[k].Index).Codes
		for i, p := range w.order {
			w.keys[i] = uint64(codes[w.rows[p]])<<32 | uint64(p)
		}
		weka.Sort(w.keys)
		for i, key := range w.keys {
			w.order[i] = int32(uint32(key))
		}
	}
}
