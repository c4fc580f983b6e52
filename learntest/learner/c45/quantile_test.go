package c45

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/learnbench/learnbench/internal/floatcmp"
)

// Reference numbers: the root of ncdf(z) = p, computed with mpmath, 50 digits.
func TestNormalQuantileEqualsReference(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ p, want float64 }{
		{0.75, 0.674489750196081743},
		{0.5, 0.0},
		{0.55, 0.125661346855074146},
		{0.6, 0.253347103135799741},
		{0.8, 0.841621233572914364},
		{0.86, 1.08031934081495606},
		{0.87, 1.12639112903880057},
		{0.9, 1.28155156554460059},
		{0.95, 1.64485362695147228},
		{0.99, 2.32634787404084077},
		{0.999, 3.09023230616781328},
		{0.99999, 4.26489079392384077},
		{0.9999989867210388, 4.75075775460303373},
	} {
		got := normalQuantile(test.p)
		assert.True(t, floatcmp.Equal(got, test.want, 0, 1e-14), "normalQuantile(%v) = %v, want %v",
			test.p, got, test.want)
	}
}
