package c45

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/learnbench/learnbench/internal/floatcmp"
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/learner"
	"github.com/learnbench/learnbench/learntest/learner/internal/fixture"
)

// weightedRows returns six rows of two classes that x tells apart.
func weightedRows(t fixture.T, weights ...float64) *dataset.Table {
	return fixture.Table(t, weights, fixture.Numeric("x", 1, 2, 3, 4, 5, 6),
		fixture.Nominal("class", []string{"a", "b"}, 0, 0, 0, 1, 1, 1))
}

func TestFitRefusesWeightsThatAreTooSmall(t *testing.T) {
	t.Parallel()
	table := weightedRows(t, 0.125, 0.125, 0.125, 0.25, 0.125, 0.125)
	_, err := New(Config{}).Fit(table, fixture.Rows(table), 1)
	require.ErrorIs(t, err, learner.ErrTraining)
	assert.EqualError(t, err, `cannot train on "toy": c45: the weights of the 6 training rows sum to 0.875, and row 3 has the greatest, 0.25: `+
		"no node of a weight below 4 is split; multiply all weights by 6.85714, so that they are 1 in the mean")

	for name, test := range map[string]struct {
		cfg     Config
		weights []float64
		rows    []int
		leaves  int // 0 if they are refused
	}{
		"1 in the mean": {
			Config{},
			[]float64{0.5, 1.5, 1, 1, 1.5, 0.5},
			[]int{0, 1, 2, 3, 4, 5},
			2,
		},
		"just enough": {
			Config{},
			[]float64{0.9, 1, 0.1, 0.9, 1, 0.1},
			[]int{0, 1, 2, 3, 4, 5},
			2,
		},
		"just too small": {
			Config{},
			[]float64{0.9, 1, 0.1, 0.9, 1, 0.0999},
			[]int{0, 1, 2, 3, 4, 5},
			0,
		},
		"a greater leaf": {
			Config{MinLeaf: 3},
			[]float64{0.9, 1, 0.9, 0.9, 1, 0.9},
			[]int{0, 1, 2, 3, 4, 5},
			0,
		},
		"a lesser leaf": {
			Config{MinLeaf: 1},
			[]float64{0.4, 0.5, 0.2, 0.4, 0.4, 0.3},
			[]int{0, 1, 2, 3, 4, 5},
			2,
		},
		"some of the rows": {
			Config{},
			[]float64{9, 0.5, 0.5, 0.5, 0.5, 9},
			[]int{1, 2, 3, 4},
			0,
		},
		"rows that occur twice": {
			Config{},
			[]float64{9, 0.5, 0.5, 0.5, 0.5, 9},
			[]int{1, 1, 2, 2, 3, 3, 4, 4},
			2,
		},
		"rows too few to be split": {
			Config{},
			[]float64{0.1, 9, 9, 0.1, 0.1, 9},
			[]int{0, 3, 4},
			1,
		},
		"one class": {
			Config{},
			[]float64{1, 1, 1, 0.1, 0.1, 0.1},
			[]int{3, 3, 4, 4, 5, 5},
			1,
		},
		"one class of next to no weight": {
			Config{},
			[]float64{1, 1, 1, 1e-7, 1e-7, 1e-7},
			[]int{3, 4, 5},
			0,
		},
		"some weights next to nothing": {
			Config{},
			[]float64{2, 1, 1e-9, 1e-9, 2, 2},
			[]int{0, 1, 2, 3, 4, 5},
			2,
		},
	} {
		table := weightedRows(t, test.weights...)
		m, err := New(test.cfg).Fit(table, test.rows, 1)
		if test.leaves == 0 {
			assert.ErrorIs(t, err, learner.ErrTraining, name)
			continue
		}
		require.NoError(t, err, name)
		assert.Equal(t, test.leaves, m.(*Model).Leaves(), name)
		require.NoError(t, m.Close())
	}
}

func TestAcceptedWeightsAlwaysGiveAnOpinion(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		table := drawTable(t, false)
		n := table.Len()
		scale := rapid.SampledFrom([]float64{1, 0.1, 1e-3, 1e-6, 1e-9}).Draw(t, "scale")
		weights := rapid.SliceOfN(rapid.SampledFrom([]float64{scale, 2 * scale, 1e-9, 1e-30}), n,
			n).Draw(t, "weights")
		table = fixture.Table(t, weights, columns(table)...)
		m, err := New(Config{}).Fit(table, fixture.Rows(table), 1)
		if err != nil {
			heaviest := slices.Max(weights)
			if heaviest >= 4 {
				t.Fatalf("refused with a weight of %v: %v", heaviest, err)
			}
			return
		}
		dist := make([]float64, table.NumClasses())
		for i := range table.Len() {
			m.Distribution(table, i, dist)
			sum := 0.0
			for _, p := range dist {
				sum += p
			}
			if !floatcmp.Equal(sum, 1, 1e-5, 0) {
				t.Fatalf("row %d: %v", i, dist)
			}
		}
	})
}
