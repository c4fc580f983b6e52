package dist_test

import (
	"math"
	"slices"
	"testing"

	"github.com/learnbench/learnbench/internal/floatcmp"
	"github.com/learnbench/learnbench/learntest/stat/internal/dist"
)

func TestRangeSFWithFiniteDF(t *testing.T) {
	t.Parallel()
	// Provenance: mpmath 1.3, 25 digits, the trapezoidal rule in both variables
	// on a fixed fine grid.
	for _, c := range []struct {
		q    float64
		k    int
		df   float64
		want float64
	}{
		{3.877676, 3, 10, 0.04994801346191353},
		{4, 4, 44, 0.03414457828905335},
		{6, 10, 20, 0.01141516446170426},
	} {
		if got := dist.RangeSF(c.q, c.k, c.df); !floatcmp.Equal(got, c.want, 0, 1e-13) {
			t.Errorf("%+v: got %v", c, got)
		}
		if got := dist.RangeInvSF(c.want, c.k, c.df); !floatcmp.Equal(got, c.q, 0, 1e-12) {
			t.Errorf("%+v: inverse %v", c, got)
		}
	}
}

func TestRangeOfTwoIsStudent(t *testing.T) {
	t.Parallel()
	for _, df := range []float64{1, 3, 10, 99, math.Inf(1)} {
		for _, q := range []float64{0.1, 1, 4, 30} {
			want := 2 * dist.StudentSF(q/math.Sqrt2, df)
			if got := dist.RangeSF(q, 2, df); !floatcmp.Equal(got, want, 0, 1e-12) {
				t.Errorf("q %v, df %v: %v, want %v", q, df, got, want)
			}
		}
	}
}

// Provenance: R 4.2, TukeyHSD on the one-way layout of these columns.
func TestRangeSFGivesTukeysPValues(t *testing.T) {
	t.Parallel()
	columns := [][]float64{
		{0.7915, 0.8221, 0.7651, 0.8213, 0.8081, 0.7751, 0.7978, 0.8009, 0.8461, 0.7489, 0.7685, 0.795},
		{0.8504, 0.8621, 0.7998, 0.8145, 0.7944, 0.8442, 0.8613, 0.8117, 0.8198, 0.7818, 0.7908, 0.8341},
		{0.765, 0.8217, 0.8564, 0.8649, 0.8131, 0.8199, 0.8633, 0.8565, 0.8073, 0.8352, 0.8339, 0.8195},
		{0.8427, 0.7967, 0.782, 0.829, 0.8193, 0.8144, 0.8784, 0.821, 0.7991, 0.7962, 0.8057, 0.7893},
	}
	want := map[[2]int]float64{
		{1, 0}: 0.09449665206103763, {2, 0}: 0.018870336832523815, {3, 0}: 0.327287488783213,
		{2, 1}: 0.9058762360126824, {3, 1}: 0.9077694848238002, {3, 2}: 0.5396017070117698,
	}
	var means []float64
	var within float64
	for _, c := range columns {
		m := 0.0
		for _, x := range c {
			m += x / 12
		}
		for _, x := range c {
			within += (x - m) * (x - m)
		}
		means = append(means, m)
	}
	se := math.Sqrt(within / 44 / 12)
	for pair, p := range want {
		q := math.Abs(means[pair[0]]-means[pair[1]]) / se
		if got := dist.RangeSF(q, 4, 44); !floatcmp.Equal(got, p, 1e-7, 1e-6) {
			t.Errorf("pair %v: %v, want %v", pair, got, p)
		}
	}
}

func TestRangeInvSFInvertsSF(t *testing.T) {
	t.Parallel()
	for _, k := range []int{2, 3, 7, 40} {
		for _, p := range []float64{1e-12, 0.001, 0.05, 0.5, 0.99} {
			q := dist.RangeInvSF(p, k, math.Inf(1))
			if got := dist.RangeSF(q, k, math.Inf(1)); !floatcmp.Equal(got, p, 0, 1e-11) {
				t.Errorf("k %d: SF(%v) = %v, want %v", k, q, got, p)
			}
		}
	}
}

func TestRangeSpecialCases(t *testing.T) {
	t.Parallel()
	inf, nan := math.Inf(1), math.NaN()
	got := []float64{
		dist.RangeSF(0, 3, 5), dist.RangeSF(-1, 3, 5), dist.RangeSF(inf, 3, 5),
		dist.RangeSF(nan, 3, 5), dist.RangeSF(1, 1, 5), dist.RangeSF(1, 3, 0.5),
		dist.RangeInvSF(0, 3, 5), dist.RangeInvSF(1, 3, 5), dist.RangeInvSF(0.5, 1, 5),
		dist.RangeInvSF(0.5, 3, nan),
	}
	want := append([]float64{1, 1, 0}, slices.Repeat([]float64{nan}, 7)...)
	if err := floatcmp.Slices(got, want, 0, 0); err != nil {
		t.Error(err)
	}
}

func BenchmarkRangeInvSF(b *testing.B) {
	for b.Loop() {
		dist.RangeInvSF(0.05, 7, math.Inf(1))
	}
}
