package learntest

import (
	"context"
	"fmt"
	"reflect"
	"strings"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/internal/classorder"
	"github.com/learnbench/learnbench/learntest/learner"
)

// Classifier adapts a classifier on tables, such as the reference learners in
// learntest/learner. It learns from the table that the examples are rows of, so that
// the data set may be anything that yields rows, such as a part of a table. Their
// labels must be the classes of that table.
func Classifier(c learner.Classifier) Learner[dataset.Row, int] {
	reference := isReference(c)
	return Learner[dataset.Row, int]{Name: c.Name(), Fit: func(_ context.Context, train Sample[dataset.Row, int], seed uint64) (Model[dataset.Row, int], error) {
		t, rows, err := labelledRows(train)
		if err != nil {
			return Model[dataset.Row, int]{}, fmt.Errorf("%w: %s: %w", ErrData, c.Name(), err)
		}
		m, err := c.Fit(t, rows, seed)
		if err != nil {
			return Model[dataset.Row, int]{}, err
		}
		return Probabilities[dataset.Row, int](func(ctx context.Context, xs []dataset.Row, p []float64) error {
			return eachRow(ctx, len(xs), p, func(i int, row []float64) error {
				m.Distribution(xs[i].Table, xs[i].Index, row)
				return nil
			})
		}).WithClose(m.Close).of(reference), nil
	}}
}

// Regressor adapts a learner of numbers on tables, such as those in
// learner/baseline and learner/ols. [dataset.Table.Regression] makes a data set for it of a
// table. It learns from the table that the examples are rows of, as [Classifier] does.
func Regressor(r learner.Regressor) Learner[dataset.Row, float64] {
	reference := isReference(r)
	return Learner[dataset.Row, float64]{Name: r.Name(), Fit: func(_ context.Context, train Sample[dataset.Row, float64], seed uint64) (Model[dataset.Row, float64], error) {
		t, rows, err := labelledRows(train)
		if err != nil {
			return Model[dataset.Row, float64]{}, fmt.Errorf("%w: %s: %w", ErrData, r.Name(), err)
		}
		m, err := r.Fit(t, rows, seed)
		if err != nil {
			return Model[dataset.Row, float64]{}, err
		}
		return Labels(func(ctx context.Context, xs []dataset.Row) ([]float64, error) {
			ys := make([]float64, len(xs))
			for i, x := range xs {
				if err := checkNow(ctx, i); err != nil {
					return nil, err
				}
				if ys[i], err = m.Value(x.Table, x.Index); err != nil {
					return nil, err
				}
			}
			return ys, nil
		}).WithClose(m.Close).of(reference), nil
	}}
}

// isReference reports whether a learner on tables is one of the module's own, by its type. One that
// trains another learner is as good as that, which may be anybody's.
func isReference(l any) bool {
	t := reflect.TypeOf(l)
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	name, ok := strings.CutPrefix(t.PkgPath(), reflect.TypeFor[learner.Classifier]().PkgPath()+"/")
	return ok && name != "discretize" && name != "process"
}

// of says whether the model is of one of the module's own learners.
func (m Model[X, Y]) of(reference bool) Model[X, Y] {
	m.reference = reference
	return m
}

// A RowModel is a model that many libraries have: one that fits row slices.
type RowModel[Y comparable] interface {
	Fit(x [][]float64, y []Y) error
	Predict(row []float64) Y
}

// Rows adapts a model on row slices. newModel returns an untrained model; one
// that cannot be seeded ignores the seed. The rows are those of the data set, so
// that a model must not modify them. [Encode] lets it learn from tables.
func Rows[Y comparable](name string, newModel func(seed uint64) RowModel[Y]) Learner[[]float64, Y] {
	return Func(name, func(_ context.Context, train Sample[[]float64, Y], seed uint64) (func([]float64) Y, error) {
		m := newModel(seed)
		if err := m.Fit(train.Examples(), train.Labels()); err != nil {
			return nil, err
		}
		return m.Predict, nil
	})
}

// A ProbRowModel is a model that fits row slices and predicts class
// probabilities.
type ProbRowModel[Y comparable] interface {
	Fit(x [][]float64, y []Y) error

	// Classes returns the classes that the model has learned, in the order of
	// its probabilities. A class that is not among them has the probability 0.
	Classes() []Y

	Probabilities(row []float64) []float64
}

// ProbRows adapts a model on row slices with class probabilities, as Rows does
// one without.
func ProbRows[Y comparable](name string, newModel func(seed uint64) ProbRowModel[Y]) Learner[[]float64, Y] {
	return Learner[[]float64, Y]{Name: name, Fit: func(_ context.Context, train Sample[[]float64, Y], seed uint64) (Model[[]float64, Y], error) {
		m := newModel(seed)
		if err := m.Fit(train.Examples(), train.Labels()); err != nil {
			return Model[[]float64, Y]{}, err
		}
		order, err := classorder.Of(train.Classes(), m.Classes())
		if err != nil {
			return Model[[]float64, Y]{}, fmt.Errorf("%w: %w", ErrPrediction, err)
		}
		return Probabilities[[]float64, Y](func(ctx context.Context, xs [][]float64, p []float64) error {
			return eachRow(ctx, len(xs), p, func(i int, row []float64) error {
				if err := order.Put(row, m.Probabilities(xs[i])); err != nil {
					return fmt.Errorf("%w: prediction %d: %w", ErrPrediction, i, err)
				}
				return nil
			})
		}), nil
	}}
}
