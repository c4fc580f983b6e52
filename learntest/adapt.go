package learntest

import (
	"context"
	"fmt"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/learner"
	"gonum.org/v1/gonum/mat"
)

// Classifier adapts a classifier on tables, such as the reference learners in
// learntest/learner.
func Classifier(c learner.Classifier) Learner[dataset.Row, int] {
	return Learner[dataset.Row, int]{
		Name: c.Name(),
		Fit: func(_ context.Context, train Sample[dataset.Row, int], seed uint64) (Model[dataset.Row, int], error) {
			t, ok := train.Data().(*dataset.Table)
			if !ok {
				return Model[dataset.Row, int]{}, fmt.Errorf("%w: %s learns from a *dataset.Table, not a %T", ErrData, c.Name(), train.Data())
			}
			m, err := c.Fit(t, train.Rows(), seed)
			if err != nil {
				return Model[dataset.Row, int]{}, err
			}
			return Model[dataset.Row, int]{
				Probabilities: func(r dataset.Row, p []float64) { m.Distribution(r.Table, r.Index, p) },
				Close:         m.Close,
			}, nil
		},
	}
}

// A RowModel is a model that many libraries have: one that fits row slices.
type RowModel[Y comparable] interface {
	Fit(x [][]float64, y []Y) error
	Predict(row []float64) Y
}

// Rows adapts a model on row slices. newModel returns an untrained model; one
// that cannot be seeded ignores the seed. The rows are those of the data set, so
// that a model must not modify them.
func Rows[Y comparable](name string, newModel func(seed uint64) RowModel[Y]) Learner[[]float64, Y] {
	return Func(name, func(_ context.Context, train Sample[[]float64, Y], seed uint64) (func([]float64) Y, error) {
		m := newModel(seed)
		if err := m.Fit(train.Examples(), train.Labels()); err != nil {
			return nil, err
		}
		return m.Predict, nil
	})
}

// A MatrixModel is a model that fits a matrix with one example a row.
type MatrixModel[Y comparable] interface {
	Fit(x mat.Matrix, y []Y) error
	Predict(x mat.Matrix) ([]Y, error)
}

// Matrix adapts a model on gonum matrices. newModel returns an untrained
// model; one that cannot be seeded ignores the seed.
func Matrix[Y comparable](name string, newModel func(seed uint64) MatrixModel[Y]) Learner[[]float64, Y] {
	return Learner[[]float64, Y]{name, func(_ context.Context, train Sample[[]float64, Y], seed uint64) (Model[[]float64, Y], error) {
		x, err := matrixOf(train.Examples())
		if err != nil {
			return Model[[]float64, Y]{}, err
		}
		m := newModel(seed)
		if err := m.Fit(x, train.Labels()); err != nil {
			return Model[[]float64, Y]{}, err
		}
		return Model[[]float64, Y]{Labels: func(xs [][]float64) ([]Y, error) {
			x, err := matrixOf(xs)
			if err != nil {
				return nil, err
			}
			return m.Predict(x)
		}}, nil
	}}
}

func matrixOf(rows [][]float64) (*mat.Dense, error) {
	if len(rows) == 0 || len(rows[0]) == 0 {
		return nil, fmt.Errorf("%w: no rows or no columns", ErrData)
	}
	x := mat.NewDense(len(rows), len(rows[0]), nil)
	for i, row := range rows {
		if len(row) != len(rows[0]) {
			return nil, fmt.Errorf("%w: row %d has %d columns, row 0 has %d", ErrData, i, len(row), len(rows[0]))
		}
		x.SetRow(i, row)
	}
	return x, nil
}

// Pretrained adapts a model that is trained already and only predicts. Its
// scores are honest only if it has never seen the data set.
func Pretrained[X any, Y comparable](name string, predict func(x X) Y) Learner[X, Y] {
	return Func(name, func(context.Context, Sample[X, Y], uint64) (func(X) Y, error) {
		return predict, nil
	})
}
