package dist_test

import (
	"math"
	"testing"

	"github.com/learnbench/learnbench/internal/floatcmp"
	"github.com/learnbench/learnbench/learntest/stat/internal/dist"
)

func TestGammaRatioHalf(t *testing.T) {
	t.Parallel()
	for _, a := range []float64{0.3, 1, 5, 11.9, 12, 12.5, 50, 80} {
		want := math.Gamma(a+0.5) / math.Gamma(a)
		if got := dist.GammaRatioHalf(a); !floatcmp.Equal(got, want, 0, 5e-15) {
			t.Errorf("GammaRatioHalf(%v) = %v, want %v", a, got, want)
		}
	}
	if got := dist.GammaRatioHalf(1e6); !floatcmp.Equal(got, 999.9998750000078125, 0, 1e-15) {
		t.Error(got)
	}
	for _, a := range []float64{0, -1, math.NaN()} {
		if got := dist.GammaRatioHalf(a); !math.IsNaN(got) {
			t.Errorf("GammaRatioHalf(%v) = %v", a, got)
		}
	}
}

func TestChiSquared(t *testing.T) {
	t.Parallel()
	// Provenance: mpmath 1.3, 40 digits, gammainc(df/2, 0, x/2,
	// regularized=True) and its complement.
	for _, c := range [][4]float64{ // x, df, lower, upper tail
		{1e-06, 0.5, 0.029337383225123083, 0.97066261677487692},
		{3, 0.5, 0.96658355584102097, 0.03341644415897903},
		{50, 1, 0.99999999999846254, 1.5374597944280349e-12},
		{9, 10, 0.46789642362528452, 0.53210357637471548},
		{11, 10, 0.64248199757207447, 0.35751800242792553},
		{1000, 1000, 0.50594714617076036, 0.49405285382923964},
		{900, 1000, 0.010717238091289742, 0.98928276190871026},
		{1300, 1000, 0.99999999961102635, 3.8897364994868525e-10},
		{1e5, 1e5, 0.50059470810479331, 0.49940529189520669},
	} {
		if got := dist.ChiSquaredCDF(c[0], c[1]); !floatcmp.Equal(got, c[2], 0, 1e-12) {
			t.Errorf("ChiSquaredCDF(%v, %v) = %v, want %v", c[0], c[1], got, c[2])
		}
		if got := dist.ChiSquaredSF(c[0], c[1]); !floatcmp.Equal(got, c[3], 0, 1e-12) {
			t.Errorf("ChiSquaredSF(%v, %v) = %v, want %v", c[0], c[1], got, c[3])
		}
	}
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range [][3]float64{
		{0, 3, 1},
		{-1, 3, 1},
		{inf, 3, 0},
		{1, 0, nan},
		{1, -1, nan},
		{nan, 1, nan},
		{1, inf, nan},
	} {
		if got := dist.ChiSquaredSF(c[0], c[1]); !floatcmp.Equal(got, c[2], 0, 0) {
			t.Errorf("ChiSquaredSF(%v, %v) = %v, want %v", c[0], c[1], got, c[2])
		}
	}
}

func TestFSF(t *testing.T) {
	t.Parallel()
	// Provenance: mpmath 1.3, 40 digits, betainc(df2/2, df1/2, 0,
	// df2/(df2+df1·f), regularized=True).
	for _, c := range [][4]float64{ // f, df1, df2, upper tail
		{0.5, 3, 7, 0.69403638756881372},
		{2, 10, 5, 0.22997511934989837},
		{1, 500, 700, 0.49816423137072995},
		{1.3, 500, 700, 0.00071052732724460629},
		{40, 2.5, 9.5, 1.4938523648104182e-5},
		{1e10, 4, 6, 1.349999999240625e-29},
		{3, 5, 1e6, 0.01036272247480149},
	} {
		if got := dist.FSF(c[0], c[1], c[2]); !floatcmp.Equal(got, c[3], 0, 1e-12) {
			t.Errorf("FSF(%v, %v, %v) = %v, want %v", c[0], c[1], c[2], got, c[3])
		}
	}
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range [][4]float64{
		{0, 1, 1, 1},
		{-2, 1, 1, 1},
		{inf, 1, 1, 0},
		{1e308, 1e10, 1e-10, 0},
		{2, 3, inf, dist.ChiSquaredSF(6, 3)},
		{nan, 1, 1, nan},
		{1, 0, 1, nan},
		{1, 1, 0, nan},
		{1, inf, 1, nan},
	} {
		if got := dist.FSF(c[0], c[1], c[2]); !floatcmp.Equal(got, c[3], 0, 0) {
			t.Errorf("FSF(%v, %v, %v) = %v, want %v", c[0], c[1], c[2], got, c[3])
		}
	}
}

func TestBetaIncDomain(t *testing.T) {
	t.Parallel()
	nan := math.NaN()
	for _, c := range [][5]float64{
		{1, 1, 0.3, 0.7, 0.3},
		{2, 3, 0, 1, 0},
		{2, 3, 1, 0, 1},
		{0, 1, 0.5, 0.5, nan},
		{1, math.Inf(1), 0.5, 0.5, nan},
		{1, 1, -0.1, 1.1, nan},
		{1, 1, nan, nan, nan},
	} {
		if got := dist.BetaInc(c[0], c[1], c[2], c[3]); !floatcmp.Equal(got, c[4], 0, 1e-14) {
			t.Errorf("BetaInc(%v) = %v", c, got)
		}
	}
}
