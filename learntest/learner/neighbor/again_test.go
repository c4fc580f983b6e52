package neighbor

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/learner/internal/fixture"
)

// odd makes a table whose columns are of all sizes: near 1e15, far less than 1, constant but
// for one row, or mostly missing. Some of its rows are equal.
func odd(t require.TestingT, rng *rand.Rand, n int) *dataset.Table {
	source := make([]int, n) // the row that each is a copy of
	for i := range source {
		if source[i] = i; rng.IntN(5) == 0 {
			source[i] = rng.IntN(i + 1)
		}
	}
	missing := []float64{0, 0, 0.1, 0.6}
	var cols []dataset.Column
	for j := range rng.IntN(6) {
		name, lacks := fmt.Sprint("a", j), missing[rng.IntN(len(missing))]
		if rng.IntN(4) == 0 {
			codes := make([]int32, n)
			for i := range codes {
				if codes[i] = int32(rng.IntN(3)); rng.Float64() < lacks {
					codes[i] = -1
				}
				codes[i] = codes[source[i]]
			}
			cols = append(cols, fixture.Nominal(name, []string{"x", "y", "z"}, codes...))
			continue
		}
		kind, x := rng.IntN(6), make([]float64, n)
		for i := range x {
			switch v := math.Round(3 * rng.NormFloat64()); kind {
			case 0:
				x[i] = v
			case 1:
				x[i] = 1e15 + v
			case 2:
				x[i] = []float64{0, 1, 1e15, -1e15}[rng.IntN(4)] + v
			case 3:
				x[i] = v * 1e-300
			case 4:
				x[i] = 7
				if rng.IntN(n) == 0 {
					x[i] = 8
				}
			case 5:
				x[i] = 1e15 * rng.NormFloat64()
			}
			if rng.Float64() < lacks {
				x[i] = math.NaN()
			}
			x[i] = x[source[i]]
		}
		cols = append(cols, fixture.Numeric(name, x...))
	}
	class := fixture.Nominal("class", []string{"u", "v", "w"})
	unknown := []int{0, 0, 8, 3}[rng.IntN(4)]
	for i := range n {
		code := int32(rng.IntN(3))
		if i < n-1 && unknown > 0 && rng.IntN(unknown) == 0 {
			code = -1
		}
		class.Codes = append(class.Codes, code)
	}
	var weights []float64
	if rng.IntN(6) == 0 {
		for range n {
			weights = append(weights, float64(1+rng.IntN(3))/2)
		}
	}
	return fixture.Table(t, weights, append(cols, class)...)
}

// scaled returns the first row of a table with its numbers doubled.
func scaled(t require.TestingT, tb *dataset.Table) *dataset.Table {
	var cols []dataset.Column
	for j := range tb.NumAttributes() {
		c := dataset.Column{Attribute: tb.Attribute(j)}
		if c.Kind == dataset.Nominal {
			c.Codes = tb.Codes(j)[:1]
		} else {
			c.Numbers = []float64{2 * tb.Numbers(j)[0]}
		}
		cols = append(cols, c)
	}
	return fixture.Table(t, nil, cols...)
}

// A classifier that has been trained before, one that has not, and one that makes no lists have
// the same votes in every bit, for rows of the training set, too.
func TestTrainingAgainChangesNoBitOfAVote(t *testing.T) {
	t.Parallel()
	made := 0
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 4))
		n := rapid.IntRange(2, 60).Draw(t, "rows")
		tb := odd(t, rng, n)
		other := scaled(t, tb)
		cfg := Config{
			K:         rapid.IntRange(1, 13).Draw(t, "k"),
			Weighting: rapid.SampledFrom([]Weighting{Equal, Inverse, Similarity}).Draw(t, "weighting"),
			Ties:      rapid.SampledFrom([]Ties{AllTies, FirstTies}).Draw(t, "ties"),
			WekaOrder: rapid.Bool().Draw(t, "order"),
		}
		c := New(cfg)
		sets := [2][]int{append(rng.Perm(n - 1)[n/10:], n-1), append(rng.Perm(n - 1)[n/4:], n-1)}
		for fit := range 6 {
			train := sets[fit/2%2]
			models := [3]*Model{
				trained(t, c, tb, train), trained(t, New(cfg), tb, train),
				trained(t, New(cfg), tb, train),
			}
			models[2].lent.Space.memory.lists, models[2].lent.Space.memory.marks = nil, nil
			var votes [3][]float64
			for i, row := range rng.Perm(n) {
				if i == n/2 && rng.IntN(4) == 0 { // in Weka's order, it may widen ranges
					for _, m := range models {
						m.Neighbors(other, 0)
					}
				}
				for i, m := range models {
					votes[i] = make([]float64, tb.NumClasses())
					m.Distribution(tb, row, votes[i])
				}
				if !slices.Equal(votes[1], votes[0]) || !slices.Equal(votes[2], votes[0]) {
					t.Fatalf("%s, fit %d, row %d: %v, but a new classifier has %v, and one without lists %v",
						c.Name(), fit+1, row, votes[0], votes[1], votes[2])
				}
			}
			for _, m := range models {
				if m.lent.Space.memory.lists != nil {
					made++
				}
				require.NoError(t, m.Close())
			}
		}
	})
	require.Positive(t, made)
}

func trained(t require.TestingT, c *Classifier, tb *dataset.Table, rows []int) *Model {
	m, err := c.Fit(tb, rows, 1)
	require.NoError(t, err)
	return m.(*Model)
}
