package dist_test

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/learnbench/learnbench/internal/floatcmp"
	"github.com/learnbench/learnbench/learntest/stat/internal/dist"
)

// Provenance: mpmath 1.3, 30 digits, quadrature over u of ncdf(delta − t·e^u)
// times the density of u = log √(χ²/df), on 40 panels of the density and 60 of
// the step at log(delta/t).
var noncentralLargeRef = [][4]float64{ // t, df, delta, upper tail
	{39, 1, 39, 0.68253045781272141},
	{41, 16, 41, 0.54638672657349553},
	{45, 9, 50, 0.73090652710421283},
	{60, 1, 50, 0.59527799114058577},
	{100, 4, 80, 0.36610626959507934},
	{500, 2000, 520, 0.99386659750710854},
	{1000, 99, 1100, 0.9238733347545024},
	{-1000, 99, -1100, 0.0761266652454976},
	{1e5, 9999, 101000, 0.92168638203210285},
	{4e5, 9, 4.1e5, 0.6036782925013277},
	{1e6, 99, 1e6, 0.51890308758893402},
	{1e6, 99, 7e5, 4.5610484885996669e-6},
	{-3e6, 9, -2e6, 0.9114125268314159},
	{1e9, 9, 1.2e9, 0.83557541105471348},
	{1e12, 9, 1e12, 0.56272581108613294},
	{1e12, 99, 1.1e12, 0.92389266873424485},
	{3e12, 1, 1e12, 0.26111731963647272},
	{1e12, 999, 1.05e12, 0.98718312398411433},
	{1e12, 1e6, 1.001e12, 0.92138499451601657},
}

func TestNoncentralTSFOfLargeNoncentralities(t *testing.T) {
	t.Parallel()
	worst := 0.0
	for _, c := range noncentralLargeRef {
		got := dist.NoncentralTSF(c[0], c[1], c[2])
		worst = max(worst, math.Abs(got/c[3]-1))
		if !floatcmp.Equal(got, c[3], 0, 1e-12) {
			t.Errorf("NoncentralTSF(%v, %v, %v) = %v, want %v (off by %g)", c[0], c[1], c[2], got,
				c[3], got/c[3]-1)
		}
		if got := dist.NoncentralTDelta(c[0], c[1], c[3]); !floatcmp.Equal(got, c[2], 0, 1e-11) {
			t.Errorf("NoncentralTDelta(%v, %v, %v) = %v, want %v", c[0], c[1], c[3], got, c[2])
		}
	}
	t.Logf("largest relative error %.2g", worst)
}

// Far out the normal variable does not matter, and t/δ is 1/S.
func TestNoncentralTOfHugeNoncentralitiesIsChi(t *testing.T) {
	t.Parallel()
	for _, delta := range []float64{1e9, 1e12, 1e15, 1e150, 1e300} {
		for _, df := range []float64{1, 2.5, 9, 1998, 1e6} {
			for _, ratio := range []float64{0.7, 0.99, 1, 1.003, 1.4, 20} {
				x := df / (ratio * ratio)
				for what, c := range map[string][2]float64{
					"upper tail": {dist.NoncentralTSF(ratio*delta, df, delta), dist.ChiSquaredCDF(x, df)},
					"lower tail": {dist.NoncentralTCDF(ratio*delta, df, delta), dist.ChiSquaredSF(x, df)},
				} {
					if !floatcmp.Equal(c[0], c[1], 0, 1e-9) {
						t.Errorf("%s at %v·%v, df %v: %v, want %v", what, ratio, delta, df, c[0], c[1])
					}
				}
			}
		}
	}
}

// The two integrals are of the same thing: where one hands over to the other,
// and wherever both can be computed, they agree.
func TestNoncentralTIntegralsAgreeAtTheirBorder(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		df := math.Exp(rapid.Float64Range(0, 12).Draw(t, "log df"))
		border := max(40, 10*math.Sqrt(df))
		sign := rapid.SampledFrom([]float64{-1, 1}).Draw(t, "sign")
		at := sign * border * math.Exp(rapid.Float64Range(-3, 3).Draw(t, "distance")/math.Sqrt(df))
		below, above := sign*math.Nextafter(border, 0), sign*math.Nextafter(border, math.Inf(1))
		a, b := dist.NoncentralTSF(at, df, below), dist.NoncentralTSF(at, df, above)
		if !floatcmp.Equal(a, b, 1e-300, 2e-11) {
			t.Fatalf("t %v, df %v, delta %v: %v and %v", at, df, border, a, b)
		}
	})
}

func TestNoncentralTDeltaInvertsTheTail(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		df := math.Exp(rapid.Float64Range(0, 14).Draw(t, "log df"))
		x := math.Sinh(rapid.Float64Range(-28, 28).Draw(t, "asinh t")) // up to 7e11
		p := rapid.Float64Range(1e-4, 0.9999).Draw(t, "p")
		delta := dist.NoncentralTDelta(x, df, p)
		// A relative change of 1e-14 in delta moves the probability by up to
		// 1e-14·√df.
		if got := dist.NoncentralTSF(x, df, delta); !floatcmp.Equal(got, p, 0, 1e-10) {
			t.Fatalf("t %v, df %v: delta %v has tail %v, not %v", x, df, delta, got, p)
		}
	})
}

func BenchmarkNoncentralTLarge(b *testing.B) {
	for _, df := range []float64{1, 9, 99, 1998, 1e6, 1e15} {
		for _, delta := range []float64{0.5, 15, 39, 41, 1e3, 4e5, 1e8, 1e12} {
			b.Run(fmt.Sprintf("df=%g/delta=%g", df, delta), func(b *testing.B) {
				for b.Loop() {
					dist.NoncentralTSF(delta*1.01, df, delta)
				}
			})
			b.Run(fmt.Sprintf("inverse/df=%g/t=%g", df, delta), func(b *testing.B) {
				for b.Loop() {
					dist.NoncentralTDelta(delta, df, 0.025)
				}
			})
		}
	}
}
