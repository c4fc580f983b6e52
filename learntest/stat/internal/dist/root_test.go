package dist_test

import (
	"math"
	"testing"

	"github.com/learnbench/learnbench/internal/floatcmp"
	"github.com/learnbench/learnbench/learntest/stat/internal/dist"
)

func TestRoot(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		f            func(float64) float64
		lo, hi, want float64
	}{
		"cubic": {func(x float64) float64 { return x*x*x - 2 }, 0, 10, math.Cbrt(2)},
		"steep": {
			func(x float64) float64 { return math.Exp(50*x) - 3 }, -10, 10,
			math.Log(3) / 50,
		},
		"step":           {func(x float64) float64 { return math.Copysign(1, x-0.3) }, 0, 1, 0.3},
		"infinite ends":  {math.Log, 0, 5, 1},
		"below interval": {func(x float64) float64 { return x + 1 }, 0, 1, 0},
		"above interval": {func(x float64) float64 { return x - 2 }, 0, 1, 1},
		"negative":       {func(x float64) float64 { return math.Atan(x + 1e6) }, -1e9, 3, -1e6},
	} {
		if got := dist.Root(c.f, c.lo, c.hi); !floatcmp.Equal(got, c.want, 1e-14, 1e-13) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

func TestNoncentralTDeltaInvertsBothTails(t *testing.T) {
	t.Parallel()
	for _, df := range []float64{1, 4, 18, 99, math.Inf(1)} {
		for _, x := range []float64{-12, -1.3, 0, 0.02, 2.5, 40} {
			for _, p := range []float64{1e-6, 0.025, 0.5, 0.975} {
				delta := dist.NoncentralTDelta(x, df, p)
				if got := dist.NoncentralTSF(x, df, delta); !floatcmp.Equal(got, p, 0, 1e-9) {
					t.Errorf("t %v, df %v: SF at %v is %v, want %v", x, df, delta, got, p)
				}
			}
		}
	}
	nan := math.NaN()
	for _, c := range [][3]float64{
		{nan, 5, 0.1},
		{math.Inf(1), 5, 0.1},
		{1, 0.5, 0.1},
		{1, 5, 0},
		{1, 5, 1},
		{1, 5, nan},
	} {
		if got := dist.NoncentralTDelta(c[0], c[1], c[2]); !math.IsNaN(got) {
			t.Errorf("NoncentralTDelta(%v) = %v", c, got)
		}
	}
}
