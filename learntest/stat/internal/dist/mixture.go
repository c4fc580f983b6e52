package dist

import (
	"math"
	"sync"

	"gonum.org/v1/gonum/integrate/quad"
)

// NoncentralTBounds returns the noncentralities at which a noncentral t variable with df ≥ 1
// degrees of freedom exceeds the finite t with the probabilities tail and 1−tail, for 0 < tail <
// 1. Where neither is extreme it takes 10 to 70 µs.
func NoncentralTBounds(t, df, tail float64) (lo, hi float64) {
	m := mixture{t: math.Abs(t), df: df}
	return m.noncentrality(t, tail), -m.noncentrality(-t, tail) // 1 less so small a tail might round to 1
}

// NoncentralTDelta returns the noncentrality at which a noncentral t variable with df ≥ 1 degrees
// of freedom exceeds the finite t with probability p, for 0 < p < 1: a bound of the confidence
// interval for the noncentrality after t was observed. It takes 5 to 30 µs where p is not extreme,
// else some ten times as long as [NoncentralTSF].
func NoncentralTDelta(t, df, p float64) float64 {
	m := mixture{t: math.Abs(t), df: df}
	return m.noncentrality(t, p)
}

// noncentrality is [NoncentralTDelta] for the t of the mixture, or the negative of it.
func (m *mixture) noncentrality(t, p float64) float64 {
	if !(p > 0 && p < 1) || !(m.df >= 1) || math.IsNaN(t) || math.IsInf(t, 0) {
		return math.NaN()
	}
	if t < 0 {
		if delta, ok := m.quantile(1 - p); ok {
			return -delta
		}
	} else if delta, ok := m.quantile(p); ok {
		return delta
	}
	return noncentralTDelta(t, m.df, p)
}

// A mixture is the distribution of Z + tS, for t ≥ 0, whose quantiles are the noncentralities that
// are looked for: with S = √(χ²/df) and Z standard normal, a noncentral t variable exceeds t with
// the probability E[Φ(δ − tS)] = P(Z + tS < δ). All steps towards a quantile, and all quantiles,
// take the expectation over the same places: by the trapezoidal rule in log S where tS varies less
// than Z or not much more, and by the Gauss-Legendre rule in Z beyond, where Φ(δ − tS) is nearly a
// step.
type mixture struct {
	t, df         float64
	placed        bool // means and shares are set
	n             int
	means, shares [640]float64
}

// mixtureLeast is the least probability, of either tail, that a mixture is asked for: it leaves out
// exp(−36) of the density at its mode.
const mixtureLeast = 1e-3

// quantile returns the p quantile, or false if it takes more than this mixture.
func (m *mixture) quantile(p float64) (x float64, ok bool) {
	t, df := m.t, m.df
	if !(p >= mixtureLeast && p <= 1-mixtureLeast) || math.IsInf(df, 1) {
		return 0, false
	}
	z := -NormalInvSF(p)
	spread := t / math.Sqrt(2*df) // the standard deviation of tS, nearly
	if spread <= 4 && (m.placed || m.place()) {
		middle := float64(t * (1 - 1/(4*df))) // t times the mean of S, nearly
		return halley(m.overS, p, middle+float64(z*math.Hypot(1, spread)))
	}
	// From the quantile of S after Wilson and Hilferty.
	c := 2 / (9 * df)
	cube := max(0.1, 1-c+float64(z*math.Sqrt(c)))
	x, ok = halley(m.overZ, p, float64(t*math.Sqrt(cube*cube*cube))+z/spread)
	// The distribution of S is smooth above 0, and at 0 from above for whole degrees of freedom.
	return x, ok && (x > zEnd || df == math.Trunc(df))
}

// place sets the places in log S, or returns false if there is no room for them.
func (m *mixture) place() bool {
	// The density of u = log S falls as exp(−df/2·(e^2u − 1 − 2u)), to exp(−36) of its height at the
	// ends.
	drop := 72 / m.df
	lo := -0.5 * min(drop+1, math.Sqrt(2*drop)+drop)
	hi := 0.5 * math.Log1p(drop+2*math.Sqrt(drop))
	// In u, the density is about 1/√(2·df) wide and the normal distribution's rise 1/(tS).
	s := 1 + 3/math.Sqrt(2*m.df)
	step := min(0.1, 0.45/math.Sqrt(2*m.df+float64(m.t*m.t*s*s)))
	if !(hi-lo < step*float64(len(m.means)-1)) {
		return false
	}
	m.n = int((hi-lo)/step) + 2
	step = (hi - lo) / float64(m.n-1)
	var sum float64
	for i := range m.n {
		u := lo + float64(step*float64(i))
		square := math.Expm1(2 * u)                          // S² − 1
		m.shares[i] = math.Exp(-0.5 * m.df * (square - 2*u)) // expBeyondLine is a third slower in all
		m.means[i] = m.t * math.Sqrt(1+square)
		sum += m.shares[i]
	}
	for i := range m.n {
		m.shares[i] /= sum
	}
	m.placed = true
	return true
}

// zEnd is where the normal distribution has risen, within 1e-17.
const zEnd = 8.5

// overS returns the distribution function at x, its derivative, and the derivative of that, as
// expectations over S.
func (m *mixture) overS(x float64) (cdf, pdf, slope float64) {
	for i, mean := range m.means[:m.n] {
		z, share := x-mean, m.shares[i]
		switch {
		case z < -zEnd:
			return cdf, pdf, slope // and so have all that follow
		case z > zEnd:
			cdf += share
		default:
			d := float64(share * NormalPDF(z))
			cdf += float64(share * NormalCDF(z))
			pdf += d
			slope -= float64(z * d)
		}
	}
	return cdf, pdf, slope
}

// legendre returns places and weights of the Gauss-Legendre rule from -1 to 1.
var legendre = sync.OnceValue(func() *struct{ x, weight [40]float64 } {
	var rule struct{ x, weight [40]float64 }
	quad.Legendre{}.FixedLocations(rule.x[:], rule.weight[:], -1, 1)
	return &rule
})

// overZ returns the same as overS, as expectations over those Z that leave an S above 0.
func (m *mixture) overZ(x float64) (cdf, pdf, slope float64) {
	rule, a := legendre(), 0.5*m.df
	half := 0.5 * max(0, min(zEnd, x)+zEnd)
	for i, at := range rule.x {
		z := float64(half*(1+at)) - zEnd
		s := (x - z) / m.t
		square := a * s * s
		share := float64(half * rule.weight[i] * NormalPDF(z))
		d := float64(share * math.Exp(LogGammaDensity(square, a)) * 2 / s) // of S
		cdf += float64(share * ChiSquaredCDF(2*square, m.df))
		pdf += d / m.t
		slope += float64(d*((m.df-1)/s-float64(m.df*s))) / (m.t * m.t)
	}
	return cdf, pdf, slope
}

// halley returns the x at which the distribution function is p, by Halley's method from start; false
// if it is not found.
func halley(at func(x float64) (cdf, pdf, slope float64), p, start float64) (x float64, ok bool) {
	x = start
	for range 50 {
		cdf, pdf, slope := at(x)
		e := (cdf - p) / pdf
		e /= max(0.5, 1-0.5*e*slope/pdf)
		x -= e
		if math.Abs(e)*pdf <= 1e-6*min(p, 1-p) { // the convergence is quadratic or cubic
			return x, true
		}
	}
	return 0, false
}
