package naivebayes

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"github.com/learnbench/learnbench/internal/floatcmp"
)

// Provenance: Statistics.normalProbability of Weka 3.6.14.
func TestNormalCDFEqualsWeka(t *testing.T) {
	t.Parallel()
	tests := []struct{ x, want float64 }{
		{0, 0.5},
		{0.5, 0.6914624612740131},
		{-0.5, 0.3085375387259869},
		{0.9999, 0.8413205477862374},
		{1, 0.8413447460685429},
		{-1, 0.15865525393145707},
		{1.0001, 0.8413689419311412},
		{1.5, 0.9331927987311419},
		{-1.5, 0.06680720126885807},
		{2.3, 0.9892758899783242},
		{-2.3, 0.010724110021675809},
		{3, 0.9986501019683699},
		{-3, 0.0013498980316300933},
		{5, 0.9999997133484281},
		{-5, 2.866515718791933e-7},
		{7.5, 0.9999999999999681},
		{-7.5, 3.1908916729108844e-14},
		{-8.3, 5.2055697448902465e-17},
		{-8.5, 9.47953482220325e-18},
		{-11.3, 6.560899940904078e-30},
		{-11.32, 5.223596026549726e-30},
		{-18.4, 6.568238493386974e-76},
		{-18.5, 1.0323698689562996e-76},
		{-20, 2.7536241186061556e-89},
		{-30, 4.906713927147908e-198},
		{-37, 5.7255712225239266e-300},
		{-37.6, 1.074811249586866e-309},
	}
	for _, test := range tests {
		got := normalCDF(test.x)
		assert.True(t, floatcmp.Equal(got, test.want, 0, 1e-15), "normalCDF(%v) = %v, want %v", test.x,
			got, test.want)
	}
}

// Provenance: as above.
func TestNormalCDFSaturatesAsInWeka(t *testing.T) {
	t.Parallel()
	for _, x := range []float64{8.3, 8.5, 11.3, 40, math.Inf(1)} {
		assert.Equal(t, 1.0, normalCDF(x), "x = %v", x)
	}
	assert.Less(t, normalCDF(8.29), 1.0)
	for _, x := range []float64{-38, -39, math.Inf(-1)} {
		assert.Equal(t, 0.0, normalCDF(x), "x = %v", x)
	}
	assert.True(t, math.IsNaN(normalCDF(math.NaN())))
}

func TestNormalCDFIsMonotoneAndSymmetric(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.Float64Range(-40, 40).Draw(t, "x")
		step := rapid.Float64Range(1e-3, 1).Draw(t, "step")
		if a, b := normalCDF(x), normalCDF(x+step); a > b {
			t.Fatalf("normalCDF(%v) = %v > normalCDF(%v) = %v", x, a, x+step, b)
		}
		if sum := normalCDF(x) + normalCDF(-x); !floatcmp.Equal(sum, 1, 3e-16, 0) {
			t.Fatalf("normalCDF(%v) + normalCDF(%v) = %v", x, -x, sum)
		}
		if want := 0.5 * math.Erfc(-x/math.Sqrt2); want > 1e-300 && !floatcmp.Equal(normalCDF(x),
			want, 0, 1e-12) {
			t.Fatalf("normalCDF(%v) = %v, package math %v", x, normalCDF(x), want)
		}
	})
}

// The likelihood skips the distribution function where both of its values are
// saturated or negligible.
func TestNormalLikelihoodEqualsItsDefinition(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a := &attribute{
			precision: rapid.Float64Range(0.01, 20).Draw(t, "precision"),
			mean:      []float64{rapid.Float64Range(-5, 5).Draw(t, "mean")},
			sd:        []float64{rapid.Float64Range(0.05, 5).Draw(t, "sd")},
		}
		k := float64(rapid.IntRange(-300, 300).Draw(t, "multiple"))
		p := []float64{0}
		a.normal(p, k)
		x := float64(k * a.precision)
		want := normalCDF((x-a.mean[0]+a.precision/2)/a.sd[0]) - normalCDF((x-a.mean[0]-a.precision/2)/a.sd[0])
		if want = math.Max(want, minLikelihood); p[0] != want {
			t.Fatalf("%v, want %v", p[0], want)
		}
	})
}

func BenchmarkNormalCDF(b *testing.B) {
	sum, x := 0.0, -3.0
	for b.Loop() {
		sum += normalCDF(x)
		x = -x
	}
	if math.IsNaN(sum) {
		b.Fatal(sum)
	}
}
