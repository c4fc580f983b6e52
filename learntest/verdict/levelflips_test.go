package verdict

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/internal/citest"
	"github.com/stretchr/testify/require"
)

// The mean of ten runs stands for the expected one when a verdict estimates how often a test of the
// bare mean flips. No estimate is above a half, which is true at the threshold: there it is a third
// on average, and elsewhere about as much as there is. The interval has the truth in nine of ten
// cases or more.
func TestMeansFlipAboutAsOftenAsPredicted(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(5, 6))
	const runs, spread = 10, 0.02
	sets := 400.
	if citest.Has(citest.Slow) {
		sets = 1500
	}
	for _, c := range []struct{ gap, predicted, flips float64 }{
		{0, 0.333, 0.5},
		{0.003, 0.31, 0.43},
		{0.01, 0.16, 0.11},
	} {
		threshold := 0.8 - c.gap
		// The mean of the runs has this distance from the threshold, in standard errors.
		side := 0.5 * math.Erfc(-c.gap/(spread/math.Sqrt(runs))/math.Sqrt2)
		truth := 2 * side * (1 - side)
		var predicted, above, covered float64
		for range int(sets) {
			all := make([][]float64, runs)
			for j := range all {
				score := 0.8 + spread*rng.NormFloat64()
				for range 10 {
					all[j] = append(all[j], score)
				}
			}
			v := Judge(scored(accuracy, 300, all), Claim{Kind: AtLeast, Threshold: threshold})
			require.NoError(t, v.Err)
			predicted += v.Level.MeanFlips / sets
			if v.Level.FlipsLo <= truth && truth <= v.Level.FlipsHi {
				covered += 1. / sets
			}
			if v.CandidateMean >= threshold {
				above += 1. / sets
			}
		}
		require.InDelta(t, c.predicted, predicted, 0.03, "gap %v", c.gap)
		require.InDelta(t, c.flips, 2*above*(1-above), 0.04, "gap %v", c.gap)
		require.InDelta(t, c.flips, truth, 0.01, "gap %v", c.gap)
		require.InDelta(t, 0.92, covered, 0.04, "gap %v", c.gap)
	}
}

func TestFlipsOfMeansThatAreKnown(t *testing.T) {
	t.Parallel()
	runs := func(scores ...float64) [][]float64 {
		all := make([][]float64, len(scores))
		for j, x := range scores {
			all[j] = []float64{x, x, x, x, x}
		}
		return all
	}
	// Of means 0.79 and 0.81 the standard error is 0.01: the threshold 0.79 is one of them below
	// their mean.
	v := Judge(scored(accuracy, 300, runs(0.79, 0.81)), Claim{Kind: AtLeast, Threshold: 0.79})
	require.NoError(t, v.Err)
	require.InDelta(t, 2*0.8413447460685429*0.15865525393145707, v.Level.MeanFlips, 1e-9)
	require.Contains(t, v.String(),
		"would flip between two partitions with probability 0.27, 90% interval 0.01 to 0.50\n")
	v = Judge(scored(accuracy, 300, runs(0.79, 0.81)), Claim{Kind: AtLeast, Threshold: 0.8})
	require.InDelta(t, 0.5, v.Level.MeanFlips, 1e-6)
	v = Judge(scored(accuracy, 300, runs(0.8, 0.8)), Claim{Kind: AtLeast, Threshold: 0.7})
	require.Equal(t, [3]float64{}, [3]float64{v.Level.MeanFlips, v.Level.FlipsLo, v.Level.FlipsHi})
	v = Judge(scored(accuracy, 300, runs(0.8)), Claim{Kind: AtLeast, Threshold: 0.7})
	require.True(t, math.IsNaN(v.Level.MeanFlips))
	require.False(t, strings.Contains(v.String(), "mean alone"), fmt.Sprint(v))
}
