package learntest

import (
	"context"
	"fmt"
	"reflect"
	"strings"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/learner"
)

// FromClassifier adapts a classifier on tables, such as the reference learners in
// learntest/learner. It learns from the table that the examples are rows of, so that
// the data set may be anything that yields rows, such as a part of a table. Their
// labels must be the classes of that table.
func FromClassifier(c learner.Classifier) Learner[dataset.Row, int] {
	reference := isReference(c)
	return Learner[dataset.Row, int]{
		Name: c.Name(), describe: parameters(c),
		Fit: func(_ context.Context, train Sample[dataset.Row, int], seed uint64) (Model[dataset.Row,
			int], error,
		) {
			t, rows, err := labelledRows(train)
			if err != nil {
				return Model[dataset.Row, int]{}, fmt.Errorf("%w: %s: %w", dataset.ErrUnusable, c.Name(), err)
			}
			m, err := c.Fit(t, rows, seed)
			if err != nil {
				return Model[dataset.Row, int]{}, err
			}
			return ProbabilityModel[dataset.Row, int](func(ctx context.Context, xs []dataset.Row,
				p []float64,
			) error {
				return eachRow(ctx, len(xs), p, func(i int, row []float64) error {
					m.Distribution(xs[i].Table, xs[i].Index, row)
					return nil
				})
			}).WithClose(m.Close).of(reference), nil
		},
	}
}

// FromRegressor adapts a learner of numbers on tables, such as those in
// learner/baseline and learner/ols. [dataset.Table.Regression] makes a data set for it of a
// table. It learns from the table that the examples are rows of, as [FromClassifier] does.
func FromRegressor(r learner.Regressor) Learner[dataset.Row, float64] {
	reference := isReference(r)
	return Learner[dataset.Row, float64]{
		Name: r.Name(), describe: parameters(r),
		Fit: func(_ context.Context, train Sample[dataset.Row, float64], seed uint64) (Model[dataset.Row,
			float64], error,
		) {
			t, rows, err := labelledRows(train)
			if err != nil {
				return Model[dataset.Row, float64]{}, fmt.Errorf("%w: %s: %w", dataset.ErrUnusable,
					r.Name(), err)
			}
			m, err := r.Fit(t, rows, seed)
			if err != nil {
				return Model[dataset.Row, float64]{}, err
			}
			return LabelModel(func(ctx context.Context, xs []dataset.Row) ([]float64, error) {
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
		},
	}
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
