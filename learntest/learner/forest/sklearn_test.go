package forest

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/internal/citest"
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/dataset/uci"
	"github.com/learnbench/learnbench/learntest/learner"
	"github.com/learnbench/learnbench/learntest/learner/internal/fixture"
	"github.com/learnbench/learnbench/learntest/learner/internal/trainset"
)

// references are written by ../testdata/sklearn_reference.py, with scikit-learn 1.2.1.
type references struct {
	Trees []struct {
		Set                string
		Depth, Leaf, Nodes int
		P                  [][]float64
	}
	Accuracies []struct {
		Set             string
		Seeds           int
		Mean, Deviation float64
	}
}

// cart returns the tree of all columns and all given rows.
func cart(t fixture.T, table *dataset.Table, rows []int, cfg Config) *Model {
	c := New(cfg)
	w := c.pool.Get()
	var err error
	if w.rows, err = trainset.Known(nil, table, rows); err != nil {
		t.Errorf("%v", err)
		t.FailNow()
	}
	c.cfg.Trees, c.cfg.Features = 0, math.MaxInt
	w.train(table, trainset.IndexOf(table), c.cfg, 1)
	w.counts = w.counts[:0]
	for range w.rows {
		w.counts = append(w.counts, 1)
	}
	w.take(table)
	w.grow()
	return &Model{c.pool.Lend(w)}
}

func TestTreesEqualScikitLearns(t *testing.T) {
	t.Parallel()
	var refs references
	fixture.Sklearn(t, "forest", &refs)
	require.Len(t, refs.Trees, 6)
	for _, ref := range refs.Trees {
		table, err := uci.Load(ref.Set)
		require.NoError(t, err)
		var train []int
		for i := range table.Len() {
			if i%3 > 0 {
				train = append(train, i)
			}
		}
		m := cart(t, table, train, Config{MaxDepth: ref.Depth, MinLeaf: ref.Leaf})
		assert.Len(t, m.lent.Space.nodes, ref.Nodes, ref.Set)
		dist := make([]float64, table.NumClasses())
		for i, p := range ref.P {
			m.Distribution(table, i, dist)
			assert.InDeltaSlice(t, p, dist, 1e-11, "%s, row %d", ref.Set, i)
		}
	}
}

// Both libraries draw random numbers, so that accuracies agree up to their Monte Carlo error.
func TestAccuraciesAreScikitLearns(t *testing.T) {
	t.Parallel()
	citest.Need(t, citest.Slow)
	var refs references
	fixture.Sklearn(t, "forest", &refs)
	require.Len(t, refs.Accuracies, 9)
	forest := New(Config{Trees: 30})
	sum := 0.0
	for _, ref := range refs.Accuracies {
		table, err := uci.Load(ref.Set)
		require.NoError(t, err)
		mean := 0.0
		for seed := range ref.Seeds {
			mean += accuracy(t, forest, table, uint64(seed)) / float64(ref.Seeds)
		}
		z := (mean - ref.Mean) / (ref.Deviation * math.Sqrt(2/float64(ref.Seeds)))
		t.Logf("%s: %.4f, scikit-learn's %.4f ± %.4f, z = %+.2f", ref.Set, mean, ref.Mean, ref.Deviation,
			z)
		assert.Less(t, math.Abs(z), 3.5, ref.Set)
		sum += z
	}
	assert.Less(t, math.Abs(sum/3), 3.0, "all together")
}

// accuracy returns the accuracy in five folds, row i being tested in fold i mod 5.
func accuracy(t *testing.T, c learner.Classifier, table *dataset.Table, seed uint64) float64 {
	right := 0.0
	dist := make([]float64, table.NumClasses())
	for fold := range 5 {
		var train []int
		for i := range table.Len() {
			if i%5 != fold {
				train = append(train, i)
			}
		}
		m, err := c.Fit(table, train, 5*seed+uint64(fold))
		require.NoError(t, err)
		for i := fold; i < table.Len(); i += 5 {
			m.Distribution(table, i, dist)
			if learner.Best(dist) == table.Class(i) {
				right++
			}
		}
		require.NoError(t, m.Close())
	}
	return right / float64(table.Len())
}
