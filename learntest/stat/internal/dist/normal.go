package dist

import "math"

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
//
// A rational approximation (Abramowitz and Stegun 26.2.23) is refined by
// Halley's method on the logarithm of the tail.
func NormalInvSF(p float64) float64 {
	switch {
	case math.IsNaN(p) || p < 0 || p > 1:
		return math.NaN()
	case p == 0:
		return math.Inf(1)
	case p == 1:
		return math.Inf(-1)
	case p > 0.5:
		return -NormalInvSF(1 - p)
	case p == 0.5:
		return 0
	}
	t := math.Sqrt(-2 * math.Log(p))
	z := t - (2.515517+t*(0.802853+t*0.010328))/(1+t*(1.432788+t*(0.189269+t*0.001308)))
	// Halley's method for log sf(z) = log p, whose derivatives follow from the
	// hazard pdf/sf.
	for range 3 {
		sf := NormalSF(z)
		if sf == 0 {
			break
		}
		hazard := NormalPDF(z) / sf
		l := math.Log(sf / p)
		z += l / hazard / (1 + 0.5*l*(1-z/hazard))
	}
	return z
}
