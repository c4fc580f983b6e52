package learntest

import (
	"context"
	"fmt"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/learner/process"
)

// FromProcess adapts a program, as [FromClassifier] does a classifier, and [FromRegressor] a
// learner of numbers: FromProcess[int] is one of classes, FromProcess[float64] one of numbers. The
// program itself says whether it predicts labels or probabilities of classes.
func FromProcess[L int | float64](p *process.Learner) Learner[dataset.Row, L] {
	files := p.Files()
	return Learner[dataset.Row, L]{
		Name: p.Name(), Depends: files, unnamed: len(files) == 0,
		describe: p.Identity, Fit: func(ctx context.Context, train Sample[dataset.Row, L],
			seed uint64,
		) (Model[dataset.Row, L], error) {
			t, rows, err := labelledRows(train)
			if err != nil {
				return Model[dataset.Row, L]{}, fmt.Errorf("%w: %s: %w", dataset.ErrUnusable, p.Name(), err)
			}
			m, err := p.Fit(ctx, t, rows, seed)
			if err != nil {
				return Model[dataset.Row, L]{}, err
			}
			return programModel[L](m).WithClose(m.Close), nil
		},
	}
}

// programModel returns the model of a program.
func programModel[L int | float64](m *process.Model) Model[dataset.Row, L] {
	if m.Kind() == process.Probabilities {
		return ProbabilityModel[dataset.Row, L](func(ctx context.Context, xs []dataset.Row,
			p []float64,
		) error {
			out, err := m.Predict(ctx, xs)
			if err != nil {
				return err
			}
			copy(p, out.Probabilities)
			return nil
		})
	}
	return LabelModel(func(ctx context.Context, xs []dataset.Row) ([]L, error) {
		out, err := m.Predict(ctx, xs)
		if err != nil {
			return nil, err
		}
		if ys, ok := any(out.Labels).([]L); ok {
			return ys, nil
		}
		return any(out.Values).([]L), nil
	})
}
