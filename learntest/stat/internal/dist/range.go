package dist

import "math"

// RangeSF returns the probability that the studentized range of k ≥ 2 normal
// variables exceeds q, where the variance is estimated with df degrees of
// freedom; df ≥ 1 may be +Inf, in which case it is the range of k standard
// normal variables.
//
// With Z the largest of the k, the range exceeds q unless the others are within
// q below it. The complement of that probability is integrated over Z, and over
// the estimate of the standard deviation if df is finite, as it stands, so that
// small probabilities keep their relative accuracy (compare Copenhaver and
// Holland 1988, who integrate the distribution function).
func RangeSF(q float64, k int, df float64) float64 {
	switch {
	case math.IsNaN(q) || k < 2 || !(df >= 1):
		return math.NaN()
	case q <= 0:
		return 1
	case math.IsInf(q, 1):
		return 0
	case math.IsInf(df, 1):
		return math.Min(1, normalRangeSF(q, k))
	}
	density := logChiDensity(df)
	integrand := func(u float64) float64 {
		return math.Exp(density(u)) * normalRangeSF(q*math.Exp(u), k)
	}
	// Where the integrand lives: logarithms, since it may underflow.
	exponent := func(u float64) float64 {
		return density(u) + logRangeBound(q*math.Exp(u), k)
	}
	mode := maximize(exponent, 1/math.Sqrt(df))
	bound := exponent(mode) - 45
	lo := walk(exponent, mode, -1/math.Sqrt(df), bound)
	hi := walk(exponent, mode, 1/math.Sqrt(df), bound)
	return math.Min(1, trapezoid(integrand, lo, hi))
}

// RangeInvSF returns the q that the studentized range of k ≥ 2 normal variables
// exceeds with probability p, for 0 < p < 1 and df as in [RangeSF].
func RangeInvSF(p float64, k int, df float64) float64 {
	if !(p > 0 && p < 1) || k < 2 || !(df >= 1) {
		return math.NaN()
	}
	// Bonferroni's bound on the k(k−1)/2 differences is from above.
	hi := math.Sqrt2 * StudentInvSF(p/(float64(k)*float64(k-1)), df)
	return Root(func(q float64) float64 { return math.Log(p / RangeSF(q, k, df)) }, 0, hi)
}

// normalRangeSF returns RangeSF for df = +Inf and q > 0.
func normalRangeSF(q float64, k int) float64 {
	m := float64(k - 1)
	integrand := func(z float64) float64 {
		// Φ(z)^m − (Φ(z) − Φ(z−q))^m without cancellation.
		a, b := NormalCDF(z), NormalCDF(z-q)
		if !(b > 0) {
			return 0
		}
		return NormalPDF(z) * math.Pow(a, m) * -math.Expm1(m*math.Log1p(-b/a))
	}
	return float64(k) * trapezoid(integrand, -9, max(9, 0.5*q+9))
}

// logRangeBound returns Bonferroni's bound on the logarithm of normalRangeSF.
func logRangeBound(q float64, k int) float64 {
	return math.Min(0, math.Log(float64(k)*float64(k-1))+logNormalSF(q/math.Sqrt2))
}
