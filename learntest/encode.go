package learntest

import (
	"context"
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
	if l.Fit == nil {
		return Learner[dataset.Row, Y]{Name: l.Name}
	}
	return Learner[dataset.Row, Y]{Name: l.Name, Depends: l.Depends, unnamed: l.unnamed, Fit: func(ctx context.Context, train Sample[dataset.Row, Y], seed uint64) (Model[dataset.Row, Y], error) {
		t, rows, err := rowsOf(train)
		if err != nil {
			return Model[dataset.Row, Y]{}, fmt.Errorf("%w: %w", ErrData, err)
		}
		encoder, err := e.Fit(t, rows)
		if err != nil {
			return Model[dataset.Row, Y]{}, err
		}
		x, err := encoder.Matrix(t, rows)
		if err != nil {
			return Model[dataset.Row, Y]{}, err
		}
		data := encoded[Y]{train.src.data, make([][]float64, train.src.data.Len())}
		for i, row := range x.Slices() {
			data.rows[train.rows[i]] = row
		}
		m, err := l.Fit(ctx, Sample[[]float64, Y]{encodedSource(train.src, data), train.rows}, seed)
		if err != nil {
			return Model[dataset.Row, Y]{}, err
		}
		return encodedModel(encoder, m), nil
	}}
}

// encoded is a data set of rows with the training rows of one trial as numbers. It
// has no others, so that no learner can look at them.
type encoded[Y comparable] struct {
	Data[dataset.Row, Y]
	rows [][]float64
}

// Example returns a training row as numbers, and nil for any other.
func (e encoded[Y]) Example(i int) []float64 { return e.rows[i] }

func encodedSource[Y comparable](s *source[dataset.Row, Y], data encoded[Y]) *source[[]float64, Y] {
	return &source[[]float64, Y]{
		data: data, name: s.name, digest: s.digest,
		classes: s.classes, classNames: s.classNames, classIndex: s.classIndex, truth: s.truth,
		values: s.values, groups: s.groups,
	}
}

// encodedModel returns the model that predicts rows of tables.
func encodedModel[Y comparable](e *dataset.Encoder, m Model[[]float64, Y]) Model[dataset.Row, Y] {
	rows := func(xs []dataset.Row) ([][]float64, error) {
		flat := make([]float64, 0, len(xs)*len(e.Names()))
		out := make([][]float64, len(xs))
		for i, x := range xs {
			start := len(flat)
			var err error
			if flat, err = e.AppendRow(flat, x); err != nil {
				return nil, err
			}
			out[i] = flat[start:len(flat):len(flat)]
		}
		return out, nil
	}
	var on Model[dataset.Row, Y]
	switch predict := m.predictor.(type) {
	case label[[]float64, Y]:
		on = LabelModel(func(ctx context.Context, xs []dataset.Row) ([]Y, error) {
			zs, err := rows(xs)
			if err != nil {
				return nil, err
			}
			ys := make([]Y, len(zs))
			for i, z := range zs {
				if err := checkNow(ctx, i); err != nil {
					return nil, err
				}
				ys[i] = predict(z)
			}
			return ys, nil
		})
	case labels[[]float64, Y]:
		on = LabelModel(func(ctx context.Context, xs []dataset.Row) ([]Y, error) {
			zs, err := rows(xs)
			if err != nil {
				return nil, err
			}
			return predict(ctx, zs)
		})
	case probabilities[[]float64, Y]:
		on = ProbabilityModel[dataset.Row, Y](func(ctx context.Context, xs []dataset.Row, p []float64) error {
			zs, err := rows(xs)
			if err != nil {
				return err
			}
			return predict(ctx, zs, p)
		})
	}
	return on.WithClose(m.close)
}
