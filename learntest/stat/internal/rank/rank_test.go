package rank_test

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/learnbench/learnbench/learntest/stat/internal/rank"
)

func TestMidranksDoNotChain(t *testing.T) {
	t.Parallel()
	twice := make([]int, 5)
	var r rank.Ranker
	slack := []float64{1, 1, 1, 1, 1}
	// Neighbours are within 1, but the third is 1.6 from the first.
	ties := r.Midranks([]float64{0, 0.8, 1.6, 2.4, 9}, slack, twice)
	require.Equal(t, []int{3, 3, 7, 7, 10}, twice)
	require.Equal(t, 12.0, ties)
}

func TestMidranksTakeTheLargerSlackOfTwo(t *testing.T) {
	t.Parallel()
	twice := make([]int, 3)
	var r rank.Ranker
	require.Equal(t, 6.0, r.Midranks([]float64{5, 1, 1.5}, []float64{0, 0, 1}, twice))
	require.Equal(t, []int{6, 3, 3}, twice)
	require.Equal(t, 6.0, r.Midranks([]float64{5, 1, 1.5}, []float64{0, 1, 0}, twice))
	require.Equal(t, []int{6, 3, 3}, twice)
	require.Zero(t, r.Midranks([]float64{5, 1, 1.5}, []float64{1, 0.4, 0.4}, twice))
	require.Equal(t, []int{6, 2, 4}, twice)
}

func TestMidranksAreThoseOfTheDefinition(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 12).Draw(t, "n")
		x := rapid.SliceOfN(rapid.Map(rapid.IntRange(-6, 6), func(i int) float64 { return float64(i) }),
			n, n).Draw(t, "x")
		slack := rapid.SliceOfN(rapid.SampledFrom([]float64{0, 0, 1, 2.5}), n, n).Draw(t, "slack")
		twice := make([]int, n)
		ties := new(rank.Ranker).Midranks(x, slack, twice)
		// Take the smallest that is left, and all in a row that tie with it.
		left := make([]int, n)
		for i := range left {
			left[i] = i
		}
		slices.SortStableFunc(left, func(a, b int) int {
			if x[a] != x[b] {
				return int(math.Copysign(1, x[a]-x[b]))
			}
			return int(10 * (slack[a] - slack[b]))
		})
		want, wantTies, passed := make([]int, n), 0.0, 0
		for len(left) > 0 {
			size := 1
			for size < len(left) && x[left[size]]-x[left[0]] <= max(slack[left[0]], slack[left[size]]) {
				size++
			}
			for _, i := range left[:size] {
				want[i] = 2*passed + 1 + size
			}
			wantTies += float64(size*size*size - size)
			passed += size
			left = left[size:]
		}
		require.Equal(t, want, twice)
		require.Equal(t, wantTies, ties)

		// The order of the values does not matter.
		y, s, reversed := slices.Clone(x), slices.Clone(slack), make([]int, n)
		slices.Reverse(y)
		slices.Reverse(s)
		new(rank.Ranker).Midranks(y, s, reversed)
		slices.Reverse(reversed)
		require.Equal(t, twice, reversed)
	})
}

func TestSignedRanksJudgeEachDifferenceByItsOwnScores(t *testing.T) {
	t.Parallel()
	a := []float64{1e8, 0.9, 0.3, 1e8 + 0.05, 0.5, 1e-12}
	b := []float64{0, 0.8, 0.4, 1e8, 0.5, 0}
	// 1e8; 0.1 and -0.1 tie; the fourth and fifth are zero; 1e-12 is not.
	r := rank.SignedRanks(a, b, rank.Drop)
	require.Equal(t, []int{8, 5, 5, 2}, r.Twice)
	require.Equal(t, []int64{15, 5, 0}, []int64{r.Plus, r.Minus, r.Split})
	require.True(t, r.Tied)
	require.Equal(t, 4, r.Ranked)
	r = rank.SignedRanks(a, b, rank.Split)
	require.Equal(t, []int{12, 9, 9, 6}, r.Twice)
	require.Equal(t, []int64{27, 9, 6}, []int64{r.Plus, r.Minus, r.Split})
	require.Equal(t, 144.0+81+81+36+9+9, r.Squares)
	r = rank.SignedRanks(a, b, rank.Pratt)
	require.Equal(t, 144.0+81+81+36, r.Squares)
}
