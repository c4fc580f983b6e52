package stat_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/learntest/stat"
)

func TestReplicabilityReference(t *testing.T) {
	t.Parallel()
	each(t, "replicability", "replicability_R_kn", func(t *testing.T, v vector) {
		var in struct {
			N int
			K []int
		}
		var w struct {
			R       []number
			Minimum number
		}
		v.in(t, &in)
		v.want(t, &w)
		least := 1.0
		for i, k := range in.K {
			r, err := stat.Replicability(k, in.N)
			require.NoError(t, err)
			v.near(t, "R", r, w.R[i])
			least = min(least, r)
		}
		v.near(t, "smallest R", least, w.Minimum)
	})
	each(t, "replicability", "consistency_and_replicability", func(t *testing.T, v vector) {
		var in struct {
			N     int
			Draws []int
			T     [][]number `json:"t_5x2cv_ten_repetitions"`
			Alpha float64
		}
		var w struct {
			Consistent, Almost int
			R                  number
			AlmostConsistent   int `json:"almost_consistent"`
		}
		v.in(t, &in)
		v.want(t, &w)
		counts := in.Draws
		if in.T != nil {
			counts = countRejections(t, in.T, in.Alpha)
		} else {
			// The paper's table counts the draws, that is, the tests that do not reject.
			for i := range counts {
				counts[i] = in.N - counts[i]
			}
		}
		c, err := stat.ReplicabilityOver(counts, in.N)
		require.NoError(t, err)
		require.Equal(t, w.Consistent, c.Consistent)
		require.Equal(t, w.AlmostConsistent, c.AlmostConsistent)
		require.Equal(t, len(counts), c.Sets)
		require.Equal(t, in.N, c.Repeats)
		v.near(t, "R", c.R, w.R)
	})
}

// countRejections counts for each data set the t of 5×2cv tests that reject.
func countRejections(t *testing.T, ts [][]number, alpha float64) []int {
	t.Helper()
	critical, err := stat.Result{DF: 5, DF2: nan()}.Critical(alpha)
	require.NoError(t, err)
	counts := make([]int, len(ts))
	for i, row := range ts {
		for _, x := range row {
			if x > number(critical) || x < -number(critical) {
				counts[i]++
			}
		}
	}
	return counts
}

func TestReplicabilityRejectsImpossibleCounts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		k, n int
		err  error
	}{{0, 1, stat.ErrSampleSize}, {0, 0, stat.ErrSampleSize}, {-1, 10, stat.ErrDomain}, {11, 10, stat.ErrDomain}} {
		_, err := stat.Replicability(c.k, c.n)
		require.ErrorIs(t, err, c.err)
		_, err = stat.ReplicabilityOver([]int{c.k}, c.n)
		require.ErrorIs(t, err, c.err)
		require.ErrorContains(t, err, "data set 0")
	}
	_, err := stat.ReplicabilityOver(nil, 10)
	require.ErrorIs(t, err, stat.ErrSampleSize)
}

func TestConsistency(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		k, n               int
		consistent, almost bool
	}{
		{0, 10, true, true},
		{10, 10, true, true},
		{1, 10, false, true},
		{9, 10, false, true},
		{2, 10, false, false},
		{5, 10, false, false},
		{8, 10, false, false},
		{-1, 10, false, false},
		{11, 10, false, false},
		{0, 0, false, false},
		{0, 1, true, true},
	} {
		require.Equal(t, c.consistent, stat.Consistent(c.k, c.n), "%+v", c)
		require.Equal(t, c.almost, stat.AlmostConsistent(c.k, c.n), "%+v", c)
	}
}
