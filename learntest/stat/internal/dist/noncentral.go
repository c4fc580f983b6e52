package dist

import "math"

// NoncentralTSF returns the probability that a noncentral t variable with df ≥
// 1 degrees of freedom and noncentrality delta exceeds t; df may be +Inf, the
// normal limit.
//
// With S = √(χ²/df), the probability is E[Φ(δ − tS)]: an integral of a positive
// function, so that small probabilities keep their relative accuracy. It is
// computed by the trapezoidal rule in log S, which converges geometrically for
// this integrand. Witkovský (2013), "A note on computing extreme tail
// probabilities of the noncentral t distribution with large noncentrality
// parameter", takes the same integral by other rules.
func NoncentralTSF(t, df, delta float64) float64 {
	switch {
	case math.IsNaN(t) || !(df >= 1) || math.IsNaN(delta) || math.IsInf(delta, 0):
		return math.NaN()
	case math.IsInf(df, 1):
		return NormalSF(t - delta)
	case math.IsInf(t, 1):
		return 0
	case math.IsInf(t, -1):
		return 1
	}
	return noncentralIntegral(t, df, delta)
}

// NoncentralTCDF returns the probability that a noncentral t variable is at
// most t, with the relative accuracy of [NoncentralTSF].
func NoncentralTCDF(t, df, delta float64) float64 {
	return NoncentralTSF(-t, df, -delta)
}

// NoncentralTDelta returns the noncentrality at which a noncentral t variable
// with df ≥ 1 degrees of freedom exceeds the finite t with probability p, for 0
// < p < 1: a bound of the confidence interval for the noncentrality after t was
// observed.
func NoncentralTDelta(t, df, p float64) float64 {
	if !(p > 0 && p < 1) || !(df >= 1) || math.IsNaN(t) || math.IsInf(t, 0) {
		return math.NaN()
	}
	// On the scale of log odds the probability is nearly quadratic in delta.
	f := func(delta float64) float64 {
		return math.Log(NoncentralTSF(t, df, delta)/NoncentralTCDF(t, df, delta)) - math.Log(p/(1-p))
	}
	// As for df = ∞, widened until it is a bracket.
	z := NormalInvSF(p)
	lo, hi := t-z, t-z
	for step := 1.0; f(lo) > 0 && step < 1e300; step *= 2 {
		lo -= step
	}
	for step := 1.0; f(hi) < 0 && step < 1e300; step *= 2 {
		hi += step
	}
	return Root(f, lo, hi)
}

// noncentralIntegral returns the expectation of Φ(delta − t·√(χ²/df)).
func noncentralIntegral(t, df, delta float64) float64 {
	density := logChiDensity(df)
	integrand := func(u float64) float64 {
		return math.Exp(density(u)) * NormalSF(t*math.Exp(u)-delta)
	}
	// The exponent, to find where the integrand lives even if it underflows.
	exponent := func(u float64) float64 {
		return density(u) + logNormalSF(t*math.Exp(u)-delta)
	}
	mode := maximize(exponent, 0.05/math.Sqrt(df))
	top := exponent(mode)
	const drop = 42 // exp(−42) < 1e-18
	lo := walk(exponent, mode, -1/math.Sqrt(df), top-drop)
	hi := walk(exponent, mode, 1/math.Sqrt(df), top-drop)

	return math.Min(1, trapezoid(integrand, lo, hi))
}

// logChiDensity returns the logarithm of the density of u = log √(χ²/df).
func logChiDensity(df float64) func(u float64) float64 {
	// It is log C + df·u − df·(e^2u − 1)/2.
	a := 0.5 * df
	logC := 0.5*math.Log(df/math.Pi) - stirlingError(a)
	return func(u float64) float64 { return logC - a*(math.Expm1(2*u)-2*u) }
}

// logNormalSF returns log NormalSF(z), also where that underflows.
func logNormalSF(z float64) float64 {
	if z < 30 {
		return math.Log(NormalSF(z))
	}
	z2 := z * z
	return -0.5*z2 - math.Log(z) - halfLogTwoPi + math.Log1p(-1/z2+3/(z2*z2))
}
