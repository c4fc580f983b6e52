package dist_test

import (
	"math"
	"testing"

	"github.com/learnbench/learnbench/internal/floatcmp"
	"github.com/learnbench/learnbench/learntest/stat/internal/dist"
)

func TestNormalTails(t *testing.T) {
	t.Parallel()
	// Provenance: mpmath 1.3, 40 digits, erfc(z/√2)/2.
	for _, c := range [][2]float64{
		{0, 0.5},
		{1, 0.15865525393145705},
		{1.959963984540054, 0.025000000000000014},
		{5, 2.8665157187919391e-7},
		{10, 7.6198530241605261e-24},
		{37, 5.7255712225245768e-300},
	} {
		if got := dist.NormalSF(c[0]); !floatcmp.Equal(got, c[1], 0, 1e-12) {
			t.Errorf("NormalSF(%v) = %v, want %v", c[0], got, c[1])
		}
		if got := dist.NormalCDF(-c[0]); !floatcmp.Equal(got, c[1], 0, 1e-12) {
			t.Errorf("NormalCDF(%v) = %v, want %v", -c[0], got, c[1])
		}
		if got := dist.NormalCDF(c[0]); !floatcmp.Equal(got, 1-c[1], 0, 1e-14) {
			t.Errorf("NormalCDF(%v) = %v, want %v", c[0], got, 1-c[1])
		}
	}
}

func TestNormalInvSFInvertsSF(t *testing.T) {
	t.Parallel()
	for _, p := range []float64{
		1e-305, 1e-100, 1e-20, 1e-9, 0.001, 0.025, 0.1, 0.3, 0.5 - 1e-9, 0.5,
		0.8, 1 - 1e-15,
	} {
		z := dist.NormalInvSF(p)
		if got := dist.NormalSF(z); !floatcmp.Equal(got, p, 0, 1e-12) {
			t.Errorf("SF(InvSF(%v)) = %v", p, got)
		}
	}
	inf := math.Inf(1)
	for _, c := range [][2]float64{
		{0, inf},
		{1, -inf},
		{-1, math.NaN()},
		{1.1, math.NaN()},
		{math.NaN(), math.NaN()},
	} {
		if got := dist.NormalInvSF(c[0]); !floatcmp.Equal(got, c[1], 0, 0) {
			t.Errorf("NormalInvSF(%v) = %v, want %v", c[0], got, c[1])
		}
	}
}

func TestNormalPDF(t *testing.T) {
	t.Parallel()
	if got := dist.NormalPDF(1); !floatcmp.Equal(got, 0.24197072451914337, 0, 1e-15) {
		t.Error(got)
	}
}
