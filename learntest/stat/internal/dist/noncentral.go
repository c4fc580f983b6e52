package dist

import "math"

// NoncentralTSF returns the probability that a noncentral t variable with
// df ≥ 1 degrees of freedom and noncentrality delta exceeds t; df may be
// +Inf, the normal limit.
//
// With S = √(χ²/df), the probability is E[Φ(δ − tS)]: an integral of a positive
// function, so that small probabilities keep their relative accuracy. It is
// computed by the trapezoidal rule in log S, which converges geometrically
// for this integrand. Witkovský (2013), "A note on computing extreme
// tail probabilities of the noncentral t distribution with large
// noncentrality parameter", takes the same integral by other rules.
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

// noncentralIntegral returns ∫ Φ(delta − t·s)·f(s) ds for the density f of √(χ²/df).
func noncentralIntegral(t, df, delta float64) float64 {
	// f(s) ds = exp(logC + df·u − df·(e^2u − 1)/2) du at s = e^u.
	a := 0.5 * df
	logC := 0.5*(math.Log(df)-math.Log(math.Pi)) - stirlingError(a)
	integrand := func(u float64) float64 {
		s := math.Exp(u)
		return math.Exp(logC-a*(math.Expm1(2*u)-2*u)) * NormalSF(t*s-delta)
	}
	// The exponent, to find where the integrand lives even if it underflows.
	exponent := func(u float64) float64 {
		return -a*(math.Expm1(2*u)-2*u) + logNormalSF(t*math.Exp(u)-delta)
	}
	mode := maximize(exponent, 0.05/math.Sqrt(df))
	top := exponent(mode)
	const drop = 42 // exp(−42) < 1e-18
	lo := walk(exponent, mode, -1/math.Sqrt(df), top-drop)
	hi := walk(exponent, mode, 1/math.Sqrt(df), top-drop)

	n := 16
	h := (hi - lo) / float64(n)
	sum := 0.5 * (integrand(lo) + integrand(hi))
	for i := 1; i < n; i++ {
		sum += integrand(lo + float64(i)*h)
	}
	last := sum * h
	for range 12 {
		for i := range n {
			sum += integrand(lo + (float64(i)+0.5)*h)
		}
		n *= 2
		h *= 0.5
		next := sum * h
		// The error is squared, roughly, when the step is halved.
		if n > 32 && math.Abs(next-last) <= 1e-9*next {
			return math.Min(next, 1)
		}
		last = next
	}
	return math.Min(last, 1)
}

// logNormalSF returns log NormalSF(z), also where that underflows.
func logNormalSF(z float64) float64 {
	if z < 30 {
		return math.Log(NormalSF(z))
	}
	z2 := z * z
	return -0.5*z2 - math.Log(z) - halfLogTwoPi + math.Log1p(-1/z2+3/(z2*z2))
}

// maximize returns the place of the maximum of a unimodal function to within
// tol by a golden section search from [-1, 1] outward.
func maximize(f func(float64) float64, tol float64) float64 {
	lo, hi := -1.0, 1.0
	for f(lo) >= f(0.5*(lo+hi)) && lo > -700 {
		lo -= hi - lo
	}
	for f(hi) >= f(0.5*(lo+hi)) && hi < 350 {
		hi += hi - lo
	}
	const g = 0.6180339887498949
	x1, x2 := hi-g*(hi-lo), lo+g*(hi-lo)
	f1, f2 := f(x1), f(x2)
	for hi-lo > tol {
		if f1 < f2 {
			lo, x1, f1 = x1, x2, f2
			x2 = lo + g*(hi-lo)
			f2 = f(x2)
		} else {
			hi, x2, f2 = x2, x1, f1
			x1 = hi - g*(hi-lo)
			f1 = f(x1)
		}
	}
	return 0.5 * (lo + hi)
}

// walk returns a place beyond which, going from x in steps that grow from
// step, the unimodal f stays below bound.
func walk(f func(float64) float64, x, step, bound float64) float64 {
	for i := 0; i < 200; i++ {
		x += step
		if !(f(x) > bound) {
			break
		}
		if i%4 == 3 {
			step *= 1.5
		}
	}
	return x
}
