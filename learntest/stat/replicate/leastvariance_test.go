package replicate_test

import (
	"math"
	"testing"

	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/replicate"
	"github.com/stretchr/testify/require"
)

// The replicability accounts for the least variance of the test: after two equal runs that the
// test does not reject, no rejection is expected.
func TestPredictionKnowsTheLeastVariance(t *testing.T) {
	t.Parallel()
	d := stat.Differences{Runs: 2, Folds: 2, X: []float64{0.02, 0.02, 0.02, 0.02}, Ratio: 1}
	q := replicate.Retest{Test: stat.MustLookup("corrected-cv-t"), Runs: 2, Alpha: 0.05}
	p, err := q.Predict(d)
	require.NoError(t, err)
	require.True(t, p.Rejected)
	require.Equal(t, 1., p.P)
	d.LeastVariance = 0.01
	p, err = q.Predict(d)
	require.NoError(t, err)
	require.False(t, p.Rejected)
	require.Equal(t, 1., p.P, "a rerun does not reject either")
	require.True(t, math.IsInf(p.Z, -1))

	// Where the variance is between, the mean alone decides, about the same threshold.
	d.X = []float64{0.01, 0.03, 0.02, 0.022}
	r, err := q.Test.Run(d, stat.TwoSided)
	require.NoError(t, err)
	p, err = q.Predict(d)
	require.NoError(t, err)
	require.Equal(t, r.P <= 0.05, p.Rejected)
	require.Greater(t, p.P, 0.99)
	d.LeastVariance = 0
	without, err := q.Predict(d)
	require.NoError(t, err)
	require.Less(t, without.P, p.P)
}
