package stat_test

import (
	"math"
	"testing"

	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestLeastP(t *testing.T) {
	t.Parallel()
	sign := stat.MustLookup("permutation") // of 5 differences, 2 of 32 assignments are as extreme
	assert.InDelta(t, 2.0/32, stat.LeastP(sign, 1, 5, stat.TwoSided), 1e-12)
	assert.InDelta(t, 1.0/32, stat.LeastP(sign, 1, 5, stat.Greater), 1e-12)
	assert.InDelta(t, 1.0/32, stat.LeastP(sign, 1, 5, stat.Less), 1e-12)
	assert.Less(t, stat.LeastP(stat.MustLookup("corrected-cv-t"), 1, 10, stat.TwoSided), 1e-50,
		"differences that are nearly equal")
	assert.True(t, math.IsNaN(stat.LeastP(stat.MustLookup("5x2cv-f"), 10, 10, stat.TwoSided)),
		"of another design")
	assert.True(t, math.IsNaN(stat.LeastP(stat.Test{}, 10, 10, stat.TwoSided)))
	assert.True(t, math.IsNaN(stat.LeastP(sign, 0, 5, stat.TwoSided)))
}

// No differences have a smaller p.
func TestNoPIsLessThanTheLeast(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		test := stat.MustLookup(rapid.SampledFrom([]string{
			"permutation", "corrected-cv-t",
			"paired-t",
		}).Draw(t, "test"))
		alternative := rapid.SampledFrom([]stat.Alternative{
			stat.TwoSided, stat.Greater,
			stat.Less,
		}).Draw(t, "alternative")
		d := stat.Differences{Runs: 2, Folds: 3, Ratio: 0.5, Scale: 1}
		for range 6 {
			d.X = append(d.X, rapid.Float64Range(-1, 1).Draw(t, "x"))
		}
		r, err := test.Run(d, alternative)
		require.NoError(t, err)
		if r.SE == 0 {
			t.Skip("no difference between folds")
		}
		assert.GreaterOrEqual(t, r.P, stat.LeastP(test, 2, 3, alternative))
	})
}
