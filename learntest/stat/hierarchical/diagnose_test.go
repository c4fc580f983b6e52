package hierarchical

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

func autoregressive(seed uint64, n int, phi, center, sd float64) []float64 {
	r := newRandom(seed)
	x := make([]float64, n)
	last := r.NormFloat64()
	for i := range x {
		last = phi*last + math.Sqrt(1-phi*phi)*r.NormFloat64()
		x[i] = center + sd*last
	}
	return x
}

func TestDiagnose(t *testing.T) {
	t.Parallel()
	const n = 4000
	scores := normalScores(4 * n)
	require.InDelta(t, 0, scores[0]+scores[len(scores)-1], 1e-12)
	of := func(phi, center, sd float64) diagnosis {
		chains := [][]float64{autoregressive(9, n, phi, center, sd)}
		for seed := range uint64(3) {
			chains = append(chains, autoregressive(seed, n, phi, 0, 1))
		}
		return diagnose(chains, scores)
	}
	d := of(0, 0, 1)
	require.Less(t, d.rhat, 1.003)
	require.InEpsilon(t, 4*n, d.ess, 0.1)
	d = of(0.9, 0, 1) // the effective number is (1−φ)/(1+φ) of them
	require.InEpsilon(t, 4*n/19., d.ess, 0.2)
	require.Less(t, d.rhat, 1.02)
	require.Greater(t, of(0, 1, 1).rhat, 1.05, "one chain is elsewhere")
	require.Less(t, of(0, 1, 1).ess, 400.)
	require.Greater(t, of(0, 0, 3).rhat, 1.05, "one chain is wider")

	// The scores depend on ranks only.
	cubed := func(x []float64) []float64 {
		y := make([]float64, len(x))
		for i, v := range x {
			y[i] = math.Exp(3 * v)
		}
		return y
	}
	a, b := autoregressive(1, n, 0.5, 0, 1), autoregressive(2, n, 0.5, 0, 1)
	one := diagnose([][]float64{a, b, a, b}, scores)
	two := diagnose([][]float64{cubed(a), cubed(b), cubed(a), cubed(b)}, scores)
	require.Equal(t, one.ess, two.ess)

	// A chain that drifts differs from itself: halves are compared.
	drift := make([]float64, n)
	for i := range drift {
		drift[i] = a[i] + 3*float64(i)/n
	}
	require.Greater(t, diagnose([][]float64{drift, drift, drift, drift}, scores).rhat, 1.1)
}
