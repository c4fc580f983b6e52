package dist

import (
	"math"
	"testing"
)

// Quantiles of mixtures are where the tails are that the integrals give, for all t. Only degrees
// of freedom that are not whole need more.
func TestMixturesInvertTheTails(t *testing.T) {
	t.Parallel()
	worst := 0.0
	for _, df := range []float64{1, 1.5, 2, 3, 4, 5, 9, 19, 49, 99, 499, 999, 9999, 1e5, 1e6} {
		for _, x := range []float64{
			0, 1e-3, 0.1, 0.5, 1, 2, 3, 5, 7, 10, 14, 20, 30, 41, 60, 100, 190, 300, 1000, 1e4, 1e6, 1e10,
		} {
			for _, p := range []float64{1e-3, 0.005, 0.025, 0.05, 0.2, 0.5, 0.8, 0.95, 0.999} {
				m := mixture{t: x, df: df}
				delta, ok := m.quantile(p)
				if !ok {
					if df == math.Trunc(df) {
						t.Errorf("t %v, df %v, p %v: not found", x, df, p)
					}
					continue
				}
				sf, cdf := noncentralTails(x, df, delta)
				off := math.Abs(min(sf, cdf)/min(p, 1-p)-1) / math.Sqrt(df)
				worst = max(worst, off)
				if off > 2e-12 {
					t.Errorf("t %v, df %v, p %v: delta %v has tail %v", x, df, p, delta, sf)
				}
			}
		}
	}
	t.Logf("largest relative error %.2g", worst)
}

func TestNoncentralTBounds(t *testing.T) {
	t.Parallel()
	for _, c := range [][3]float64{
		{2, 9, 0.05}, {-40, 9, 0.05}, {300, 99, 0.025}, {-14, 2, 0.005}, {14, 2.5, 0.005}, {7, 30, 1e-6}, {3, 5, 1e-8}, {2, 1e18, 0.05}, {2, math.Inf(1), 0.05},
	} {
		x, df, tail := c[0], c[1], c[2]
		lo, hi := NoncentralTBounds(x, df, tail)
		for _, got := range []struct{ is, want float64 }{
			{lo, noncentralTDelta(x, df, tail)},
			{hi, -noncentralTDelta(-x, df, tail)},
			{NoncentralTDelta(x, df, tail), noncentralTDelta(x, df, tail)},
			{NoncentralTDelta(-x, df, tail), noncentralTDelta(-x, df, tail)},
		} {
			if !(math.Abs(got.is-got.want) <= 1e-11*math.Abs(got.want)) {
				t.Errorf("t %v, df %v, tail %v: %v, want %v", x, df, tail, got.is, got.want)
			}
		}
	}
	for _, c := range [][3]float64{
		{math.NaN(), 9, 0.05}, {math.Inf(1), 9, 0.05}, {1, 0.5, 0.05}, {1, math.NaN(), 0.05}, {1, 9, 0}, {1, 9, 1}, {1, 9, math.NaN()},
	} {
		if lo, hi := NoncentralTBounds(c[0], c[1], c[2]); !math.IsNaN(lo) || !math.IsNaN(hi) {
			t.Errorf("%v: %v to %v", c, lo, hi)
		}
	}
}

func BenchmarkNoncentralTBounds(b *testing.B) {
	for _, c := range []struct {
		name  string
		t, df float64
	}{{"over S", 2, 99}, {"over Z", 200, 99}} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				NoncentralTBounds(c.t, c.df, 0.05)
			}
		})
	}
}
