package dist

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// NormalSF returns the probability that a standard normal variable exceeds z.
func NormalSF(z float64) float64 { return 0.5 * math.Erfc(z/math.Sqrt2) }

// NormalCDF returns the probability that a standard normal variable is at most
// z.
func NormalCDF(z float64) float64 { return NormalSF(-z) }

// NormalPDF returns the standard normal density at z.
func NormalPDF(z float64) float64 {
	return math.Exp(-0.5*z*z) / (math.Sqrt2 * math.SqrtPi)
}

// NormalInvSF returns the z that a standard normal variable exceeds with
// probability p. It is +Inf for p = 0, -Inf for p = 1 and NaN outside of [0,
// 1].
func NormalInvSF(p float64) float64 {
	if !(p >= 0 && p <= 1) {
		return math.NaN()
	}
	return -mathext.NormalQuantile(p)
}
