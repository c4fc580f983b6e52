package dist

import "math"

// GammaRatioHalf returns Γ(a+1/2)/Γ(a) for a > 0.
func GammaRatioHalf(a float64) float64 {
	if !(a > 0) {
		return math.NaN()
	}
	if a < 12 {
		return math.Gamma(a+0.5) / math.Gamma(a)
	}
	// The logarithm of the ratio over √a has an asymptotic expansion in odd
	// powers of 1/a with coefficients (2^(−2k)−1)·B_2k/(k(2k−1)), which follows
	// from DLMF 5.11.8 at h = 1/2 and h = 0.
	r := 1 / a
	z := r * r
	l := r * (-1.0/8 + z*(1.0/192+z*(-1.0/640+z*(17.0/14336+z*(-31.0/18432+z*(691.0/180224+z*(-5461.0/425984)))))))
	return math.Sqrt(a) * math.Exp(l)
}

// ChiSquaredSF returns the probability that a χ² variable with df > 0 degrees
// of freedom exceeds x. It is 1 for x ≤ 0.
func ChiSquaredSF(x, df float64) float64 {
	_, q := gammaInc(0.5*df, 0.5*x)
	return q
}

// ChiSquaredCDF returns the probability that a χ² variable with df > 0 degrees
// of freedom is at most x. It is 0 for x ≤ 0.
func ChiSquaredCDF(x, df float64) float64 {
	p, _ := gammaInc(0.5*df, 0.5*x)
	return p
}

// LogGammaDensity returns the logarithm of the density of log X at log x, where X
// has the gamma distribution with shape a > 0 and scale 1, for x > 0.
func LogGammaDensity(x, a float64) float64 {
	if !(a > 0) || !(x > 0) || math.IsInf(a, 1) || math.IsInf(x, 1) {
		return math.NaN()
	}
	// log(x^a·e^(−x)/Γ(a)), without its cancellation where a is large.
	return 0.5*math.Log(a/(2*math.Pi)) - stirlingError(a) - deviance(a, x)
}

// gammaInc returns the regularised incomplete gamma functions P(a, x) and Q(a,
// x): the smaller by the power series DLMF 8.7.1 or the continued fraction DLMF
// 8.9.2, the other as its complement. Near the mean of a large shape, where
// these are slow, gammaIncLarge stands in.
func gammaInc(a, x float64) (p, q float64) {
	switch {
	case !(a > 0) || math.IsInf(a, 1) || math.IsNaN(x):
		return math.NaN(), math.NaN()
	case x <= 0:
		return 0, 1
	case math.IsInf(x, 1):
		return 1, 0
	case a >= largeShape && math.Abs(x-a) <= 0.5*a:
		return gammaIncLarge(a, x)
	}
	// x^a·e^(−x)/Γ(a+1)
	front := math.Exp(-stirlingError(a)-deviance(a, x)) / math.Sqrt(2*math.Pi*a)
	if x < a+1 {
		sum, term := 1.0, 1.0
		for n := a + 1; term > epsilon*sum; n++ {
			term *= x / n
			sum += term
		}
		p = front * sum
		return p, 1 - p
	}
	b := x + 1 - a
	c := math.Inf(1)
	d := 1 / b
	h := d
	for i := 1.0; i < 1e7; i++ {
		e := i * (a - i)
		b += 2
		d = 1 / (b + e*d)
		c = b + e/c
		h *= d * c
		if math.Abs(d*c-1) < 2*epsilon {
			break
		}
	}
	q = front * a * h
	return 1 - q, q
}
