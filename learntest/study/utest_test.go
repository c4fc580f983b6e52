package study

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/learnbench/learnbench/internal/lab"
	"github.com/stretchr/testify/require"
	"golang.org/x/perf/benchmath"
	"pgregory.net/rapid"
)

// With more than 50 values on either side, p is the p of the package that benchstat uses,
// with ties and without.
func TestUTestAgreesWithBenchstat(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	small := 0
	for range 300 {
		n, m, steps, shift := 51+rng.IntN(60), 51+rng.IntN(60), []float64{2, 30, 1e9}[rng.IntN(3)],
			rng.NormFloat64()/3
		draw := func(n int, shift float64) []float64 {
			x := make([]float64, n)
			for i := range x {
				x[i] = math.Round(steps*(rng.NormFloat64()+shift)) / steps
			}
			return x
		}
		a, b := draw(n, 0), draw(m, shift)
		want := benchmath.AssumeNothing.Compare(
			benchmath.NewSample(slices.Clone(a), &benchmath.DefaultThresholds),
			benchmath.NewSample(slices.Clone(b), &benchmath.DefaultThresholds))
		require.InDelta(t, want.P, uTestP(a, b), 1e-12)
		small += lab.Indicator(want.P < 0.05)
	}
	require.Greater(t, small, 50)
	require.Less(t, small, 250)
}

func uTestP(a, b []float64) float64 {
	p, _ := uTest(a, b)
	return p
}

// ahead says which sample has the greater ranks.
func TestUTestSaysWhichIsAhead(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		a, b []float64
		want bool
	}{
		{[]float64{1, 5, 6}, []float64{2, 3, 4}, true},
		{[]float64{2, 3, 4}, []float64{1, 5, 6}, false},
		{[]float64{1, 9}, []float64{2, 3, 4}, false}, // although its mean is greater
	} {
		_, ahead := uTest(test.a, test.b)
		require.Equal(t, test.want, ahead, "%v, %v", test.a, test.b)
	}
}

func TestUTestOfNothing(t *testing.T) {
	t.Parallel()
	require.Equal(t, 1.0, uTestP([]float64{1, 1}, []float64{1, 1, 1}))
	require.Equal(t, 1.0, uTestP(nil, []float64{1, 2}))
	// U = 6 of 12: the correction for continuity does not go beyond the middle.
	require.Equal(t, 1.0, uTestP([]float64{1, 3, 5}, []float64{0, 2, 4, 6}))
	// Ranks 1, 2 and 3, 4: U = 0 of 4, variance 4·5/12, z = 1.5/√(5/3).
	require.InDelta(t, math.Erfc(1.5/math.Sqrt(10.0/3)), uTestP([]float64{1, 2}, []float64{3, 4}),
		1e-15)
}

// p does not depend on the order of values, nor on which sample is the first, nor on a
// monotone scale. The samples do not change.
func TestUTestProperties(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) float64 {
			return float64(rapid.IntRange(-5,
				5).Draw(t, "x"))
		}), 1, 30)
		a, b := values.Draw(t, "a"), values.Draw(t, "b")
		before := slices.Clone(a)
		p := uTestP(a, b)
		require.Equal(t, before, a)
		require.True(t, p > 0 && p <= 1)
		require.InDelta(t, p, uTestP(b, a), 1e-12)
		cube := func(x []float64) []float64 {
			y := make([]float64, len(x))
			for i := range x {
				y[len(x)-1-i] = x[i] * x[i] * x[i]
			}
			return y
		}
		require.Equal(t, p, uTestP(cube(a), cube(b)))
	})
}
