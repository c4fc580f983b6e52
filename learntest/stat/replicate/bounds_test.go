package replicate

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/internal/floatcmp"
)

// noncentralTSF is the probability that a noncentral t variable exceeds t, by
// Simpson's rule in the chi variable itself.
func noncentralTSF(t, v, delta float64) float64 {
	steps := 4000 + 2*int(300*math.Abs(t)) // the integrand is the steeper the larger t is
	lg, _ := math.Lgamma(v / 2)
	density := func(s float64) float64 { // of √(χ²/v)
		if s == 0 {
			if v > 1 {
				return 0
			}
			return math.Sqrt(2 / math.Pi)
		}
		return math.Exp(math.Ln2 + v/2*math.Log(v/2) - lg + (v-1)*math.Log(s) - v*s*s/2)
	}
	hi := 1 + 12/math.Sqrt(2*v)
	var sum float64
	for i := 0; i <= steps; i++ {
		s := hi * float64(i) / float64(steps)
		weight := float64(2 + 2*(i%2))
		if i == 0 || i == steps {
			weight = 1
		}
		sum += weight * density(s) * 0.5 * math.Erfc((t*s-delta)/math.Sqrt2)
	}
	return sum * hi / float64(3*steps)
}

// The bounds are where T is exceeded with the stated probabilities, also beyond
// what the quick way covers.
func TestScoreBoundsInvertTheNoncentralT(t *testing.T) {
	t.Parallel()
	for _, s := range []Score{
		{Z: 0, Runs: 10, N: 10},
		{Z: 0.3, Runs: 2, N: 2},
		{Z: 3, Runs: 2, N: 2},
		{Z: 9, Runs: 2, N: 2},
		{Z: -1.5, Runs: 3, N: 3},
		{Z: 2, Runs: 10, N: 10},
		{Z: 25, Runs: 10, N: 10},
		{Z: -60, Runs: 10, N: 10},
		{Z: 1, Runs: 10, N: 100},
		{Z: -4, Runs: 10, N: 100},
		{Z: 1.5, Runs: 10, N: 5},
		{Z: 1.5, Runs: 1, N: 200},
	} {
		for _, level := range []float64{0.5, 0.9, 0.99} {
			lo, hi := s.bounds(level)
			root, v := math.Sqrt(float64(s.N)/float64(s.Runs)), float64(s.N-1)
			require.InDelta(t, (1-level)/2, noncentralTSF(s.statistic(), v, lo*root), 1e-9, "%+v %v", s,
				level)
			require.InDelta(t, (1+level)/2, noncentralTSF(s.statistic(), v, hi*root), 1e-9, "%+v %v", s,
				level)
			mlo, mhi := Score{Z: -s.Z, Runs: s.Runs, N: s.N}.bounds(level)
			require.NoError(t, floatcmp.Slices([]float64{mlo, mhi}, []float64{-hi, -lo}, 1e-12, 1e-12))
		}
	}
}
