package dist_test

import (
	"math"
	"testing"

	"github.com/learnbench/learnbench/internal/floatcmp"
	"github.com/learnbench/learnbench/learntest/stat/internal/dist"
)

// Provenance: mpmath 1.3, 40 digits: gammainc up to 3000 degrees of freedom, and
// beyond quadrature of the density of log X outward from x.
var chiSquaredLarge = [][4]float64{ // x, df, lower, upper tail
	{2000, 2000, 0.50420524418021551, 0.49579475581978449},
	{2100, 2000, 0.94132888862268192, 0.058671111377318077},
	{1500, 2000, 2.1516557173203581e-18, 1.0},
	{3000, 2000, 1.0, 2.2046986113889961e-43},
	{1000.5, 2000, 4.2366426941457446e-86, 1.0},
	{4500, 3000, 1.0, 5.3477990790724388e-64},
	{510000, 500000, 1.0, 1.4693251880559661e-23},
	{1003000, 1000000, 0.98298322706673368, 0.017016772933266315},
	{991000, 1000000, 8.7006500105454647e-11, 0.9999999999129935},
	{10000100000, 10000000000, 0.76025067122778009, 0.23974932877221991},
	{9999000000, 10000000000, 7.67451078541475e-13, 0.99999999999923255},
	{1000000040000000, 1000000000000000, 0.81445331603594071, 0.18554668396405929},
}

func TestChiSquaredOfManyDegreesOfFreedom(t *testing.T) {
	t.Parallel()
	worst := 0.0
	for _, c := range chiSquaredLarge {
		lower, upper := dist.ChiSquaredCDF(c[0], c[1]), dist.ChiSquaredSF(c[0], c[1])
		worst = max(worst, math.Abs(lower/c[2]-1), math.Abs(upper/c[3]-1))
		if !floatcmp.Equal(lower, c[2], 0, 2e-13) || !floatcmp.Equal(upper, c[3], 0, 2e-13) {
			t.Errorf("χ² %v, df %v: %v and %v, want %v and %v", c[0], c[1], lower, upper, c[2], c[3])
		}
	}
	t.Logf("largest relative error %.2g", worst)
}

// The expansion takes over from the series and the continued fraction without a
// step: in between the probabilities go on as smoothly as before.
func TestChiSquaredIsSmoothWhereTheMethodChanges(t *testing.T) {
	t.Parallel()
	for _, ratio := range []float64{0.9, 0.97, 1, 1.02, 1.1} {
		third := func(f func(x, df float64) float64, df float64) float64 {
			at := func(i float64) float64 { return math.Log(f(ratio*(df+i), df+i)) }
			return at(3) - 3*at(2) + 3*at(1) - at(0)
		}
		for _, df := range []float64{1996, 1997, 1998, 1999} {
			for name, f := range map[string]func(x, df float64) float64{
				"lower": dist.ChiSquaredCDF,
				"upper": dist.ChiSquaredSF,
			} {
				if got := third(f, df); math.Abs(got) > 1e-8 {
					t.Errorf("%s tail at %v times df %v: third difference %v", name, ratio, df, got)
				}
			}
		}
	}
	for _, df := range []float64{4000, 1e6} {
		for _, edge := range []float64{0.5, 1.5} {
			below, above := edge*df*(1-1e-12), edge*df*(1+1e-12)
			for _, f := range []func(x, df float64) float64{dist.ChiSquaredCDF, dist.ChiSquaredSF} {
				// The tail changes by its logarithmic slope, at most df.
				if a, b := f(below, df), f(above, df); !floatcmp.Equal(a, b, 0, 3e-12*df+1e-12) {
					t.Errorf("df %v at %v: %v and %v", df, edge, a, b)
				}
			}
		}
	}
}

func TestHugeDegreesOfFreedomGiveTheNormalDistribution(t *testing.T) {
	t.Parallel()
	for _, df := range []float64{1e18, 9.9e19, 1e20, 1e160, 1e300, math.MaxFloat64} {
		for _, x := range []float64{0.1, 1.96, 6, 37} {
			for what, c := range map[string][2]float64{
				"t":          {dist.StudentSF(x, df), dist.NormalSF(x)},
				"density":    {dist.StudentPDF(x, df), dist.NormalPDF(x)},
				"quantile":   {dist.StudentInvSF(dist.NormalSF(x), df), x},
				"noncentral": {dist.NoncentralTSF(x, df, 1.5), dist.NormalSF(x - 1.5)},
				"F":          {dist.FSF(x*x, 1, max(df, 1e20)), 2 * dist.NormalSF(x)},
			} {
				if !floatcmp.Equal(c[0], c[1], 0, 2e-12) {
					t.Errorf("%s %v, df %v: %v, want %v", what, x, df, c[0], c[1])
				}
			}
		}
	}
	for _, df := range []float64{1e18, 1e160, 1e300} {
		for _, z := range []float64{-2, 0.5, 3} {
			// χ² is normal about its mean; where the next float64 is many standard
			// deviations away it is a step.
			x := df + z*math.Sqrt(2*df)
			want := dist.NormalSF((x - df) / math.Sqrt(2*df))
			if got := dist.ChiSquaredSF(x, df); !floatcmp.Equal(got, want, 0, 3e-8) {
				t.Errorf("χ² %v, df %v: %v, want %v", x, df, got, want)
			}
		}
	}
}

func TestStudentQuantilesOfHeavyTails(t *testing.T) {
	t.Parallel()
	for _, df := range []float64{0.05, 0.2, math.Exp(-1), 0.5, 0.9, 0.999} {
		for _, p := range []float64{0.499999, 0.4, 0.2, 0.1036, 0.1, 0.03, 1e-3, 1e-9} {
			if p < 1e-2 && df < 0.2 {
				continue // beyond the largest float64
			}
			x := dist.StudentInvSF(p, df)
			if got := dist.StudentSF(x, df); !floatcmp.Equal(got, p, 0, 1e-12) {
				t.Errorf("df %v: %v has the tail %v, not %v", df, x, got, p)
			}
			if lower := dist.StudentInvSF(1-p, df); !floatcmp.Equal(lower, -x, 0, 1e-5) {
				t.Errorf("df %v, p %v: %v and %v", df, p, lower, x)
			}
		}
	}
}

func TestLogGammaDensity(t *testing.T) {
	t.Parallel()
	for _, a := range []float64{1e-4, 0.5, 3, 40, 160} {
		for _, x := range []float64{1e-3, 0.7, 3, 45, 150} {
			l, _ := math.Lgamma(a)
			if got, want := dist.LogGammaDensity(x, a), a*math.Log(x)-x-l; !floatcmp.Equal(got, want,
				1e-12, 1e-12) {
				t.Errorf("x %v, shape %v: %v, want %v", x, a, got, want)
			}
		}
	}
	for _, bad := range [][2]float64{
		{1, 0},
		{0, 1},
		{-1, 1},
		{1, math.Inf(1)},
		{math.NaN(), 1},
		{1, math.NaN()},
	} {
		if got := dist.LogGammaDensity(bad[0], bad[1]); !math.IsNaN(got) {
			t.Errorf("x %v, shape %v: %v", bad[0], bad[1], got)
		}
	}
}

func BenchmarkChiSquaredSF(b *testing.B) {
	for _, df := range []float64{10, 1998, 2000, 1e15} {
		b.Run("", func(b *testing.B) {
			for b.Loop() {
				dist.ChiSquaredSF(df+math.Sqrt(df), df)
			}
		})
	}
}
