package study

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// Classes are as frequent as one another where they are to be balanced, and else by chance.
func TestRandomClasses(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n, classes := rapid.IntRange(1, 50).Draw(t, "n"), rapid.IntRange(2, 5).Draw(t, "classes")
		counts := make([]int, classes)
		for _, c := range randomClasses(rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1)), n,
			classes, true) {
			counts[c]++
		}
		require.LessOrEqual(t, slices.Max(counts)-slices.Min(counts), 1)
	})
	counts := make([]int, 3)
	for _, c := range randomClasses(rand.New(rand.NewPCG(1, 1)), 3000, 3, false) {
		counts[c]++
	}
	for _, k := range counts {
		require.InDelta(t, 1000, k, 100)
		require.NotEqual(t, 1000, k)
	}
}

// The interval is exact: at its ends, the observed number and all numbers farther off have 2.5%.
func TestInterval(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		k, n   int
		lo, hi float64
	}{
		{0, 10, 0, 0.30849710781876083}, // 1 − 0.025^(1/10)
		{10, 10, 0.6915028921812392, 1},
		{1, 2, 0.012579117093425, 0.987420882906575}, // 1 − √0.975, √0.975
	} {
		lo, hi := interval(test.k, test.n)
		require.InDelta(t, test.lo, lo, 1e-12)
		require.InDelta(t, test.hi, hi, 1e-12)
	}
}

// A learner on other seeds is trained on the same sample, on a seed of its own for each that it is
// given.
func TestReseeded(t *testing.T) {
	t.Parallel()
	given := make(map[uint64]bool)
	name, fit := reseeded("forest", func(_ context.Context, train string, seed uint64) (int, error) {
		require.Equal(t, "mails", train)
		given[seed] = true
		return 7, nil
	})
	require.Equal(t, "forest, other seeds", name)
	for seed := range uint64(100) {
		model, err := fit(t.Context(), "mails", seed)
		require.NoError(t, err)
		require.Equal(t, 7, model)
		require.False(t, given[seed], "the same seed")
	}
	require.Len(t, given, 100)
}
