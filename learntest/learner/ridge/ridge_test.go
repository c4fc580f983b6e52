package ridge

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/dataset/uci"
	"github.com/learnbench/learnbench/learntest/learner"
	"github.com/learnbench/learnbench/learntest/learner/internal/fixture"
	"github.com/learnbench/learnbench/learntest/learner/ols"
)

var (
	nan = math.NaN()
	abc = []string{"a", "b", "c"}
)

// values returns the predictions for all rows of a model trained on some.
func values(t *testing.T, r learner.Regressor, table *dataset.Table, rows ...int) []float64 {
	t.Helper()
	m, err := r.Fit(table, rows, 1)
	require.NoError(t, err)
	ys := make([]float64, table.Len())
	for i := range ys {
		ys[i], err = m.Value(table, i)
		require.NoError(t, err)
	}
	require.NoError(t, m.Close())
	return ys
}

func TestOneColumn(t *testing.T) {
	t.Parallel()
	// Scaled, x is -1 and 1 and has the coefficient Σxy/(2+α) = 4/(2+α).
	table := fixture.Table(t, nil, fixture.Numeric("x", 10, 20, 25), fixture.Numeric("y", 1, 5, nan))
	assert.InDeltaSlice(t, []float64{3 - 4./3, 3 + 4./3, 3 + 8./3}, values(t, New(Config{}), table,
		0, 1, 2), 1e-12)
	assert.InDeltaSlice(t, []float64{3 - 0.4, 3 + 0.4, 3.8}, values(t, New(Config{Alpha: 8}),
		table, 0, 1), 1e-12)
}

func TestSmallPenaltyIsLeastSquares(t *testing.T) {
	t.Parallel()
	table := fixture.Table(t, []float64{1, 2, 3, 1, 1, 2}, fixture.Numeric("x", 1, 3, 4, 7, 8, 11),
		fixture.Nominal("v", abc, 0, 1, 2, 0, 1, 2), fixture.Numeric("y", 3, 1, 4, 1, 5, 9))
	rows := fixture.Rows(table)
	assert.InDeltaSlice(t, values(t, ols.New(ols.Config{}), table, rows...),
		values(t, New(Config{Alpha: 1e-9}), table, rows...), 1e-7)
}

// Few columns have a matrix of products, many have not, and one column that never changes makes
// many of few. Weights that leave next to nothing of a column spoil the matrix.
func TestFewColumnsAndMany(t *testing.T) {
	t.Parallel()
	for _, spoiled := range []bool{false, true} {
		rng := rand.New(rand.NewPCG(1, 2))
		const n, most = 300, 64
		weights, y := make([]float64, n), make([]float64, n)
		var columns []dataset.Column
		for j := range most {
			x := make([]float64, n)
			for i := range x {
				x[i] = math.Round(100*rng.NormFloat64()) / 100
				y[i] += float64(j) * x[i]
				weights[i] = []float64{1, 2, 1e-9}[i%3]
				if spoiled && j == 7 && i%3 < 2 {
					x[i] = 1
				}
			}
			if j == 11 {
				copy(x, columns[0].Numbers)
			}
			columns = append(columns, fixture.Numeric(fmt.Sprint("x", j), x...))
		}
		few := append(slices.Clone(columns), fixture.Numeric("y", y...))
		many := append(columns, fixture.Numeric("same", make([]float64, n)...), few[len(columns)])
		for _, alpha := range []float64{1e-6, 1, 100} {
			var got [2][]float64
			for i, columns := range [][]dataset.Column{few, many} {
				table := fixture.Table(t, weights, columns...)
				got[i] = values(t, New(Config{Alpha: alpha}), table, fixture.Rows(table)...)
			}
			assert.InDeltaSlice(t, got[1], got[0], 1e-8, "alpha %v", alpha)
			assert.Equal(t, spoiled, slices.Equal(got[0], got[1]), "one way for both")
		}
	}
}

func TestWeightsAreRepetitions(t *testing.T) {
	t.Parallel()
	weighted := fixture.Table(t, []float64{1, 2, 3, 1}, fixture.Nominal("x", abc, 0, 1, 1, 2),
		fixture.Numeric("y", 7, 1, 4, 2))
	plain := fixture.Table(t, nil, fixture.Nominal("x", abc, 0, 1, 1, 2),
		fixture.Numeric("y", 7, 1, 4, 2))
	want := values(t, New(Config{}), weighted, 0, 1, 2, 3)
	assert.InDeltaSlice(t, want, values(t, New(Config{}), plain, 0, 1, 1, 2, 2, 2, 3), 1e-10)
	assert.NotEqual(t, want, values(t, New(Config{}), plain, 0, 1, 2, 3))
}

