package detmath

import "math"

// Log returns the natural logarithm of x, with an error of at most 0.52 units
// in the last place.
//
// With x = 2^k m, m between √½ and √2, and s = (m-1)/(m+1), it evaluates
//
//	ln x = k ln 2 + 2(s + s³/3 + s⁵/5 + ...)
//
// where s and the sum are carried in two floats, and the terms from s³ on in
// one: they are less than a hundredth of the sum.
//
// Special cases are:
//
//	Log(+Inf) = +Inf
//	Log(0) = -Inf
//	Log(x < 0) = NaN
//	Log(NaN) = NaN
func Log(x float64) float64 {
	switch {
	case x != x || x > math.MaxFloat64:
		return x
	case x < 0:
		return math.NaN()
	case x == 0:
		return math.Inf(-1)
	}
	k := 0
	if x < 0x1p-1022 {
		x *= 0x1p54
		k = -54
	}
	b := math.Float64bits(x)
	k += int(b>>52) - 1022
	m := math.Float64frombits(b&^(0x7ff<<52) | 1022<<52) // in [1/2, 1)
	if m < math.Sqrt2/2 {
		m *= 2
		k--
	}
	f := m - 1
	d := f + 2
	dLow := (2 - d) + f // what the sum has lost
	s := f / d
	sLow := (math.FMA(-s, d, f) - float64(s*dLow)) / d
	z := float64(s * s)
	p := float64(z*(1.0/25)) + 1.0/23
	p = float64(p*z) + 1.0/21
	p = float64(p*z) + 1.0/19
	p = float64(p*z) + 1.0/17
	p = float64(p*z) + 1.0/15
	p = float64(p*z) + 1.0/13
	p = float64(p*z) + 1.0/11
	p = float64(p*z) + 1.0/9
	p = float64(p*z) + 1.0/7
	p = float64(p*z) + 1.0/5
	p = float64(p*z) + 1.0/3
	s *= 2
	low := float64(s*float64(p*z)) + float64(2*sLow) + float64(float64(k)*ln2Lo)
	high := float64(float64(k) * ln2Hi)
	sum := high + s
	lost := (high - sum) + s // exact, since high is 0 or the greater one
	return sum + (lost + low)
}
