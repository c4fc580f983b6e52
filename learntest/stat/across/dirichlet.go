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
//
// By Hoeffding's inequality on the binomial tail that it is, the probability
// that a gamma variable of shape b exceeds one of shape a > b is at most
// exp(−(a−b)²/(2(a+b))). A component for which that is below 1e-347 has
// probability 0; the others have shapes so near the largest, or that one is so
// small, that some hundreds of steps are enough, and some thousands at most.
func dirichletArgmax(alpha [3]float64) [3]float64 {
	largest := max(alpha[0], alpha[1], alpha[2])
	var p [3]float64
	var possible []int
	for k, a := range alpha {
		if largest-a <= 40*math.Sqrt(largest)*math.Sqrt(1+a/largest) {
			possible = append(possible, k)
		}
	}
	if len(possible) == 1 {
		p[possible[0]] = 1
		return p
	}
	step := min(0.25, 0.5/math.Sqrt(largest))
	sum := 0.0
	for _, k := range possible {
		a, b, c := alpha[k], alpha[(k+1)%3], alpha[(k+2)%3]
		p[k] = step * sumUnimodal(func(i int) float64 {
			x := largest * math.Exp(float64(i)*step)
			return dist.LogGammaDensity(x, a) + math.Log(dist.ChiSquaredCDF(2*x, 2*b)*dist.ChiSquaredCDF(2*x,
				2*c))
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
