package detmath

import "math"

// LogGamma returns the natural logarithm of the gamma function at x > 0, by
// the approximations of Cephes' lgam [1]: from 13 on Stirling's series, below
// that the recurrence down to the interval from 2 to 3 and a rational function
// there. It returns NaN for other x, and +Inf for +Inf.
//
// [1] S. L. Moshier, Cephes Mathematical Library 2.8, gamma.c, 2000 (the
// coefficients and the intervals).
func LogGamma(x float64) float64 {
	switch {
	case !(x > 0):
		return math.NaN()
	case x > math.MaxFloat64:
		return x
	case x < 13:
		return logGammaSmall(x)
	}
	const logSqrt2π = 0.91893853320467274178
	y := float64((x-0.5)*Log(x)) - x + logSqrt2π
	if x > 1e8 {
		return y
	}
	p := 1 / float64(x*x)
	var s float64
	if x >= 1000 {
		s = float64(7.9365079365079365079365e-4*p) - 2.7777777777777777777778e-3
		s = float64(s*p) + 0.0833333333333333333333
	} else {
		s = float64(8.11614167470508450300e-4*p) - 5.95061904284301438324e-4
		s = float64(s*p) + 7.93650340457716943945e-4
		s = float64(s*p) - 2.77777777730099687205e-3
		s = float64(s*p) + 8.33333333333331927722e-2
	}
	return y + s/x
}

func logGammaSmall(x float64) float64 {
	z := 1.0 // gamma of the argument divided by gamma of x
	for x >= 3 {
		x--
		z *= x
	}
	for x < 2 {
		z /= x
		x++
	}
	if x == 2 {
		return Log(z)
	}
	x -= 2
	num := float64(-1.37825152569120859100e3*x) - 3.88016315134637840924e4
	num = float64(num*x) - 3.31612992738871184744e5
	num = float64(num*x) - 1.16237097492762307383e6
	num = float64(num*x) - 1.72173700820839662146e6
	num = float64(num*x) - 8.53555664245765465627e5
	den := x - 3.51815701436523470549e2
	den = float64(den*x) - 1.70642106651881159223e4
	den = float64(den*x) - 2.20528590553854454839e5
	den = float64(den*x) - 1.13933444367982507207e6
	den = float64(den*x) - 2.53252307177582951285e6
	den = float64(den*x) - 2.01889141433532773231e6
	return Log(z) + x*num/den
}
