package learntest

import (
	"bytes"
	"context"
	"fmt"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/learner/process"
)

// FromProcess adapts a program, as [FromClassifier] does a classifier. The program itself says
// whether it predicts labels or probabilities.
func FromProcess(p *process.Learner) Learner[dataset.Row, int] {
	return processLearner(p, func(m *process.Model) Model[dataset.Row, int] {
		if m.Kind() == process.Probabilities {
			return ProbabilityModel[dataset.Row, int](func(ctx context.Context, xs []dataset.Row, p []float64) error {
				out, err := m.Predict(ctx, xs)
				if err != nil {
					return err
				}
				copy(p, out.Probabilities)
				return nil
			})
		}
		return LabelModel(func(ctx context.Context, xs []dataset.Row) ([]int, error) {
			out, err := m.Predict(ctx, xs)
			if err != nil {
				return nil, err
			}
			return out.Labels, nil
		})
	})
}

// FromProcessRegressor adapts a program that predicts numbers, as [FromRegressor] does a
// regressor.
func FromProcessRegressor(p *process.Learner) Learner[dataset.Row, float64] {
	return processLearner(p, func(m *process.Model) Model[dataset.Row, float64] {
		return LabelModel(func(ctx context.Context, xs []dataset.Row) ([]float64, error) {
			out, err := m.Predict(ctx, xs)
			if err != nil {
				return nil, err
			}
			return out.Values, nil
		})
	})
}

func processLearner[Y comparable](p *process.Learner, model func(m *process.Model) Model[dataset.Row, Y]) Learner[dataset.Row, Y] {
	files := p.Files()
	return Learner[dataset.Row, Y]{Name: p.Name(), Depends: files, unnamed: len(files) == 0, Fit: func(ctx context.Context, train Sample[dataset.Row, Y], seed uint64) (Model[dataset.Row, Y], error) {
		t, rows, err := labelledRows(train)
		if err != nil {
			return Model[dataset.Row, Y]{}, fmt.Errorf("%w: %s: %w", ErrData, p.Name(), err)
		}
		m, err := p.Fit(ctx, t, rows, seed)
		if err != nil {
			return Model[dataset.Row, Y]{}, err
		}
		return model(m).WithClose(m.Close), nil
	}}
}

// NewProcess returns the learner that a program is for the time of a test: its standard error
// goes to the log of the test, unless the configuration says otherwise, and the program ends with
// the test. A configuration that makes no sense ends the test.
//
//	forest := learntest.NewProcess(t, process.Config{
//		Args:    []string{"python3", "sklearn_shim.py", "RandomForestClassifier"},
//		Depends: []string{}, // nothing else
//	})
//	c := learntest.Compare(t, uci.Vehicle(), learntest.FromProcess(forest), bayes)
func NewProcess(t TB, cfg process.Config) *process.Learner {
	t.Helper()
	if cfg.Stderr == nil {
		cfg.Stderr = testLog{t}
	}
	p, err := process.New(cfg)
	if err != nil {
		t.Fatalf("learntest.NewProcess: %v", err)
		return nil
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Errorf("learntest.NewProcess: %v", err)
		}
	})
	return p
}

// A testLog writes lines to the log of a test.
type testLog struct{ t TB }

func (l testLog) Write(line []byte) (int, error) {
	l.t.Helper()
	l.t.Logf("%s", bytes.TrimSuffix(line, []byte("\n")))
	return len(line), nil
}
