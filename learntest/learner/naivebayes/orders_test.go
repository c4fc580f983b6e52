package naivebayes

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/learner/internal/fixture"
	"github.com/learnbench/learnbench/learntest/learner/internal/trainset"
)

// TestFewRowsOfManyAreSortedAlone trains on few rows of a large table, with equal and missing
// values, repeated rows and weights.
func TestFewRowsOfManyAreSortedAlone(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(8, 9))
	for _, distinct := range []int{40, 1 << 30} {
		x, y, weights := make([]float64, manyRows), make([]float64, manyRows), make([]float64, manyRows)
		c := make([]int32, manyRows)
		for i := range x {
			x[i], y[i] = float64(rng.IntN(distinct)-20), float64(rng.IntN(distinct))/7
			c[i], weights[i] = int32(rng.IntN(3)), 0.5+rng.Float64()
			switch rng.IntN(30) {
			case 0:
				x[i] = math.NaN()
			case 1:
				x[i] = math.Copysign(0, -1)
			}
		}
		columns := []dataset.Column{
			{Attribute: dataset.Attribute{Name: "x"}, Numbers: x},
			{Attribute: dataset.Attribute{Name: "y"}, Numbers: y},
			{Attribute: nominal("class", "a", "b", "c"), Codes: c},
		}
		rows := []int{7, 3, 7, manyRows - 1}
		for range 2000 {
			rows = append(rows, rng.IntN(manyRows))
		}
		for _, w := range [][]float64{nil, weights} {
			tb, err := dataset.New("many", columns, 2, w)
			require.NoError(t, err)
			for _, k := range []int{4, len(rows), manyRows / 4} {
				rows := rows
				for len(rows) < k {
					rows = append(rows, rng.IntN(manyRows))
				}
				m := fit(t, New(Config{}), tb, rows[:k])
				few := selectRows(t, tb, rows[:k])
				alone := fit(t, New(Config{}), few, fixture.Rows(few))
				assert.Equal(t, fixture.Distributions(alone, tb), fixture.Distributions(m, tb))
			}
		}
	}
}

// TestOrdersAreEnough trains on most rows of a table, and on few of them: neither takes the memory
// of ranks.
func TestOrdersAreEnough(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 9))
	x, c := make([]float64, manyRows), make([]int32, manyRows)
	for i := range x {
		x[i], c[i] = rng.NormFloat64(), int32(rng.IntN(2))
	}
	tb, err := dataset.New("many", []dataset.Column{
		{Attribute: dataset.Attribute{Name: "x"}, Numbers: x},
		{Attribute: nominal("class", "a", "b"), Codes: c},
	}, 1, nil)
	require.NoError(t, err)
	nb := New(Config{})
	for _, k := range []int{manyRows * 9 / 10, manyRows / 5} {
		fit(t, nb, tb, fixture.Rows(tb)[:k])
		index := trainset.OrdersOf(tb)
		assert.Len(t, index.Order(0), manyRows)
		assert.Empty(t, index.Column(0))
	}
	fit(t, nb, tb, fixture.Rows(tb)[:manyRows/3])
	assert.Len(t, trainset.OrdersOf(tb).Column(0).Codes, manyRows)
}

func nominal(name string, values ...string) dataset.Attribute {
	return dataset.Attribute{Name: name, Kind: dataset.Nominal, Values: values}
}
