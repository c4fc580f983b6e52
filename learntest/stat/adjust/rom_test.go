package adjust

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/learnbench/learnbench/internal/floatcmp"
)

// romRejects is the procedure in Rom's own words.
func romRejects(p []float64, alpha float64) []bool {
	critical := romCritical(make([]float64, 2*len(p)), len(p), alpha)
	out := make([]bool, len(p))
	order := ascending(p)
	for i := len(p) - 1; i >= 0; i-- {
		if p[order[i]] <= critical[len(p)-1-i] {
			for _, k := range order[:i+1] {
				out[k] = true
			}
			break
		}
	}
	return out
}

func TestRomIsTheSmallestLevelOfRejection(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := genP(t, 1, 12)
		got, err := rom(p)
		require.NoError(t, err)
		i := rapid.IntRange(0, len(p)-1).Draw(t, "i")
		above := romRejects(p, min(1, got[i]*(1+1e-12)))
		require.True(t, above[i], "not rejected at its adjusted p-value %v", got[i])
		if got[i] > 0 {
			below := romRejects(p, got[i]*(1-1e-12))
			require.False(t, below[i], "rejected below its adjusted p-value %v", got[i])
		}
	})
}

func TestRomIsExactUnderIndependence(t *testing.T) {
	t.Parallel()
	const n, trials, alpha = 4, 200_000, 0.2
	critical := romCritical(make([]float64, 2*n), n, alpha)
	rng := rand.New(rand.NewPCG(7, 1))
	false1 := 0
	p := make([]float64, n)
	for range trials {
		for i := range p {
			p[i] = rng.Float64()
		}
		slices.Sort(p)
		for i, c := range critical {
			if p[n-1-i] <= c {
				false1++
				break
			}
		}
	}
	// Four standard errors; Hochberg's values fall short by twice as much.
	require.True(t, floatcmp.Equal(float64(false1)/trials, alpha, 0.0036, 0), "%d of %d",
		false1, trials)
}

func TestRomRefusesWhatItCannotDo(t *testing.T) {
	t.Parallel()
	_, err := rom(make([]float64, 501))
	require.ErrorIs(t, err, errTooMany)
}
