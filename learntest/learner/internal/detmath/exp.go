// Package detmath holds elementary functions that give the same bits on every
// machine. Package math chooses assembly or fused multiply-add by architecture
// and by processor, so that its last bit may differ from one to another.
package detmath

import "math"

// ln2Hi+ln2Lo is the logarithm of 2. ln2Hi has 32 trailing zero bits, so that
// its product with a small integer is exact.
const (
	ln2Hi = 6.93147180369123816490e-01
	ln2Lo = 1.90821492927058770002e-10
)

// Exp returns e to the power x, with an error below one unit in the last place.
//
// With x = k ln 2 + r, |r| <= ln(2)/2, it evaluates
//
//	exp(r) = 1 + 2r / (R(r²) - r)
//
// with the polynomial R of degree 5 in r² of [1], and multiplies by 2 to the
// power k.
//
// Special cases are:
//
//	Exp(+Inf) = Exp(x) = +Inf if x > 709.782...
//	Exp(-Inf) = Exp(x) = 0 if x < -745.133...
//	Exp(NaN) = NaN
//
// [1] K. C. Ng, FDLIBM 5.3, e_exp.c, Sun Microsystems, 1995 (the coefficients).
func Exp(x float64) float64 {
	const (
		overflow  = 7.09782712893383973096e+02
		underflow = -7.45133219101941108420e+02

		p1 = 1.66666666666666019037e-01
		p2 = -2.77777777770155933842e-03
		p3 = 6.61375632143793436117e-05
		p4 = -1.65339022054652515390e-06
		p5 = 4.13813679705723846039e-08
	)
	switch {
	case x != x:
		return x
	case x > overflow:
		return math.Inf(1)
	case x < underflow:
		return 0
	}
	k := int(float64(math.Log2E*x) + math.Copysign(0.5, x))
	hi := x - float64(float64(k)*ln2Hi)
	lo := float64(float64(k) * ln2Lo)
	r := hi - lo
	t := r * r
	c := p4 + float64(t*p5)
	c = p3 + float64(t*c)
	c = p2 + float64(t*c)
	c = p1 + float64(t*c)
	c = r - float64(t*c)
	y := 1 - ((lo - float64(r*c)/(2-c)) - hi)
	if -1022 < k && k < 1023 { // y is in [1/2, 2)
		return float64(y * math.Float64frombits(uint64(1023+k)<<52))
	}
	return math.Ldexp(y, k)
}
