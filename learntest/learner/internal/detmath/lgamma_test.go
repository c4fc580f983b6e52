package detmath

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/learnbench/learnbench/internal/floatcmp"
)

// Reference numbers: computed with mpmath, 50 digits.
func TestLogGammaEqualsReference(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ x, want float64 }{
		{0.5, 0.572364942924700087},
		{1.5, -0.120782237635245222},
		{2.5, 0.28468287047291916},
		{3, 0.693147180559945309},
		{3.5, 1.20097360234707422},
		{7, 6.579251212010101},
		{10.5, 13.9406252194037636},
		{12.75, 19.3582312202243581},
		{13, 19.9872144956618861},
		{13.5, 21.2600761562447011},
		{20, 39.339884187199494},
		{99.5, 356.835382823613074},
		{999.5, 5901.76692069473703},
		{1000, 5905.22042320918121},
		{1000.5, 5908.67417584867749},
		{12345.5, 103958.242965123229},
		{99999999.5, 1742068056.89349434},
		{200000000.0, 3622765576.26448673},
		{1000000000000.0, 26631021115915.6516},
	} {
		got := LogGamma(test.x)
		assert.True(t, floatcmp.Equal(got, test.want, 4e-16, 4e-16), "LogGamma(%v) = %v, want %v", test.x,
			got, test.want)
	}
}

func TestLogGammaSpecialCases(t *testing.T) {
	t.Parallel()
	assert.Equal(t, 0.0, LogGamma(1))
	assert.Equal(t, 0.0, LogGamma(2))
	assert.True(t, math.IsNaN(LogGamma(0)))
	assert.True(t, math.IsNaN(LogGamma(-1.5)))
	assert.True(t, math.IsNaN(LogGamma(math.NaN())))
	assert.Equal(t, math.Inf(1), LogGamma(math.Inf(1)))
}
