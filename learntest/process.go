package learntest

import (
	"bytes"
	"context"
	"fmt"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/learner/process"
)

// FromProcess adapts a program, as [FromClassifier] does a classifier, and [FromRegressor] a
// learner of numbers: FromProcess[int] is one of classes, FromProcess[float64] one of numbers. The program
// itself says whether it predicts labels or probabilities of classes.
func FromProcess[L int | float64](p *process.Learner) Learner[dataset.Row, L] {
	files := p.Files()
	return Learner[dataset.Row, L]{Name: p.Name(), Depends: files, unnamed: len(files) == 0, describe: p.Identity, Fit: func(ctx context.Context, train Sample[dataset.Row, L], seed uint64) (Model[dataset.Row, L], error) {
		t, rows, err := labelledRows(train)
		if err != nil {
			return Model[dataset.Row, L]{}, fmt.Errorf("%w: %s: %w", ErrData, p.Name(), err)
		}
		m, err := p.Fit(ctx, t, rows, seed)
		if err != nil {
			return Model[dataset.Row, L]{}, err
		}
		return programModel[L](m).WithClose(m.Close), nil
	}}
}

// programModel returns the model of a program.
func programModel[L int | float64](m *process.Model) Model[dataset.Row, L] {
	if m.Kind() == process.Probabilities {
		return ProbabilityModel[dataset.Row, L](func(ctx context.Context, xs []dataset.Row, p []float64) error {
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

// NewProcess returns the learner that a program is for the time of a test: its standard error
// goes to the log of the test, unless the configuration says otherwise, and the program ends with
// the test. A configuration that makes no sense ends the test.
//
//	forest := learntest.NewProcess(t, process.Config{
//		Args:    []string{"python3", "sklearn_shim.py", "RandomForestClassifier"},
//		Depends: []string{}, // nothing else
//	})
//	c := learntest.Compare(t, uci.Vehicle(), learntest.FromProcess[int](forest), bayes)
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
