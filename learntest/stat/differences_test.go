package stat_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/learnbench/learnbench/learntest/stat"
)

func TestZero(t *testing.T) {
	t.Parallel()
	ulp := math.Nextafter(1, 2) - 1
	for _, c := range []struct {
		x     []float64
		scale float64
		want  bool
	}{
		{[]float64{0, 0, 0, 0}, 1, true},
		{[]float64{0, 0, 0, 0}, 0, true},
		{[]float64{ulp, -ulp, 2 * ulp, 0}, 1, true},
		{[]float64{ulp, -ulp, 2 * ulp, 0}, 1e-3, false},
		{[]float64{ulp, -ulp, 2 * ulp, 0}, 0, false},
		{[]float64{20 * ulp, 20 * ulp, 20 * ulp, 20 * ulp}, 1, false},
		{[]float64{0, 0, 0, 0.01}, 1, false},
		{[]float64{0.01, -0.01, -0.01, 0.01}, 1, false},
		{[]float64{0.01, 0.01, 0.01, 0.01}, 1, false},
		{[]float64{0, 0, 0, math.NaN()}, 1, false},
		{[]float64{0, 0, 0}, 1, false},
	} {
		d := stat.Differences{Runs: 2, Folds: 2, X: c.x, Ratio: 1, Scale: c.scale}
		assert.Equal(t, c.want, d.Zero(), "%v of %v", c.x, c.scale)
	}
	assert.False(t, (&stat.Differences{Runs: 1, Folds: 1, X: []float64{0}}).Zero(), "one says nothing")
}

// Differences are zero if and only if the default test takes them for zero.
func TestZeroIsWhatTheTestGoesBy(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		d := stat.Differences{Runs: 2, Folds: 3, Ratio: 0.5, Scale: 1}
		step := rapid.SampledFrom([]float64{1e-16, 4e-16, 2e-15, 0.01}).Draw(t, "step")
		for range 6 {
			d.X = append(d.X, step*float64(rapid.IntRange(-2, 2).Draw(t, "x")))
		}
		r, err := stat.CorrectedCVTTest(d, stat.TwoSided)
		require.NoError(t, err)
		require.Equal(t, r.SE == 0 && r.Estimate == 0, d.Zero(), "%v", d.X)
	})
}
