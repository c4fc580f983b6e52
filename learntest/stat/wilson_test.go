package stat

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// A threshold is below the lower bound just if its p is below the level, and so it is with the
// least share.
func TestWilsonAgreesWithItself(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := Wilson{Examples: rapid.IntRange(1, 5000).Draw(t, "n"), Alpha: rapid.Float64Range(0.001,
			0.4).Draw(t, "alpha")}
		share := rapid.Float64Range(0, 1).Draw(t, "share")
		low, high, err := w.Bounds(share)
		require.NoError(t, err)
		require.True(t, -1e-12 <= low && low <= share+1e-12 && share <= high+1e-12 && high <= 1+1e-12,
			"%v %v %v", low, share, high)
		if low > 1e-6 && low < 1-1e-6 {
			p, err := w.P(share, low)
			require.NoError(t, err)
			require.InEpsilon(t, w.Alpha, p, 1e-6)
			least, err := w.Least(low)
			require.NoError(t, err)
			require.InDelta(t, share, least, 1e-9)
		}
		mirrored, _, err := w.Bounds(1 - share)
		require.NoError(t, err)
		require.InDelta(t, 1-high, mirrored, 1e-12)
		most, err := w.Highest()
		require.NoError(t, err)
		top, _, err := w.Bounds(1)
		require.NoError(t, err)
		require.InDelta(t, most, top, 1e-12)
	})
}

func TestWilsonOfTwentyPerfectExamples(t *testing.T) {
	t.Parallel()
	most, err := Wilson{Examples: 20, Alpha: 0.05}.Highest()
	require.NoError(t, err)
	require.InDelta(t, 0.881, most, 0.0005)
}

func TestWilsonErrors(t *testing.T) {
	t.Parallel()
	nan := math.NaN()
	for _, w := range []Wilson{{0, 0.05}, {-1, 0.05}, {10, 0}, {10, 0.5}, {10, nan}, {10, -1}} {
		_, _, err := w.Bounds(0.5)
		require.ErrorIs(t, err, ErrDomain)
		_, err = w.P(0.5, 0.5)
		require.ErrorIs(t, err, ErrDomain)
		_, err = w.Least(0.5)
		require.ErrorIs(t, err, ErrDomain)
		_, err = w.Highest()
		require.ErrorIs(t, err, ErrDomain)
	}
	w := Wilson{Examples: 10, Alpha: 0.05}
	for _, x := range []float64{-0.1, 1.1, nan} {
		_, _, err := w.Bounds(x)
		require.ErrorIs(t, err, ErrDomain)
		_, err = w.P(x, 0.5)
		require.ErrorIs(t, err, ErrDomain)
		_, err = w.P(0.5, x)
		require.ErrorIs(t, err, ErrDomain)
		_, err = w.Least(x)
		require.ErrorIs(t, err, ErrDomain)
	}
	for _, x := range []float64{0, 1} { // at which nothing varies
		_, err := w.P(0.5, x)
		require.ErrorIs(t, err, ErrDomain)
	}
}
