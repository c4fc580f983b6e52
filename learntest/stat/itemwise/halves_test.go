package itemwise

import (
	"math/rand/v2"
	"testing"

	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/stretchr/testify/require"
)

// TestHalvesKeepTheLevel splits answers that do not depend on each other, with even and odd numbers
// of repeats: about as many tests reject as the level says.
func TestHalvesKeepTheLevel(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(3, 4))
	for _, repeats := range []int{2, 3, 4} {
		scores := make([][]float64, 80)
		for i := range scores {
			for range repeats {
				scores[i] = append(scores[i], float64(i%3)+random.NormFloat64())
			}
		}
		share, err := Halves(scores, nil, ByItem, 0.05, 4000, 1)
		require.NoError(t, err)
		require.InDelta(t, 0.05, share, 0.015, "%d repeats", repeats)
		wide, err := Halves(scores, nil, ByItem, 0.5, 2000, 1)
		require.NoError(t, err)
		require.InDelta(t, 0.5, wide, 0.04)
		once, err := Halves(scores, nil, ByItem, 0.5, 400, 1)
		require.NoError(t, err)
		again, err := Halves(scores, nil, ByItem, 0.5, 400, 1)
		require.NoError(t, err)
		require.Equal(t, once, again)
		other, err := Halves(scores, nil, ByItem, 0.5, 400, 3)
		require.NoError(t, err)
		require.NotEqual(t, once, other)
	}
}

// TestHalvesOfFewClusters names the clusters of answers that differ in two of five clusters only:
// the real level is not the nominal one.
func TestHalvesOfFewClusters(t *testing.T) {
	t.Parallel()
	scores, clusters := make([][]float64, 50), make([]int, 50)
	for i := range scores {
		scores[i], clusters[i] = []float64{1, 1}, i%5
		if i < 2 {
			scores[i] = []float64{0, 1}
		}
	}
	with, err := Halves(scores, clusters, ByItem, 0.05, 500, 1)
	require.NoError(t, err)
	require.Zero(t, with)
	same := make([][]float64, 10)
	for i := range same {
		same[i] = []float64{0.5, 0.5}
	}
	none, err := Halves(same, nil, ByItem, 0.05, 10, 1)
	require.NoError(t, err)
	require.Zero(t, none, "nothing varies")
	require.Equal(t, []float64{0, 1}, scores[0], "the scores are unchanged")
}

func TestHalvesRefuse(t *testing.T) {
	t.Parallel()
	good := [][]float64{{0, 1}, {1, 0}, {1, 1}}
	for _, c := range []struct {
		scores [][]float64
		alpha  float64
		tries  int
		want   error
	}{
		{[][]float64{{0, 1}, {1}}, 0.05, 1, stat.ErrSampleSize},
		{[][]float64{{0, 1}}, 0.05, 1, stat.ErrSampleSize},
		{good, 0, 1, stat.ErrDomain},
		{good, 1, 1, stat.ErrDomain},
		{good, 0.05, 0, stat.ErrDomain},
	} {
		_, err := Halves(c.scores, nil, ByItem, c.alpha, c.tries, 1)
		require.ErrorIs(t, err, c.want)
	}
}

// A large cluster whose answers vary decides where items weigh equally, and is one of many where
// clusters do.
func TestHalvesOfWeightedClusters(t *testing.T) {
	t.Parallel()
	var scores [][]float64
	var clusters []int
	for i := range 60 {
		x := []float64{1, 1}
		if i < 20 && i%2 == 0 {
			x[1] = 0
		}
		scores, clusters = append(scores, x), append(clusters, min(i, 20))
	}
	byItem, err := Halves(scores, clusters, ByItem, 0.2, 2000, 1)
	require.NoError(t, err)
	byCluster, err := Halves(scores, clusters, ByCluster, 0.2, 2000, 1)
	require.NoError(t, err)
	require.Greater(t, byCluster, byItem+0.05)
}
