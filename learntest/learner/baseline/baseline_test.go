package baseline_test

import (
	"math"
	"slices"
	"testing"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/dataset/uci"
	"github.com/learnbench/learnbench/learntest/learner"
	"github.com/learnbench/learnbench/learntest/learner/baseline"
	"github.com/learnbench/learnbench/learntest/learnercheck"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestMajorityKeepsTheContract(t *testing.T) {
	t.Parallel()
	require.NoError(t, learnercheck.Check(t.Context(), learnercheck.Classifier(baseline.Majority(),
		learnercheck.Options{OrderFree: true, Tolerance: 1e-15})))
}

func TestMajority(t *testing.T) {
	t.Parallel()
	class := func(weights []float64, codes ...int32) *dataset.Table {
		table, err := dataset.New("t", []dataset.Column{{
			Attribute: dataset.Attribute{Name: "c", Kind: dataset.Nominal, Values: []string{"a", "b", "c"}},
			Codes:     codes,
		}}, 0, weights)
		require.NoError(t, err)
		return table
	}
	for _, c := range []struct {
		table *dataset.Table
		rows  []int
		want  []float64
	}{
		{class(nil, 0, 1, 1, -1), []int{0, 1, 2, 3}, []float64{2. / 6, 3. / 6, 1. / 6}},
		{class(nil, 0, 1, 1, -1), []int{0, 3}, []float64{2. / 4, 1. / 4, 1. / 4}},
		{
			class([]float64{4, 1, 1.5, 9}, 0, 1, 1, -1),
			[]int{0, 1, 2, 3},
			[]float64{5 / 9.5, 3.5 / 9.5, 1 / 9.5},
		},
	} {
		m, err := baseline.Majority().Fit(c.table, c.rows, 1)
		require.NoError(t, err)
		got := make([]float64, 3)
		m.Distribution(c.table, 0, got)
		assert.InDeltaSlice(t, c.want, got, 1e-15)
	}
	_, err := baseline.Majority().Fit(class(nil, 0, -1), []int{1}, 1)
	require.ErrorIs(t, err, learner.ErrTraining)
	require.ErrorContains(t, err, "the class of all training rows is missing")
	_, err = baseline.Majority().Fit(class(nil, 0, -1), []int{2}, 1)
	require.ErrorContains(t, err, "2 rows, no row 2")
	_, err = baseline.Majority().Fit(numbers(t, nil, 1), []int{0}, 1)
	require.ErrorContains(t, err, "no nominal class")
}

func numbers(t require.TestingT, weights []float64, ys ...float64) *dataset.Table {
	table, err := dataset.New("t", []dataset.Column{{
		Attribute: dataset.Attribute{Name: "y"},
		Numbers:   ys,
	}}, 0, weights)
	require.NoError(t, err)
	return table
}

// constant returns what a regressor trained on all rows predicts.
func constant(t require.TestingT, r learner.Regressor, table *dataset.Table) float64 {
	rows := make([]int, table.Len())
	for i := range rows {
		rows[i] = i
	}
	m, err := r.Fit(table, rows, 1)
	require.NoError(t, err)
	y, err := m.Value(table, 0)
	require.NoError(t, err)
	require.NoError(t, m.Close())
	return y
}

func TestMeanAndMedian(t *testing.T) {
	t.Parallel()
	nan, huge := math.NaN(), math.MaxFloat64
	for _, c := range []struct {
		weights, ys  []float64
		mean, median float64
	}{
		{nil, []float64{3}, 3, 3},
		{nil, []float64{4, 1}, 2.5, 2.5},
		{nil, []float64{9, 1, 2}, 4, 2},
		{nil, []float64{9, 1, 2, 4}, 4, 3},
		{nil, []float64{nan, 1, nan, 3, 8}, 4, 3},
		{[]float64{2, 1, 1}, []float64{1, 2, 4}, 2, 1.5},
		{[]float64{3, 1, 1}, []float64{1, 2, 5}, 2, 1},
		{[]float64{1, 1, 3}, []float64{0, 5, 10}, 7, 10},
		{nil, []float64{huge, huge, huge}, huge, huge},
		{nil, []float64{-huge, huge}, 0, 0},
		{nil, []float64{0.1, 0.1, 0.1}, 0.1, 0.1},
		{nil, []float64{1e15 + 1, 1e15 + 2, 1e15 + 6}, 1e15 + 3, 1e15 + 2},
	} {
		table := numbers(t, c.weights, c.ys...)
		assert.InDelta(t, c.mean, constant(t, baseline.Mean(), table), 1e-15*math.Abs(c.mean),
			"mean of %v", c.ys)
		assert.Equal(t, c.median, constant(t, baseline.Median(), table), "median of %v", c.ys)
	}
	same := numbers(t, nil, slices.Repeat([]float64{0.1}, 5)...)
	assert.Equal(t, 0.1, constant(t, baseline.Mean(), same), "exactly")
	assert.Equal(t, "mean", baseline.Mean().Name())
	assert.Equal(t, "median", baseline.Median().Name())
}

func TestNumbersNeedATarget(t *testing.T) {
	t.Parallel()
	for text, c := range map[string]struct {
		table *dataset.Table
		row   int
	}{
		"no numeric target":                          {uci.Iris(), 0},
		"the target of all training rows is missing": {numbers(t, nil, 1, math.NaN()), 1},
		"2 rows, no row -1":                          {numbers(t, nil, 1, math.NaN()), -1},
	} {
		_, err := baseline.Mean().Fit(c.table, []int{c.row}, 1)
		require.ErrorIs(t, err, learner.ErrTraining)
		require.ErrorContains(t, err, text)
	}
	none, err := dataset.New("t", []dataset.Column{{
		Attribute: dataset.Attribute{Name: "y"},
		Numbers:   []float64{1},
	}}, -1, nil)
	require.NoError(t, err)
	_, err = baseline.Median().Fit(none, []int{0}, 1)
	require.ErrorContains(t, err, "no numeric target")
}

// Weights are repetitions, the order of the rows does not matter, and no other
// constant has less squared or absolute error.
func TestConstantsAreTheBest(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var ys, weights, repeated []float64
		for _, y := range rapid.SliceOfN(rapid.IntRange(-20, 20), 1, 12).Draw(t, "ys") {
			n := rapid.IntRange(1, 3).Draw(t, "weight")
			ys, weights = append(ys, float64(y)), append(weights, float64(n))
			repeated = append(repeated, slices.Repeat([]float64{float64(y)}, n)...)
		}
		loss := func(at float64, of func(d float64) float64) (sum float64) {
			for _, y := range repeated {
				sum += of(y - at)
			}
			return sum
		}
		square := func(d float64) float64 { return d * d }
		table := numbers(t, weights, ys...)
		mean, median := constant(t, baseline.Mean(), table), constant(t, baseline.Median(), table)
		assert.InDelta(t, constant(t, baseline.Mean(), numbers(t, nil, repeated...)), mean, 1e-12)
		assert.Equal(t, constant(t, baseline.Median(), numbers(t, nil, repeated...)), median)
		for other := -20.0; other <= 20; other += 0.5 {
			assert.LessOrEqual(t, loss(mean, square), loss(other, square)+1e-9)
			assert.LessOrEqual(t, loss(median, math.Abs), loss(other, math.Abs))
		}
		slices.Reverse(ys)
		slices.Reverse(weights)
		assert.Equal(t, mean, constant(t, baseline.Mean(), numbers(t, weights, ys...)))
		assert.Equal(t, median, constant(t, baseline.Median(), numbers(t, weights, ys...)))
	})
}
