// Package floatcmp compares floats in tests.
package floatcmp

import (
	"fmt"
	"math"
)

// Equal reports whether got is within abs of want or within rel of it
// relative to want. NaN equals NaN, and an infinity equals only itself.
func Equal(got, want, abs, rel float64) bool {
	switch {
	case math.IsNaN(got) || math.IsNaN(want):
		return math.IsNaN(got) && math.IsNaN(want)
	case got == want:
		return true
	case math.IsInf(got, 0) || math.IsInf(want, 0):
		return false
	}
	d := math.Abs(got - want)
	return d <= abs || d <= rel*math.Abs(want)
}

// Slices returns an error that names the first difference between two slices
// by the rule of [Equal], or their lengths if they differ.
func Slices(got, want []float64, abs, rel float64) error {
	if len(got) != len(want) {
		return fmt.Errorf("length %d, want %d", len(got), len(want))
	}
	for i := range got {
		if !Equal(got[i], want[i], abs, rel) {
			return fmt.Errorf("index %d: %v, want %v (off by %g)", i, got[i], want[i],
				math.Abs(got[i]-want[i]))
		}
	}
	return nil
}
