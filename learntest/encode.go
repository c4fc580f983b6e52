package learntest

import (
	"fmt"

	"github.com/learnbench/learnbench/learntest/dataset"
)

// Encode lets a learner on rows of numbers learn from tables: the encoding makes
// numbers of the attributes, one-hot columns of nominal ones and scaled columns of
// numeric ones if it says so. Means and deviations come from the training rows of
// the fold alone. The learner keeps its name. For example,
//
//	Encode(dataset.Encoding{OneHot: true, Scale: true}, rows.Learner("mine", newModel))
//
// The learner gets the labels of the data set: ints for a table with a class, numbers for
// the Regression of one with a numeric target.
func Encode[Y comparable](e dataset.Encoding, l Learner[[]float64, Y]) Learner[dataset.Row, Y] {
	return mapped(l, e, func(train Sample[dataset.Row, Y]) (func(xs []dataset.Row) ([][]float64,
		error), error,
	) {
		t, rows, err := rowsOf(train)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", dataset.ErrUnusable, err)
		}
		encoder, err := e.Fit(t, rows)
		if err != nil {
			return nil, err
		}
		return func(xs []dataset.Row) ([][]float64, error) {
			flat := make([]float64, 0, len(xs)*len(encoder.Names()))
			out := make([][]float64, len(xs))
			for i, x := range xs {
				start := len(flat)
				var err error
				if flat, err = encoder.AppendRow(flat, x); err != nil {
					return nil, err
				}
				out[i] = flat[start:len(flat):len(flat)]
			}
			return out, nil
		}, nil
	})
}
