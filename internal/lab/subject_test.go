package lab

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/learntest"
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/split"
)

// Where all rows are equally near, the nearest neighbour of the papers predicts the class of
// the first row of a random order, which differs between runs. So in a run all models predict
// one class, except the model that is tested on the first row.
func TestNearestNeighbourTakesTheFirstOfARandomOrder(t *testing.T) {
	t.Parallel()
	const n, runs, folds = 40, 30, 10
	class := dataset.Column{Attribute: dataset.Attribute{
		Name: "class", Kind: dataset.Nominal,
		Values: []string{"a", "b", "c"},
	}}
	for i := range n {
		class.Codes = append(class.Codes, int32(i%3))
	}
	same := dataset.Column{
		Attribute: dataset.Attribute{Name: "x", Kind: dataset.Numeric},
		Numbers:   make([]float64, n),
	}
	table, err := dataset.New("alike", []dataset.Column{same, class}, 1, nil)
	require.NoError(t, err)
	protocol := split.CV(runs, folds).WithSeed(3)
	plan, err := protocol.Plan(split.Examples{N: n})
	require.NoError(t, err)
	scores, err := IB1().Bind().Scores(t.Context(), table, plan)
	require.NoError(t, err)
	again, err := IB1().Bind().Scores(t.Context(), table, plan)
	require.NoError(t, err)
	require.Equal(t, scores, again)
	var first [3]int // how often it is of each class
	for run := range runs {
		var agree [3]int // folds whose score equals the score of predicting the class
		for fold := range folds {
			_, test := plan.Trial(run+1, fold+1, nil, nil)
			var share [3]float64
			for _, row := range test {
				share[class.Codes[row]] += 1 / float64(len(test))
			}
			for c := range share {
				if diff := share[c] - scores[run*folds+fold]; diff < 1e-9 && diff > -1e-9 {
					agree[c]++
				}
			}
		}
		best := 0
		for c := range agree {
			if agree[c] > agree[best] {
				best = c
			}
		}
		assert.GreaterOrEqual(t, agree[best], folds-1, "run %d", run+1)
		first[best]++
	}
	for c := range first {
		assert.Positive(t, first[c])
	}
}

// A tree without anything to split on is constant in each trial, and one that splits is in none.
func TestConstantCountsModels(t *testing.T) {
	t.Parallel()
	const n = 60
	class := dataset.Column{Attribute: dataset.Attribute{
		Name: "class", Kind: dataset.Nominal,
		Values: []string{"a", "b"},
	}}
	numbers := func(of func(i int) float64) dataset.Column {
		c := dataset.Column{Attribute: dataset.Attribute{Name: "x", Kind: dataset.Numeric}}
		for i := range n {
			c.Numbers = append(c.Numbers, of(i))
		}
		return c
	}
	for i := range n {
		class.Codes = append(class.Codes, int32(i%2))
	}
	protocol := split.CV(2, 5)
	plan, err := protocol.Plan(split.Examples{N: n})
	require.NoError(t, err)
	for want, of := range []func(i int) float64{
		func(i int) float64 { return float64(i % 2) },
		func(int) float64 { return 0 },
	} {
		table, err := dataset.New("given", []dataset.Column{numbers(of), class}, 1, nil)
		require.NoError(t, err)
		scores, err := Constant(learntest.FromClassifier(NewTree())).Bind().Scores(t.Context(), table,
			plan)
		require.NoError(t, err)
		require.Len(t, scores, 10)
		for _, x := range scores {
			require.Equal(t, float64(want), x)
		}
	}
}
