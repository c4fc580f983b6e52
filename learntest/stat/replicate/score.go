package replicate

import (
	"math"

	"github.com/learnbench/learnbench/learntest/stat/internal/dist"
)

// A Score says how far a test is from its critical value, and how precisely that is known.
// The test rejects in the direction of the verdict just if some G > 0, where G is a mean
// over its runs to first order. On other partitions G is normal with standard deviation
// τ/√Runs, and the test rejects with probability Φ(θ), θ = G√Runs/τ. Two repeats then agree
// with probability
//
//	R(θ) = Φ(θ)² + Φ(−θ)².
//
// Z is the estimate of θ from N runs with ν = N−1 degrees of freedom, so that T =
// Z√(N/Runs) has the noncentral t distribution with noncentrality θ√(N/Runs), also for N <
// Runs. A [Prediction] holds the conclusions for θ.
//
// An infinite Z means that G does not vary: every partition gives the same conclusion.
//
// Source: own derivation; the documentation of the package has the influence of a run on G,
// from which Z is computed.
type Score struct {
	Z    float64 // estimate of θ: above 0 just if the test, on the means of all N runs, rejects
	Runs int     // runs of one repeat
	N    int     // runs that the estimate comes from
}

// valid reports whether s can be the score of a test. What follows from one that cannot is NaN.
func (s Score) valid() bool { return s.Runs >= 1 && s.N >= 2 && !math.IsNaN(s.Z) }

// statistic returns Z√(N/Runs), the statistic of Student's t test of G = 0. It does not
// depend on Runs unless G does.
func (s Score) statistic() float64 {
	if !s.valid() {
		return math.NaN()
	}
	return s.Z * math.Sqrt(float64(s.N)/float64(s.Runs))
}

// rejects returns the probability that a rerun, the test on other partitions, rejects in the
// direction of the verdict if sign is +1, and that it does not if sign is −1. The former is
//
//	F(Z/√(1 + Runs/N)), F the distribution function of Student's t with ν degrees of freedom.
//
// It is the posterior mean of Φ(θ) under the prior density 1/τ of (G, τ), and
// the probability that goes with the prediction interval for the G of a rerun.
func (s Score) rejects(sign float64) float64 {
	if !s.valid() {
		return math.NaN()
	}
	z := s.Z / math.Sqrt(1+float64(s.Runs)/float64(s.N))
	return dist.StudentSF(-sign*z, float64(s.N-1))
}

// replicability returns the posterior mean of R(θ) under the same prior: with W ~ χ² on ν
// degrees of freedom and Owen's T function,
//
//	1 − 4·E[T(Z√(W/ν)/√(1+Runs/N), 1/√(1+2·Runs/N))].
//
// Of two reruns, each about the G that N runs leave uncertain, it is the
// probability that they agree. The expectation under Owen's integral is in
// closed form, which leaves
//
//	(1/2π) ∫₀ᵃ (1 + h²(1+x²)/ν)^(−ν/2) / (1+x²) dx,  h = Z/√(1+Runs/N), a = 1/√(1+2·Runs/N).
//
// It estimates R(θ) with less error than R(Z), above which it lies near one half, the least that
// R(θ) can be, and below which it lies near 1: there it can be below the whole of the interval,
// since a mean counts the little that is left of low values and an interval cuts it off. Do not
// require it to exceed a bound: that is what [Retest.Adaptive] is for.
func (s Score) replicability() float64 {
	if !s.valid() {
		return math.NaN()
	}
	v, share := float64(s.N-1), float64(s.Runs)/float64(s.N)
	h := math.Abs(s.Z) / math.Sqrt(1+share)
	h2 := h * h
	top := 1 / math.Sqrt(1+float64(2*share))
	// The power falls to exp(−40) of its value at 0 before end.
	end := min(top, math.Sqrt(math.Expm1(80/v)*(1+v/h2)))
	integral := gauss(func(x float64) float64 {
		x2 := float64(x * x)
		return math.Exp(-0.5*v*math.Log1p(h2*(1+x2)/v)) / (1 + x2)
	}, 0, end)
	return 1 - float64(integral*(2/math.Pi))
}

// gauss integrates a smooth function by the Gauss-Legendre rule with 16 nodes
// on either half of the interval.
func gauss(f func(float64) float64, lo, hi float64) float64 {
	// Zeros of the Legendre polynomial of degree 16 and their weights
	// (Abramowitz and Stegun, table 25.4).
	rule := [...][2]float64{
		{0.09501250983763744, 0.1894506104550685},
		{0.2816035507792589, 0.18260341504492358},
		{0.45801677765722737, 0.16915651939500254},
		{0.6178762444026438, 0.14959598881657674},
		{0.755404408355003, 0.12462897125553388},
		{0.8656312023878318, 0.09515851168249279},
		{0.9445750230732326, 0.062253523938647894},
		{0.9894009349916499, 0.027152459411754096},
	}
	var sum float64
	half := (hi - lo) / 4
	for _, mid := range [...]float64{lo + half, hi - half} {
		for _, n := range rule {
			e := float64(half * n[0])
			sum += float64(n[1] * (f(mid-e) + f(mid+e)))
		}
	}
	return sum * half
}

// bounds returns the exact confidence interval of the given level, such as 0.9,
// for θ: the noncentralities at which T would be exceeded, and fallen short of,
// with probability (1−level)/2, divided by √(N/Runs). It is NaN, NaN unless
// level is between 0 and 1.
func (s Score) bounds(level float64) (lo, hi float64) {
	if !s.valid() || !(level > 0 && level < 1) {
		return math.NaN(), math.NaN()
	}
	if math.IsInf(s.Z, 0) {
		return s.Z, s.Z
	}
	tail, root := (1-level)/2, math.Sqrt(float64(s.N)/float64(s.Runs))
	lo, hi = dist.NoncentralTBounds(s.statistic(), float64(s.N-1), tail)
	return lo / root, hi / root
}

// interval returns the confidence interval of the given level for R(θ). Its ends correspond to
// bounds, except that it begins at 0.5 if the bounds have different signs. It is NaN, NaN
// unless level is between 0 and 1.
func (s Score) interval(level float64) (lo, hi float64) {
	a, b := s.bounds(level)
	lo, hi = agreement(a), agreement(b)
	if lo > hi {
		lo, hi = hi, lo
	}
	if a < 0 && b > 0 {
		lo = 0.5
	}
	return lo, hi
}

// agreement returns p² + (1−p)² for p = Φ(z): the probability that two
// independent tests agree that each reject with probability p.
func agreement(z float64) float64 {
	q := dist.NormalSF(math.Abs(z))
	return 1 - float64(2*q*(1-q))
}
