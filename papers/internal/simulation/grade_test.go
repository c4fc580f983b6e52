package simulation

import (
	"testing"

	"github.com/learnbench/learnbench/internal/lab"
	"github.com/learnbench/learnbench/learntest/learner"
	"github.com/stretchr/testify/require"
)

// An exam that weighs examples as a test set has them gives the accuracy on the test set.
func TestExamIsATestSet(t *testing.T) {
	t.Parallel()
	networks, err := lab.Networks()
	require.NoError(t, err)
	n := networks[3]
	const size, seed = 2000, 12
	e, err := newExam(n)
	require.NoError(t, err)
	require.NoError(t, e.sample(n, size, seed))
	train, err := n.Table("train", lab.Examples, 3)
	require.NoError(t, err)
	test, err := n.Table("test", size, seed)
	require.NoError(t, err)
	rows := make([]int, lab.Examples)
	for i := range rows {
		rows[i] = i
	}
	for _, c := range []learner.Classifier{lab.NewBayes(), lab.NewTree()} {
		got, err := e.accuracies(nil, c, train, train.Len())
		require.NoError(t, err)
		m, err := c.Fit(train, rows, 1)
		require.NoError(t, err)
		right, dist := 0, make([]float64, 2)
		for i := range size {
			m.Distribution(test, i, dist)
			right += lab.Indicator(learner.Best(dist) == test.Class(i))
		}
		require.InDelta(t, 100*float64(right)/size, got[1], 1e-9)
		require.InDelta(t, got[0], got[1], 4, "the error of test sets of this size")
		require.NotEqual(t, got[0], got[1])
	}
}
