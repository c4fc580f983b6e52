package dist

import "math"

// largeShape is the shape from which the incomplete gamma functions near their
// mean are computed by an asymptotic expansion: the series and the continued
// fraction need a number of terms that grows with the root of the shape.
const largeShape = 1000

// gammaIncLarge returns P(a, x) and Q(a, x) for a ≥ largeShape and |x−a| ≤ a/2
// by Temme's uniform expansion, DLMF 8.12.3 to 8.12.12:
//
//	Q(a, x) = erfc(η√(a/2))/2 + e^(−aη²/2)/√(2πa)·Σ c_k(η)/a^k
//
// with η²/2 = x/a − 1 − log(x/a), of the sign of x−a.
func gammaIncLarge(a, x float64) (p, q float64) {
	half := deviance(a, x) // aη²/2
	y := math.Copysign(math.Sqrt(half), x-a)
	eta := y / math.Sqrt(0.5*a)
	sum := 0.0
	for k := len(temme) - 1; k >= 0; k-- {
		c := 0.0
		for n := len(temme[k]) - 1; n >= 0; n-- {
			c = float64(c*eta) + temme[k][n]
		}
		sum = sum/a + c
	}
	rest := math.Exp(-half) / math.Sqrt(2*math.Pi*a) * sum
	return 0.5*math.Erfc(-y) - rest, 0.5*math.Erfc(y) + rest
}

const (
	temmeOrders = 5  // the next term is below 1e-17 from a = 1000 on
	temmePowers = 30 // likewise for |η| ≤ 0.63
)

// temme[k][n] is the coefficient of η^n in c_k. It never changes.
var temme = temmeCoefficients()

// temmeCoefficients follows DLMF 8.12.12, d_k,n = (−1)^k·g_k·d_0,n + (n+2)·d_k−1,n+2, with the
// g_k of Stirling's series, DLMF 5.11.4.
func temmeCoefficients() [temmeOrders][temmePowers]float64 {
	const terms = temmePowers + 2*temmeOrders
	// μ = x/a − 1 as a power series in η, from μ·dμ/dη = η(1+μ).
	var mu [terms + 2]float64
	mu[1] = 1
	for n := 2; n < len(mu); n++ {
		s := mu[n-1]
		for i := 2; i < n; i++ {
			s -= float64(mu[i] * mu[n+1-i] * float64(n+1-i))
		}
		mu[n] = s / float64(n+1)
	}
	// η/μ, whose coefficients from the second on are the coefficients of 1/μ − 1/η.
	var inverse [terms + 1]float64
	inverse[0] = 1
	for n := 1; n < len(inverse); n++ {
		for i := range n {
			inverse[n] -= float64(inverse[i] * mu[n+1-i])
		}
	}
	stirling := [temmeOrders]float64{1, 1.0 / 12, 1.0 / 288, -139.0 / 51840, -571.0 / 2488320}
	var out [temmeOrders][temmePowers]float64
	last := inverse[1:]
	for k := range out {
		copy(out[k][:], last)
		if k == len(out)-1 {
			break
		}
		sign := 1.0
		if k%2 == 0 {
			sign = -1
		}
		next := make([]float64, len(last)-2)
		for n := range next {
			next[n] = float64(sign*stirling[k+1]*inverse[n+1]) + float64(float64(n+2)*last[n+2])
		}
		last = next
	}
	return out
}
