package learntest

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/metric"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A spyModel records the arguments that it is given.
type spyModel struct {
	rows   [][]float64
	labels []int
	asked  [][]float64
}

func (m *spyModel) Predict(row []float64) int {
	m.asked = append(m.asked, row)
	return 2
}

func (m *spyModel) Probabilities(row, p []float64) {
	m.asked = append(m.asked, row)
	copy(p, []float64{0.3, 0, 0.7})
}

func TestEncodedTables(t *testing.T) {
	t.Parallel()
	table, err := dataset.ReadCSV(strings.NewReader("n,colour,class\n1,red,a\n3,blue,b\n5,red,c\n11,green,a\n-7,red,b\n5,blue,c\n"), "t.csv", dataset.ReadOptions{})
	require.NoError(t, err)
	cfg := Config{Protocol: split.TimeSeries(1, split.Window{TestSize: 3}), Parallel: 1}
	both := dataset.Encoding{OneHot: true, Scale: true}
	deviation := math.Sqrt(8. / 3)
	train := [][]float64{{-2 / deviation, 1, 0, 0}, {0, 0, 1, 0}, {2 / deviation, 1, 0, 0}}
	test := [][]float64{{8 / deviation, 0, 0, 1}, {-10 / deviation, 1, 0, 0}, {2 / deviation, 0, 1, 0}}

	var spy *spyModel
	rows := Func("rows", func(_ context.Context, s Sample[[]float64, int],
		_ uint64,
	) (func([]float64) int, error) {
		spy = &spyModel{rows: s.Examples(), labels: s.Labels()}
		return spy.Predict, nil
	})
	probs := ProbFunc("probs", func(_ context.Context, s Sample[[]float64, int],
		_ uint64,
	) (func([]float64, []float64), error) {
		spy = &spyModel{rows: s.Examples(), labels: s.Labels()}
		return spy.Probabilities, nil
	})
	batch := Learner[[]float64, int]{Name: "batch", Fit: func(_ context.Context,
		s Sample[[]float64, int], _ uint64,
	) (Model[[]float64, int], error) {
		spy = &spyModel{rows: s.Examples(), labels: s.Labels()}
		assert.Nil(t, s.Data().Example(4), "no test row is there")
		assert.Equal(t, []int{0, 1, 2}, s.Classes())
		assert.Equal(t, 2, s.Class(2))
		return LabelModel(func(_ context.Context, xs [][]float64) ([]int, error) {
			spy.asked = append(spy.asked, xs...)
			return []int{2, 2, 2}, nil
		}).WithClose(func() error { return errors.New("closed") }), nil
	}}
	for _, l := range []Learner[[]float64, int]{rows, probs, batch} {
		var predicted metric.Predictions
		cfg.Predicted = func(_ record.Cell, _ []int, p *metric.Predictions) {
			predicted = *p
			predicted.Predicted, predicted.Probabilities = slices.Clone(p.Predicted),
				slices.Clone(p.Probabilities)
		}
		b := mustRun[dataset.Row, int](t, table, cfg, Encode(both, l))
		assert.Equal(t, []string{l.Name}, b.Learners)
		requireRows(t, train, spy.rows)
		requireRows(t, test, spy.asked[:len(test)]) // others come after them
		assert.Equal(t, []int{0, 1, 2}, spy.labels)
		if l.Name == "batch" {
			assert.Equal(t, "close: closed", trials(b)[0].Err)
			continue
		}
		require.Empty(t, trials(b)[0].Err)
		assert.Equal(t, []int{2, 2, 2}, predicted.Predicted)
		if l.Name == "probs" {
			assert.Equal(t, []float64{0.3, 0, 0.7, 0.3, 0, 0.7, 0.3, 0, 0.7}, predicted.Probabilities)
		}
	}

	// Without the choices, the error names them; so do values that are missing.
	failure := func(e dataset.Encoding, l Learner[[]float64, int], text string) string {
		table, err := dataset.ReadCSV(strings.NewReader(text), "t.csv", dataset.ReadOptions{})
		require.NoError(t, err)
		return trials(mustRun[dataset.Row, int](t, table,
			Config{Protocol: split.TimeSeries(1, split.Window{TestSize: 1})}, Encode(e, l)))[0].Err
	}
	assert.Contains(t, failure(dataset.Encoding{}, rows, "c,class\np,a\nq,b\n"), "set Encoding.OneHot")
	for _, l := range []Learner[[]float64, int]{rows, probs, batch} {
		assert.Contains(t, failure(both, l, "x,class\n1,a\n2,b\n3,c\n4,a\n?,c\n"),
			"predict: rows cannot be encoded as numbers: ")
	}
	assert.Contains(t, failure(dataset.Encoding{}, rows, "x,class\n?,a\n1,b\n"),
		"fit: rows cannot be encoded as numbers: ")
	silent := Learner[[]float64, int]{Name: "silent", Fit: func(context.Context,
		Sample[[]float64, int], uint64,
	) (Model[[]float64, int], error) {
		return Model[[]float64, int]{}, nil
	}}
	assert.Contains(t, failure(both, silent, "x,class\n1,a\n1,b\n"),
		"the model has no function that predicts")
	_, err = Run(t.Context(), []Data[dataset.Row, int]{table},
		[]Learner[dataset.Row, int]{Encode(both, Learner[[]float64, int]{Name: "x"})}, Config{})
	require.ErrorContains(t, err, "learner 0 has no name or no Fit")
}

func requireRows(t *testing.T, want, got [][]float64) {
	t.Helper()
	require.Len(t, got, len(want))
	for i := range want {
		require.InDeltaSlice(t, want[i], got[i], 1e-15)
		require.Len(t, got[i], len(want[i]))
	}
}

func TestEncodedTablesWithNumbers(t *testing.T) {
	t.Parallel()
	line := Func("line", func(_ context.Context, train Sample[[]float64, float64],
		_ uint64,
	) (func([]float64) float64, error) {
		assert.Equal(t, train.Len(), len(train.Labels()))
		return func(x []float64) float64 { return 100*x[0] + 10*x[1] + 20*x[2] + 60*x[3] + 2 }, nil
	})
	b := mustRun[dataset.Row, float64](t, rents(t), Config{
		Protocol:     split.CV(1, 3),
		IgnoreGroups: true,
	}, Encode(dataset.Encoding{OneHot: true}, line))
	require.Len(t, values(b), 3)
	for _, v := range values(b) {
		assert.InDelta(t, math.Sqrt2, v, 0.2)
	}
}
