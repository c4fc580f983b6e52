package c45

import (
	"math"

	"github.com/learnbench/learnbench/learntest/learner/internal/detmath"
)

// normalQuantile returns the quantile of the standard normal distribution at
// p, 0.5 <= p <= 1-1e-14, by the rational approximations of Cephes' ndtri [1],
// with the same bits on every machine.
//
// [1] S. L. Moshier, Cephes Mathematical Library 2.1, ndtri.c, 1989 (the
// coefficients and the intervals).
func normalQuantile(p float64) float64 {
	const expM2 = 0.13533528323661269189 // exp(-2)
	if p <= 1-expM2 {
		y := p - 0.5
		w := y * y
		num := horner(w, -5.99633501014107895267e1, 9.80010754185999661536e1, -5.66762857469070293439e1,
			1.39312609387279679503e1, -1.23916583867381258016e0)
		den := horner(w, 1, 1.95448858338141759834e0, 4.67627912898881538453e0, 8.63602421390890590575e1,
			-2.25462687854119370527e2,
			2.00260212380060660359e2, -8.20372256168333339912e1, 1.59056225126211695515e1,
			-1.18331621121330003142e0)
		const sqrt2π = 2.50662827463100050242e0
		return (y + float64(y*(w*num/den))) * sqrt2π
	}
	x := math.Sqrt(-2 * detmath.Log(1-p))
	z := 1 / x
	num := horner(z, 4.05544892305962419923e0, 3.15251094599893866154e1, 5.71628192246421288162e1,
		4.40805073893200834700e1, 1.46849561928858024014e1,
		2.18663306850790267539e0, -1.40256079171354495875e-1, -3.50424626827848203418e-2,
		-8.57456785154685413611e-4)
	den := horner(z, 1, 1.57799883256466749731e1, 4.53907635128879210584e1, 4.13172038254672030440e1,
		1.50425385692907503408e1,
		2.50464946208309415979e0, -1.42182922854787788574e-1, -3.80806407691578277194e-2,
		-9.33259480895457427372e-4)
	return x - detmath.Log(x)/x - z*num/den
}

// horner evaluates the polynomial with the given coefficients, highest degree
// first, at x.
func horner(x float64, coef ...float64) float64 {
	y := coef[0]
	for _, c := range coef[1:] {
		y = float64(y*x) + c
	}
	return y
}
