package lab

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestProportion(t *testing.T) {
	t.Parallel()
	p := Proportion{50, 1000}
	require.Equal(t, 0.05, p.Share())
	require.InDelta(t, math.Sqrt(0.05*0.95/1000), p.SE(), 1e-4)
	lo, hi := p.interval() // the roots of (q−p)² = z²p(1−p)/n
	for _, q := range []float64{lo, hi} {
		require.InDelta(t, 1.959963984540054*math.Sqrt(q*(1-q)/1000), math.Abs(q-0.05), 1e-12)
	}
	require.True(t, lo < 0.05 && hi > 0.05)
	lo, hi = Proportion{0, 20}.interval()
	require.Zero(t, lo)
	require.InDelta(t, 0.1611, hi, 1e-4)
	require.Positive(t, Proportion{0, 20}.SE())
	require.Equal(t, []string{"5.0", "0.7", "", ""}, p.Beside(math.NaN(), 1000))
	// (.05−.08)/√(.05·.95/1000 + .08·.92/1000)
	require.Equal(t, []string{"5.0", "0.7", "8.0", "-2.7"}, p.Beside(8, 1000))
}
