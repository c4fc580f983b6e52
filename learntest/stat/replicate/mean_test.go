package replicate

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/learnbench/learnbench/internal/citest"
	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/internal/dist"
)

func TestPredictMean(t *testing.T) {
	t.Parallel()
	runs := []float64{0.71, 0.73, 0.72, 0.70, 0.74}
	p, err := PredictMean(runs, 0.71, 0.9)
	require.NoError(t, err)
	require.True(t, p.Rejected)
	z := 0.01 * math.Sqrt(5) / math.Sqrt(0.001/4)
	require.InEpsilon(t, z, p.Z, 1e-9)
	require.InEpsilon(t, 1-dist.StudentSF(z/math.Sqrt2, 4), p.P, 1e-9)
	require.True(t, 0.5 <= p.Lo && p.Lo < p.R && p.R <= 1)
	below, err := PredictMean(runs, 0.73, 0.9)
	require.NoError(t, err)
	require.False(t, below.Rejected)
	require.InDelta(t, p.P, below.P, 1e-9)

	for _, c := range []struct {
		critical float64
		rejected bool
	}{{0.5, true}, {0.9, false}} {
		sure, err := PredictMean([]float64{0.7, 0.7}, c.critical, 0.9)
		require.NoError(t, err)
		require.Equal(t, c.rejected, sure.Rejected)
		require.Equal(t, 1., sure.P)
	}
	_, err = PredictMean([]float64{1}, 0.5, 0.9)
	require.ErrorIs(t, err, stat.ErrSampleSize)
	_, err = PredictMean([]float64{1, math.NaN()}, 0.5, 0.9)
	require.ErrorIs(t, err, stat.ErrNotFinite)
	_, err = PredictMean([]float64{1, 2}, math.NaN(), 0.9)
	require.ErrorIs(t, err, stat.ErrNotFinite)
}

// The probability that a rerun agrees is the share of reruns that do.
func TestPredictMeanIsCalibrated(t *testing.T) {
	t.Parallel()
	citest.Need(t, citest.Slow)
	r := rand.New(rand.NewPCG(1, 2))
	const runs, sets = 5, 4000
	draw := func(center float64) []float64 {
		x := make([]float64, runs)
		for i := range x {
			x[i] = center + r.NormFloat64()
		}
		return x
	}
	var promised, agreed float64
	for range sets {
		center := 3 * r.NormFloat64()
		p, err := PredictMean(draw(center), 0, 0.9)
		require.NoError(t, err)
		again, err := PredictMean(draw(center), 0, 0.9)
		require.NoError(t, err)
		promised += p.P / sets
		if p.Rejected == again.Rejected {
			agreed += 1. / sets
		}
	}
	require.InDelta(t, agreed, promised, 0.02)
}
