// Package matrix adapts models on gonum matrices to package learntest: [Learner] for models
// that predict labels, [ProbLearner] for models with class probabilities. A model is trained
// on a matrix with a row for each example, and predicts another one in one call.
//
// It is a package of its own so that nothing else links gonum's linear algebra.
package matrix

import (
	"context"
	"fmt"

	"github.com/learnbench/learnbench/learntest"
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/internal/classorder"
	"github.com/learnbench/learnbench/learntest/learner"
	"gonum.org/v1/gonum/mat"
)

// A Model is one that fits a matrix with one example a row.
type Model[Y comparable] interface {
	Fit(x mat.Matrix, y []Y) error
	Predict(x mat.Matrix) ([]Y, error)
}

// A ProbModel is one that predicts class probabilities.
type ProbModel[Y comparable] interface {
	Fit(x mat.Matrix, y []Y) error

	// Classes returns the classes that the model has learned, in the order of
	// its probabilities. A class that is not among them has the probability 0.
	Classes() []Y

	// Probabilities returns a row for each row of x, with a column for each
	// class.
	Probabilities(x mat.Matrix) (mat.Matrix, error)
}

// Learner adapts a model on matrices. newModel returns an untrained model; one
// that cannot be seeded ignores the seed. The rows of the data set must have one
// length. learntest.Encode lets the learner learn from tables.
func Learner[Y comparable](name string,
	newModel func(seed uint64) Model[Y],
) learntest.Learner[[]float64, Y] {
	return learntest.Learner[[]float64, Y]{Name: name, Fit: func(_ context.Context,
		train learntest.Sample[[]float64, Y], seed uint64,
	) (learntest.Model[[]float64, Y], error) {
		m := newModel(seed)
		if err := fit(m, train); err != nil {
			return learntest.Model[[]float64, Y]{}, err
		}
		return learntest.LabelModel(func(_ context.Context, xs [][]float64) ([]Y, error) {
			x, err := of(xs)
			if err != nil {
				return nil, err
			}
			return m.Predict(x)
		}), nil
	}}
}

// ProbLearner adapts a model on matrices with class probabilities, as Learner
// does one without.
func ProbLearner[Y comparable](name string,
	newModel func(seed uint64) ProbModel[Y],
) learntest.Learner[[]float64, Y] {
	return learntest.Learner[[]float64, Y]{Name: name, Fit: func(_ context.Context,
		train learntest.Sample[[]float64, Y], seed uint64,
	) (learntest.Model[[]float64, Y], error) {
		m := newModel(seed)
		if err := fit(m, train); err != nil {
			return learntest.Model[[]float64, Y]{}, err
		}
		order, err := classorder.Of(train.Classes(), m.Classes())
		if err != nil {
			return learntest.Model[[]float64, Y]{}, fmt.Errorf("%w: %w", learner.ErrPrediction, err)
		}
		return learntest.ProbabilityModel[[]float64, Y](func(_ context.Context, xs [][]float64,
			p []float64,
		) error {
			x, err := of(xs)
			if err != nil {
				return err
			}
			q, err := m.Probabilities(x)
			if err != nil {
				return err
			}
			return put(p, q, len(xs), order)
		}), nil
	}}
}

// fit fits a model to a sample.
func fit[Y comparable](m interface {
	Fit(x mat.Matrix, y []Y) error
}, train learntest.Sample[[]float64, Y],
) error {
	x, err := of(train.Examples())
	if err != nil {
		return err
	}
	return m.Fit(x, train.Labels())
}

// put writes the n rows of q into p, in the order of the data's classes.
func put(p []float64, q mat.Matrix, n int, order classorder.Order) error {
	rows, cols := q.Dims()
	if rows != n {
		return fmt.Errorf("%w: %d rows of probabilities for %d test examples", learner.ErrPrediction,
			rows, n)
	}
	k, row := len(p)/n, make([]float64, cols)
	for i := range n {
		mat.Row(row, i, q)
		if err := order.Put(p[i*k:(i+1)*k], row); err != nil {
			return fmt.Errorf("%w: %w", learner.ErrPrediction, err)
		}
	}
	return nil
}

// of returns the matrix of some rows.
func of(rows [][]float64) (*mat.Dense, error) {
	if len(rows) == 0 || len(rows[0]) == 0 {
		return nil, fmt.Errorf("%w: no rows or no columns", dataset.ErrUnusable)
	}
	x := mat.NewDense(len(rows), len(rows[0]), nil)
	for i, row := range rows {
		if len(row) != len(rows[0]) {
			return nil, fmt.Errorf("%w: row %d has %d columns, row 0 has %d", dataset.ErrUnusable, i,
				len(row), len(rows[0]))
		}
		x.SetRow(i, row)
	}
	return x, nil
}
