package across

import (
	"math"

	"github.com/learnbench/learnbench/learntest/stat/internal/dist"
)

// dirichletArgmax returns for each component of a Dirichlet variable the
// probability that it is the largest. All of alpha are positive, and one is
// at least 1.
//
// The components are independent gamma variables over their sum. With x = e^t
// the integrand is unimodal in t, falls off at least as fast as e^t on the
// left and faster than any exponential on the right, and is analytic, so that
// the trapezoidal rule on the whole line converges exponentially: the error
// at a step of h/√α is about e^(−2π²/h²).
func dirichletArgmax(alpha [3]float64) [3]float64 {
	step := 0.25
	top := 0.0
	for _, a := range alpha {
		step = min(step, 0.5/math.Sqrt(a))
		top = max(top, a)
	}
	var p [3]float64
	sum := 0.0
	for k, a := range alpha {
		b, c := alpha[(k+1)%3], alpha[(k+2)%3]
		lgamma, _ := math.Lgamma(a)
		p[k] = step * sumUnimodal(func(i int) float64 {
			t := math.Log(top) + float64(i)*step
			x := math.Exp(t)
			return float64(a*t) - x - lgamma + math.Log(dist.ChiSquaredCDF(2*x, 2*b)*dist.ChiSquaredCDF(2*x, 2*c))
		})
		sum += p[k]
	}
	for k := range p {
		p[k] /= sum
	}
	return p
}

// sumUnimodal returns the sum of exp(f(i)) over all integers i, where f rises
// to one peak and then falls, faster than linearly in the end, and is finite
// at 0.
func sumUnimodal(f func(int) float64) float64 {
	peak, at := f(0), 0
	for _, side := range []int{-1, 1} {
		for v := f(at + side); v > peak; v = f(at + side) {
			peak, at = v, at+side
		}
	}
	const drop = 45 // e^(−45) < 1e−19
	sum := 1.0
	for _, side := range []int{-1, 1} {
		for i := at + side; ; i += side {
			v := f(i) - peak
			if !(v > -drop) {
				break
			}
			sum += math.Exp(v)
		}
	}
	return sum * math.Exp(peak)
}
