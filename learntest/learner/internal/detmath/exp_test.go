package detmath

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"github.com/learnbench/learnbench/internal/floatcmp"
)

// Reference numbers: computed with mpmath, 50 digits.
func TestExpEqualsReference(t *testing.T) {
	t.Parallel()
	tests := []struct{ x, want float64 }{
		{1.0, 2.718281828459045},
		{-1.0, 0.36787944117144233},
		{0.5, 1.6487212707001282},
		{0.3465735902799726, 1.414213562373095},
		{0.34657359027997264, 1.414213562373095},
		{0.3465735902799727, 1.4142135623730951},
		{-0.34657359, 0.7071067813845181},
		{1e-10, 1.0000000001},
		{-1e-300, 1.0},
		{2.5, 12.182493960703473},
		{10.0, 22026.465794806718},
		{-10.25, 3.535750085040998e-05},
		{88.7, 3.325986980250579e+38},
		{-100.1, 3.3660639410403144e-44},
		{300.0, 1.9424263952412558e+130},
		{700.0, 1.0142320547350045e+304},
		{709.7, 1.6549840276802644e+308},
		{709.782712893384, 1.7976931348622732e+308},
		{-700.5, 5.980196118639791e-305},
		{-708.3, 2.450295530965988e-308},
		{-710.0, 4.47628622567513e-309},
		{-720.75, 9.599578585e-314},
		{-744.0, 1e-323},
	}
	for _, test := range tests {
		got := Exp(test.x)
		ulp := math.Nextafter(test.want, math.Inf(1)) - test.want
		assert.LessOrEqual(t, math.Abs(got-test.want), ulp, "Exp(%v) = %v, want %v", test.x,
			got, test.want)
	}
}

func TestExpSpecialCases(t *testing.T) {
	t.Parallel()
	assert.Equal(t, 1.0, Exp(0))
	assert.Equal(t, math.Inf(1), Exp(math.Inf(1)))
	assert.Equal(t, math.Inf(1), Exp(709.79))
	assert.Equal(t, 0.0, Exp(math.Inf(-1)))
	assert.Equal(t, 0.0, Exp(-745.14))
	assert.True(t, math.IsNaN(Exp(math.NaN())))
}

func TestExpIsWithinAnUlpOfPackageMath(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.Float64Range(-708, 709).Draw(t, "x")
		if got, want := Exp(x), math.Exp(x); !floatcmp.Equal(got, want, 0, 4.5e-16) {
			t.Fatalf("Exp(%v) = %v, package math %v", x, got, want)
		}
	})
}

func BenchmarkExp(b *testing.B) {
	x, sum := -3.7, 0.0
	for b.Loop() {
		sum += Exp(x)
		x = -x * 0.99
	}
	_ = sum
}
