package replicate

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/internal/floatcmp"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/internal/vectors"
)

func TestPartitionSufficiencyReference(t *testing.T) {
	t.Parallel()
	seen := map[Conclusion]int{}
	each(t, "sufficiency", "partition_sufficiency", func(t *testing.T, v vector) {
		var in struct {
			Ts             []number `json:"t_values"`
			DF             float64  `json:"df_single_partition"`
			Alpha1, Alpha2 float64
		}
		var w struct {
			Corrected struct {
				TCrit     number `json:"t_crit"`
				First     number `json:"stat_first_better"`
				Second    number `json:"stat_second_better"`
				Neither   number `json:"stat_not_significant"`
				Threshold number `json:"t_alpha2"`
				IsFirst   bool   `json:"sufficient_first_better"`
				IsSecond  bool   `json:"sufficient_second_better"`
				IsNeither bool   `json:"sufficient_not_significant"`
			} `json:"corrected_df_of_single_partition_test"`
			SE number
		}
		v.In(t, &in)
		v.Want(t, &w)
		s, err := PartitionSufficiency(vectors.Floats(in.Ts), in.DF, in.Alpha1, in.Alpha2)
		require.NoError(t, err)
		c := w.Corrected
		v.Near(t, "critical value", s.Critical, c.TCrit)
		v.Near(t, "candidate", s.Candidate, c.First)
		v.Near(t, "baseline", s.Baseline, c.Second)
		v.Near(t, "neither", s.Neither, c.Neither)
		v.Near(t, "threshold", s.Threshold, c.Threshold)
		v.Near(t, "se", s.SE, w.SE)
		require.Equal(t, c.IsFirst, s.Conclusion == CandidateBetter)
		require.Equal(t, c.IsSecond, s.Conclusion == BaselineBetter)
		require.Equal(t, c.IsNeither, s.Conclusion == NotSignificant)
		seen[s.Conclusion]++
	})
	require.Len(t, seen, 4, "not all conclusions are among the cases: %v", seen)
}

func TestPartitionSufficiencyEdgeCases(t *testing.T) {
	t.Parallel()
	inf := math.Inf(1)
	s, err := PartitionSufficiency([]float64{3, 3, 3}, 9, 0.025, 0.05)
	require.NoError(t, err)
	require.Equal(t, []float64{0, inf, -inf, -inf}, []float64{
		s.SE, s.Candidate, s.Baseline,
		s.Neither,
	})
	require.Equal(t, CandidateBetter, s.Conclusion)

	s, err = PartitionSufficiency([]float64{-0.1, -0.1, -0.1 + 1e-17}, 9, 0.025, 0.05)
	require.NoError(t, err)
	require.Equal(t, NotSignificant, s.Conclusion)

	s, err = PartitionSufficiency([]float64{s.Critical, s.Critical}, 9, 0.025, 0.05)
	require.NoError(t, err)
	require.Equal(t, TooFewPartitions, s.Conclusion)
	require.Zero(t, s.Candidate)

	for _, c := range []struct {
		ts             []float64
		df, a1, a2     float64
		err            error
		errorHasSubstr string
	}{
		{[]float64{2.5}, 9, 0.025, 0.05, stat.ErrSampleSize, "1 partitions"},
		{[]float64{2.5, nan()}, 9, 0.025, 0.05, stat.ErrNotFinite, "statistic 1"},
		{[]float64{2.5, 1}, 0, 0.025, 0.05, stat.ErrDomain, "degrees"},
		{[]float64{2.5, 1}, 9, 0.5, 0.05, stat.ErrDomain, "levels"},
		{[]float64{2.5, 1}, 9, 0.025, nan(), stat.ErrDomain, "levels"},
	} {
		_, err := PartitionSufficiency(c.ts, c.df, c.a1, c.a2)
		require.ErrorIs(t, err, c.err)
		require.ErrorContains(t, err, c.errorHasSubstr)
	}
	require.Equal(t, "candidate better", CandidateBetter.String())
	require.Equal(t, "Conclusion(9)", Conclusion(9).String())
}

// Of the averaged t on runs that are a partition each, sufficiency and the
// score are one statistic: see PartitionSufficiency.
func TestPartitionSufficiencyIsTheScoreOfTheAveragedT(t *testing.T) {
	t.Parallel()
	test, err := stat.Lookup("averaged-t")
	require.NoError(t, err)
	rng := rand.New(rand.NewPCG(20, 1))
	seen := map[Conclusion]int{}
	for range 300 {
		n, folds := 5+rng.IntN(20), 4+rng.IntN(7)
		d := runsWithEffect(rng, n, folds, 2*rng.NormFloat64(), 0.1)
		alpha2 := 0.01 + 0.2*rng.Float64()
		ts := make([]float64, n)
		for j := range ts {
			r, err := stat.PairedTTest(oneRun(d.X[j*folds:(j+1)*folds]), stat.TwoSided)
			require.NoError(t, err)
			ts[j] = r.Statistic
		}
		s, err := PartitionSufficiency(ts, float64(folds-1), 0.025, alpha2)
		require.NoError(t, err)
		seen[s.Conclusion]++
		for direction, statistic := range map[stat.Alternative]float64{
			stat.Greater: s.Candidate,
			stat.Less:    s.Baseline,
		} {
			q := Retest{Test: test, Runs: 1 + rng.IntN(n), Alpha: 0.05, Direction: direction}
			score, err := scoreOf(q, d)
			require.NoError(t, err)
			require.NoError(t, floatcmp.Slices([]float64{score.statistic()}, []float64{statistic}, 1e-9,
				1e-9))

			lo, hi := score.bounds(1 - 2*alpha2)
			better := CandidateBetter
			if direction == stat.Less {
				better = BaselineBetter
			}
			require.Equal(t, s.Conclusion == better, lo > 0)
			if direction == stat.Greater == (s.MeanT > 0) {
				require.Equal(t, s.Conclusion == NotSignificant, hi < 0)
			}
		}
	}
	require.True(t, len(seen) == 4, "%v", seen)
}
