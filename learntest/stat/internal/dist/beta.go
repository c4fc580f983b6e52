package dist

import "math"

const (
	halfLogTwoPi = 0.91893853320467274178032973640561763986
	epsilon      = 0x1p-53
)

// stirlingError returns log Γ(x+1) − log(√(2πx)·(x/e)^x) for x > 0, that is,
// what Stirling's formula leaves out (Loader 2000).
func stirlingError(x float64) float64 {
	if x < 15 {
		l, _ := math.Lgamma(x + 1)
		return l - (x+0.5)*math.Log(x) + x - halfLogTwoPi
	}
	// DLMF 5.11.1: the terms B_2k/(2k(2k−1)x^(2k−1)).
	z := 1 / (x * x)
	return (1.0/12 - z*(1.0/360-z*(1.0/1260-z*(1.0/1680-z*(1.0/1188-z*691.0/360360))))) / x
}

// deviance returns x·log(x/m) + m − x for x, m > 0 without the cancellation
// near x = m (Loader 2000, there called bd0).
func deviance(x, m float64) float64 {
	if d := x - m; math.Abs(d) < 0.1*(x+m) {
		v := d / (x + m)
		s := d * v
		term := 2 * x * v
		v *= v
		for j := 3.0; j < 200; j += 2 {
			term *= v
			next := s + term/j
			if next == s {
				break
			}
			s = next
		}
		return s
	}
	return x*math.Log(x/m) + m - x
}

// betaTerm returns x^a·y^b·Γ(a+b+1)/(Γ(a+1)Γ(b+1)) for a, b > 0 and x = 1−y in
// (0, 1), by the saddle-point expansion of Loader (2000), "Fast and accurate
// computation of binomial probabilities".
func betaTerm(a, b, x, y float64) float64 {
	n := a + b
	l := stirlingError(n) - stirlingError(a) - stirlingError(b) - deviance(a, n*x) - deviance(b, n*y)
	return math.Exp(l) * math.Sqrt(n/(a*b)) / math.Sqrt(2*math.Pi)
}

// BetaInc returns the regularised incomplete beta function I_x(a, b) for a, b >
// 0, given both x and y = 1−x so that neither end loses digits.
//
// It sums the continued fraction of DiDonato and Morris (1992), "Algorithm
// 708", equation 9, which is the even part of DLMF 8.17.22 without its
// cancellation for large a, on the side on which it converges fast. The result
// is small only where it is computed directly.
func BetaInc(a, b, x, y float64) float64 {
	switch {
	case !(a > 0) || !(b > 0) || math.IsInf(a, 1) || math.IsInf(b, 1) || !(x >= 0) || !(y >= 0):
		return math.NaN()
	case x == 0:
		return 0
	case y == 0:
		return 1
	case x <= (a+1)/(a+b+2):
		return betaTerm(a, b, x, y) * (a * b / (a + b)) * betaFraction(a, b, x, y)
	default:
		return 1 - betaTerm(b, a, y, x)*(a*b/(a+b))*betaFraction(b, a, y, x)
	}
}

// betaFraction returns I_x(a,b)·B(a,b)/(x^a·y^b) with y = 1−x by the modified
// Lentz method, for x at most about (a+1)/(a+b+2).
func betaFraction(a, b, x, y float64) float64 {
	lambda := a*y - b*x + 1
	f := a / (a + 1) * lambda
	c, d := f, 0.0
	for m := 1.0; m < 1e6; m++ {
		n := a + 2*m
		e := m * (b - m) * x / (n - 1)
		an := (a + m - 1) * (a + b + m - 1) * x / (n - 1) * e
		bn := m + e + (a+m)*(lambda+m*(1+y))/(n+1)
		d = 1 / (bn + an*d)
		c = bn + an/c
		step := c * d
		f *= step
		if math.Abs(step-1) < 2*epsilon {
			break
		}
	}
	return 1 / f
}
