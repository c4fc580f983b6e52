package dist_test

import (
	"math"
	"testing"

	"github.com/learnbench/learnbench/internal/floatcmp"
	"github.com/learnbench/learnbench/learntest/stat/internal/dist"
)

func TestBinomial(t *testing.T) {
	t.Parallel()
	// Provenance: mpmath 1.3, 40 digits.
	for _, c := range []struct {
		k, n                 int
		p, pmf, lower, upper float64
	}{
		{0, 10, 0.5, 0.0009765625, 0.0009765625, 1},
		{3, 10, 0.5, 0.1171875, 0.171875, 0.9453125},
		{10, 10, 0.5, 0.0009765625, 1, 0.0009765625},
		{7, 20, 0.3, 0.16426198521723649, 0.77227179741816049, 0.39199018779907599},
		{500, 1000, 0.5, 0.025225018178360802, 0.5126125090891804, 0.5126125090891804},
		{430, 1000, 0.5, 1.3678158941086356e-6, 5.3548688324797556e-6, 0.99999601294706163},
		{900, 1000, 0.5, 5.9589359803626458e-162, 1, 6.7017177900062963e-162},
		{5, 1000, 0.001, 0.003048807927758812, 0.99941192989823702, 0.0036368780295217905},
		{-1, 5, 0.5, 0, 0, 1},
		{6, 5, 0.5, 0, 1, 0},
		{0, 0, 0.5, 1, 1, 1},
		{0, 4, 0, 1, 1, 1},
		{4, 4, 1, 1, 1, 1},
		{3, 4, 1, 0, 0, 1},
		{1, 4, 0, 0, 1, 0},
		{0, -1, 0.5, math.NaN(), math.NaN(), math.NaN()},
		{0, 1, 1.5, math.NaN(), math.NaN(), math.NaN()},
	} {
		got := []float64{
			dist.BinomialPMF(c.k, c.n, c.p), dist.BinomialCDF(c.k, c.n, c.p),
			dist.BinomialSF(c.k, c.n, c.p),
		}
		if err := floatcmp.Slices(got, []float64{c.pmf, c.lower, c.upper}, 0, 1e-12); err != nil {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

func TestBinomialTailsAreSumsOfThePMF(t *testing.T) {
	t.Parallel()
	for _, n := range []int{1, 2, 7, 31} {
		for _, p := range []float64{0.5, 0.01, 0.9} {
			sum := 0.0
			for k := range n + 1 {
				if got := dist.BinomialSF(k, n, p); !floatcmp.Equal(got, 1-sum, 1e-14, 0) {
					t.Errorf("SF(%d, %d, %v) = %v, want %v", k, n, p, got, 1-sum)
				}
				sum += dist.BinomialPMF(k, n, p)
				if got := dist.BinomialCDF(k, n, p); !floatcmp.Equal(got, sum, 0, 1e-13) {
					t.Errorf("CDF(%d, %d, %v) = %v, want %v", k, n, p, got, sum)
				}
			}
		}
	}
}