func TestConstantRowsPredictTheMean(t *testing.T) {
	t.Parallel()
	table := fixture.Table(t, nil, fixture.Numeric("x", 0.1, 0.1, 0.1, 5), fixture.Nominal("c", abc, 0,
		0, 0, 1), fixture.Numeric("y", 1, 2, 6, 0))
	assert.InDeltaSlice(t, []float64{3, 3, 3, 3}, values(t, New(Config{}), table, 0, 1, 2), 1e-12)
	assert.Equal(t, []float64{2, 2, 2, 2}, values(t, New(Config{}), table, 1))
	assert.Equal(t, []float64{1, 1, 1, 1},
		values(t, New(Config{}), fixture.Table(t, nil, fixture.Numeric("y", 1, 1, 1, 1)), 0, 1))
}

func TestExtremeNumbers(t *testing.T) {
	t.Parallel()
	table := fixture.Table(t, nil, fixture.Numeric("x", -1, 1, 0, 1e308), fixture.Numeric("y", -1e308,
		1e307, -4e307, 0))
	assert.InEpsilonSlice(t, []float64{-4.5e307 - 1.1e308/3, -4.5e307 + 1.1e308/3, -4.5e307},
		values(t, New(Config{}), fixture.Table(t, nil, fixture.Numeric("x", -1, 1, 0),
			fixture.Numeric("y", -1e308, 1e307, 0)), 0, 1), 1e-12)
	m, err := New(Config{}).Fit(table, []int{0, 1}, 1)
	require.NoError(t, err)
	_, err = m.Value(table, 3)
	require.ErrorIs(t, err, dataset.ErrEncoding)
	require.ErrorContains(t, err, "row 3 is too far from the training rows")
}

func TestWhatCannotBeTrained(t *testing.T) {
	t.Parallel()
	table := fixture.Table(t, nil, fixture.Numeric("x", 1, 2, 1e308, -1e308, 0, 0, 0),
		fixture.Numeric("y", 1, nan, 0, 1, -1.7e308, 1.7e308, 1.7e308))
	var wide []dataset.Column
	for j := range 41 { // powers, which are nearly dependent, and the target
		x := make([]float64, 20)
		for i := range x {
			x[i] = math.Pow(float64(i+1)/20, float64(j)/3+1)
			if j == 40 {
				x[i] = math.Sin(float64(i * i))
			}
		}
		wide = append(wide, fixture.Numeric(string(rune('A'+j)), x...))
	}
	for text, c := range map[string]struct {
		alpha float64
		table *dataset.Table
		rows  []int
		err   error
	}{
		"alpha = -1, want a positive number":         {-1, table, []int{0}, ErrConfig},
		"alpha = NaN, want a positive number":        {nan, table, []int{0}, ErrConfig},
		"alpha = +Inf, want a positive number":       {math.Inf(1), table, []int{0}, ErrConfig},
		"it has no numeric target":                   {0, uci.Iris(), []int{0}, learner.ErrTraining},
		"the target of all training rows is missing": {0, table, []int{1}, learner.ErrTraining},
		"it has 7 rows, no row 7":                    {0, table, []int{0, 7}, learner.ErrTraining},
		`attribute "x": its numbers are too large`:   {0, table, []int{3, 2, 0}, learner.ErrTraining},
		`on "toy": its numbers are too large`:        {0, table, []int{4, 5, 6}, learner.ErrTraining},
		"choose a greater alpha, or ols": {
			1e-30, fixture.Table(t, nil, wide...),
			fixture.Rows(fixture.Table(t, nil, wide...)), learner.ErrTraining,
		},
	} {
		_, err := New(Config{Alpha: c.alpha}).Fit(c.table, c.rows, 1)
		require.ErrorIs(t, err, c.err, text)
		require.ErrorContains(t, err, text)
	}
}

func TestNames(t *testing.T) {
	t.Parallel()
	assert.Equal(t, "ridge", New(Config{}).Name())
	assert.Equal(t, "ridge(alpha=0.1)", New(Config{Alpha: 0.1}).Name())
}
