package learntest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/dataset/uci"
	"github.com/learnbench/learnbench/learntest/learner"
	"github.com/learnbench/learnbench/learntest/learner/baseline"
	"github.com/learnbench/learnbench/learntest/learner/ols"
	"github.com/learnbench/learnbench/learntest/metric"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// An aide is a learner on tables and its model: it does nothing, or asks or fails first.
type aide struct {
	ask        func() // before a prediction; nil for nothing
	fit, value error
}

func (aide) Name() string { return "aide" }

// A classifying aide has no opinion.
type classifyingAide struct{ aide }

func (a classifyingAide) Fit(*dataset.Table, []int, uint64) (learner.Model, error) {
	return a,
		a.fit
}
func (classifyingAide) Distribution(_ *dataset.Table, _ int, p []float64) { clear(p) }
func (classifyingAide) Close() error                                      { return nil }

// A regressing aide predicts 0.
type regressingAide struct{ aide }

func (a regressingAide) Fit(*dataset.Table, []int, uint64) (learner.NumericModel, error) {
	return a, a.fit
}

func (a regressingAide) Value(*dataset.Table, int) (float64, error) {
	if a.ask != nil {
		a.ask()
	}
	return 0, a.value
}

func (regressingAide) Close() error { return nil }

// targets returns a table of n rows whose only attribute is a number to be predicted.
func targets(t *testing.T, n int) dataset.Regression {
	t.Helper()
	ys := make([]float64, n)
	ys[0] = 1
	table, err := dataset.New("targets", []dataset.Column{{
		Attribute: dataset.Attribute{Name: "y"},
		Numbers:   ys,
	}}, 0, nil)
	require.NoError(t, err)
	r, err := table.Regression()
	require.NoError(t, err)
	return r
}

func TestErrorsOfAdaptedLearners(t *testing.T) {
	t.Parallel()
	cfg := Config{Protocol: split.CV(1, 2)}
	no := errors.New("singular matrix")
	table := func(ls ...Learner[dataset.Row, int]) string {
		return trials(mustRun[dataset.Row, int](t, uci.Iris(), cfg, ls...))[0].Err
	}
	number := func(a aide) string {
		return trials(mustRun[dataset.Row, float64](t, targets(t, 8), cfg,
			FromRegressor(regressingAide{a})))[0].Err
	}
	fails := Func("fails", func(context.Context, Sample[[]float64, int], uint64) (func([]float64) int,
		error,
	) {
		return nil, no
	})
	assert.Equal(t, "fit: singular matrix", table(FromClassifier(classifyingAide{aide{fit: no}})))
	assert.Empty(t, table(FromClassifier(classifyingAide{})))
	assert.Equal(t, "fit: singular matrix", table(Encode(dataset.Encoding{}, fails)))
	assert.Equal(t, "fit: singular matrix", number(aide{fit: no}))
	assert.Equal(t, "predict: singular matrix", number(aide{value: no}))
	assert.Empty(t, number(aide{}))
}

// Equal predictions score alike, whichever kind of model makes them.
func TestKindsOfModelsPredictTheSame(t *testing.T) {
	t.Parallel()
	cfg := Config{Protocol: split.CV(2, 3)}
	odd := func(x int) int { return x % 3 % 2 }
	label := Pretrained("a", odd)
	labels := Learner[int, int]{Name: "a", Fit: func(context.Context, Sample[int, int],
		uint64,
	) (Model[int, int], error) {
		return LabelModel(func(_ context.Context, xs []int) ([]int, error) {
			ys := make([]int, len(xs))
			for i, x := range xs {
				ys[i] = odd(x)
			}
			return ys, nil
		}), nil
	}}
	probabilities := ProbFunc("a", func(context.Context, Sample[int, int],
		uint64,
	) (func(int, []float64), error) {
		return func(x int, p []float64) { p[odd(x)] = 1 }, nil // the others are zeros already
	})
	for _, classes := range []int{2, 12} {
		xs, ys := make([]int, 36), make([]int, 36)
		for i := range xs {
			xs[i], ys[i] = i, i%classes
		}
		d := Examples(fmt.Sprint(classes), xs, ys)
		want := timeless(trials(mustRun(t, d, cfg, label)))
		require.NotZero(t, want[0].Values[0])
		assert.Equal(t, want, timeless(trials(mustRun(t, d, cfg, labels))))
		assert.Equal(t, want, timeless(trials(mustRun(t, d, cfg, probabilities))))
	}
}

func TestRegressorsLearnTables(t *testing.T) {
	t.Parallel()
	r := rents(t)
	var tests [][]int
	cfg := Config{Protocol: split.Groups(1, 5), Metrics: []metric.Metric{metric.MAE()}, Parallel: 1}
	cfg.Predicted = func(c record.Cell, test []int, _ *metric.Predictions) {
		if c.Learner == "ols" {
			tests = append(tests, slices.Clone(test))
		}
	}
	b := mustRun[dataset.Row, float64](t, r, cfg, FromRegressor(ols.New(ols.Config{})),
		FromRegressor(baseline.Median()), FromRegressor(baseline.Mean()))
	v := values(b)
	require.Len(t, v, 15)
	for i := 0; i < len(v); i += 3 {
		assert.Less(t, v[i], 2.0)
		assert.Greater(t, v[i+1], 50.0)
	}
	require.Len(t, tests, 5)
	for _, test := range tests {
		in := make(map[string]int)
		for _, i := range test {
			in[r.Groups()[i]]++
		}
		for g, n := range in {
			assert.Equal(t, 6, n, "group %s is divided", g)
		}
	}
	// Labels of one's own are not what the table says.
	var rows []dataset.Row
	var labels []float64
	for i := range r.Len() {
		rows, labels = append(rows, r.Example(i)), append(labels, r.Label(i))
	}
	cfg = Config{Protocol: split.CV(1, 2), Metrics: cfg.Metrics}
	assert.Len(t, values(mustRun(t, Examples("rents", rows, labels), cfg,
		FromRegressor(baseline.Mean()))), 2)
	labels[7]++
	b = mustRun(t, Examples("rents", rows, labels), cfg, FromRegressor(baseline.Mean()))
	assert.Contains(t, trials(b)[0].Err, "mean: the label of example 7 is ")
	// Nor is a number what a table of classes says.
	b = mustRun(t, Examples("iris", []dataset.Row{uci.Iris().Example(0), uci.Iris().Example(1)},
		[]float64{0, 1}), cfg, FromRegressor(baseline.Mean()))
	assert.Contains(t, trials(b)[0].Err,
		"the label of example 0 is 0, which is not what its table says")
}
