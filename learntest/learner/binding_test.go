package learner_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/learntest/dataset"
)

// A table with some other columns leaves a model unchanged: after a recovered panic, the model
// predicts its own table as before.
func TestPredictionsSurviveTablesOfOtherAttributes(t *testing.T) {
	t.Parallel()
	const n = 40
	table := func(values int) *dataset.Table {
		return newTable(t, "two attributes", []dataset.Column{
			nominal("v", 2, n, func(i int) int32 { return int32((i + values) % 2) }), // another order with each number
			nominal("w", values, n, func(i int) int32 { return int32(i / 2 % 2) }),
			nominal("class", 2, n, func(i int) int32 { return int32(i % 2 & (i / 2 % 2)) }),
		})
	}
	own, other := table(2), table(3)
	for _, c := range classifiers() {
		train := make([]int, n)
		for i := range train {
			train[i] = i
		}
		m, err := c.Fit(own, train, 1)
		require.NoError(t, err)
		want, got := make([]float64, 2), make([]float64, 2)
		m.Distribution(own, 3, want)
		assert.Panics(t, func() { m.Distribution(other, 3, got) }, c.Name())
		m.Distribution(own, 3, got)
		assert.Equal(t, want, got, c.Name())
		require.NoError(t, m.Close())
	}
}

// The memory of a closed model may belong to another model by the time of a second Close.
func TestClosingTwiceLeavesOtherModelsAlone(t *testing.T) {
	t.Parallel()
	const n = 40
	tb := newTable(t, "one attribute", []dataset.Column{
		nominal("v", 2, n, func(i int) int32 { return int32(i % 2) }),
		nominal("class", 2, n, func(i int) int32 { return int32(i % 2) }),
	})
	train := make([]int, n)
	for i := range train {
		train[i] = i
	}
	for _, c := range classifiers() {
		if strings.HasPrefix(c.Name(), "c45") {
			continue // whose memory is the model
		}
		for range 20 { // a pool may drop a returned value
			first, err := c.Fit(tb, train, 1)
			require.NoError(t, err)
			require.NoError(t, first.Close())
			second, err := c.Fit(tb, train, 1)
			require.NoError(t, err)
			want, got := make([]float64, 2), make([]float64, 2)
			second.Distribution(tb, 3, want)
			require.NoError(t, first.Close())
			second.Distribution(tb, 3, got)
			require.Equal(t, want, got, c.Name())
			require.NoError(t, second.Close())
		}
	}
}
