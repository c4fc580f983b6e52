package study

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/learnbench/learnbench/internal/citest"
	"github.com/learnbench/learnbench/internal/lab"
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/learner"
	"github.com/learnbench/learnbench/learntest/learner/neighbor"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A fittedSource draws classes for the examples of a table as a model of them predicts: a
// parametric null, if both learners see halves of the attributes that are alike.
type fittedSource struct {
	table *dataset.Table
	model learner.Model
	id    string
}

func (f *fittedSource) ID() string { return f.id }

func (f *fittedSource) Table(name string, n int, seed uint64) (*dataset.Table, error) {
	rng := rand.New(rand.NewPCG(seed, 99))
	t := f.table
	cols := make([]dataset.Column, t.NumAttributes())
	for j := range cols {
		cols[j] = dataset.Column{Attribute: t.Attribute(j), Numbers: t.Numbers(j), Codes: t.Codes(j)}
	}
	codes, p := make([]int32, n), make([]float64, 2)
	for i := range n {
		f.model.Distribution(t, i, p)
		codes[i] = int32(lab.Indicator(rng.Float64() < p[1]/(p[0]+p[1])))
	}
	cols[t.ClassIndex()].Codes = codes
	return dataset.New(name, cols, t.ClassIndex(), nil)
}

// Neither random classes nor classes that are drawn from a model of the user's own examples tell
// stable learners from unstable ones, so that FalseAlarmRate has only the first and promises
// little.
func TestNoNullOfOnesOwnExamplesTellsStableFromUnstable(t *testing.T) {
	citest.Need(t, citest.Slow)
	t.Parallel()
	one := func() learner.Classifier { return neighbor.New(neighbor.Config{K: 1}) }
	rate := func(n int, make func() learner.Classifier, src lab.Source, sets int) float64 {
		u := halved("null", src, n, lab.Classified(make, false), expectedGates{})
		u.quick = true
		r, err := gateRows(t.Context(), lab.Config{Parallel: 1, Seed: 1}, []null{u}, sets, 0)
		require.NoError(t, err)
		return 100 * r[0].rejected[defaultGate].Share()
	}
	drawn := func(m mixture, n, i int) *dataset.Table {
		table, err := m.Table("d", n, uint64(1000+i))
		require.NoError(t, err)
		return table
	}
	parametric := func(n int, make func() learner.Classifier, m mixture) (rates []float64) {
		for i := range 5 {
			table := drawn(m, n, i)
			model, err := make().Fit(table, sequence(0, n), 1)
			require.NoError(t, err)
			rates = append(rates, rate(n, make, &fittedSource{table, model, fmt.Sprint("fitted ", i)}, 60))
		}
		return rates
	}
	random := func(n int, make func() learner.Classifier, m mixture) float64 {
		src, err := newRelabelled(drawn(m, n, 0), true)
		require.NoError(t, err)
		return rate(n, make, src, 400)
	}
	weak := mixture{attributes: 4, shift: 0.3, positive: 0.5, balanced: true}

	// Of 1-NN the model has learned the classes by heart; nothing varies.
	nearest := parametric(300, one, usual)
	assert.Zero(t, slices.Max(nearest))
	// C4.5 is wrong in 5%, and the model says anything, since one half of the attributes may be
	// better.
	trees := parametric(300, lab.NewTree, usual)
	assert.Less(t, slices.Min(trees), 5.0)
	assert.Greater(t, slices.Max(trees), 30.0)

	a, b, c := random(300, one, usual), random(300, lab.NewBayes, usual),
		random(300, lab.NewTree, weak)
	t.Logf("parametric: 1-NN %.0f, C4.5 %.0f; random classes: 1-NN %.1f, naive Bayes %.1f, weak trees %.1f", nearest, trees, a, b, c)
	assert.InDelta(t, a, b, 6, "they are 10.9 and 3.7 where there is something to learn")
}
