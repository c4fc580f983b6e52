package hierarchical

import (
	"math"
	"math/rand/v2"
)

// Moments are what the model needs to know of the differences on a data set.
type Moments struct {
	N           int     // differences, at least 3
	Correlation float64 // of two differences, in [0, 1): 1/folds in cross-validation
	Mean        float64 // of the differences
	Squares     float64 // sum of squared deviations from the mean, above 0
}

// A Prior is the prior distribution of the degrees of freedom ν of the data sets' differences:
// ν − 1 ~ Gamma(α, rate β), with α and β uniform on the intervals.
type Prior struct {
	Alpha, Beta [2]float64 // intervals of α and β
}

// Default is the prior of the package baycomp, and Corani2017 the prior of the paper's program.
var (
	Default    = Prior{Alpha: [2]float64{1, 2}, Beta: [2]float64{0.01, 0.1}}
	Corani2017 = Prior{Alpha: [2]float64{0.5, 5}, Beta: [2]float64{0.05, 0.15}}
)

// A Model is differences x_i of several data sets with their prior knowledge:
//
//	x_i ~ N(δ_i, σ_i²·M_i)  with 1 on the diagonal of M_i, and the correlation elsewhere
//	δ_i ~ t_ν(δ₀, σ₀),  σ_i ~ U(0, MaxSD),  σ₀ ~ U(0, MaxSpread),  δ₀ ~ U(−MaxMean, MaxMean)
type Model struct {
	Sets                      []Moments // of at least one data set
	MaxSD, MaxSpread, MaxMean float64
	Nu                        Prior // of ν
}

// Draws are draws of a chain from the posterior distribution.
type Draws struct {
	Mean, Spread, Nu []float64 // δ₀, σ₀ and ν
}

// leastLogSpread is the logarithm of the smallest σ₀: the density of log σ₀ vanishes below.
const leastLogSpread = -40

// A set is a data set with the present values of its parameters.
type set struct {
	x, c, n float64 // mean, variance of the mean in units of σ_i², number of differences
	within  float64 // squares/(1−ρ)

	delta, u, w, v float64 // δ_i, 1/σ_i², the weight of δ_i in a t distribution, c/u
}

// q is Q_i(δ): the squares about δ in the metric of the correlations.
func (s *set) q(delta float64) float64 {
	d := s.x - delta
	return s.within + d*d/s.c
}

// A chain is a Markov chain over the parameters of a model.
type chain struct {
	*rand.Rand
	sets           []set
	center         float64 // of the means, which is subtracted from them
	lo, hi         float64 // of δ₀, less the center
	leastU         float64
	mostLogSpread  float64
	prior          Prior
	delta0, spread float64
	nu1            float64 // ν − 1
	alpha, beta    float64
	squares        []float64 // scratch
}

// newChain returns the chain of a number, which begins at a place of its own.
func (m *Model) newChain(seed, number uint64) *chain {
	c := &chain{
		Rand: rand.New(rand.NewPCG(seed, number)), sets: make([]set, len(m.Sets)),
		leastU:        1 / (m.MaxSD * m.MaxSD),
		mostLogSpread: math.Log(m.MaxSpread), prior: m.Nu,
	}
	for _, s := range m.Sets {
		c.center += s.Mean / float64(len(m.Sets))
	}
	c.lo, c.hi = -m.MaxMean-c.center, m.MaxMean-c.center
	spread := 0.0
	for i, s := range m.Sets {
		n, rho := float64(s.N), s.Correlation
		x := s.Mean - c.center
		c.sets[i] = set{x: x, c: (1 + (n-1)*rho) / n, n: n, within: s.Squares / (1 - rho), delta: x, w: 1}
		c.sets[i].setPrecision(max((n-1)*(1-rho)/s.Squares, c.leastU))
		spread += x * x / float64(len(m.Sets))
	}
	c.spread = math.Exp(min(max(0.5*math.Log(spread)+c.NormFloat64(), leastLogSpread+1),
		c.mostLogSpread-1e-3))
	c.alpha = between(m.Nu.Alpha, c.Float64())
	c.beta = between(m.Nu.Beta, c.Float64())
	c.nu1 = c.alpha / c.beta * math.Exp(c.NormFloat64())
	return c
}

func between(interval [2]float64, share float64) float64 {
	return interval[0] + share*(interval[1]-interval[0])
}

func (s *set) setPrecision(u float64) { s.u, s.v = u, s.c/u }

// sweep draws all parameters once, each from its distribution given the others.
func (c *chain) sweep() {
	c.drawSpread()
	a, b, _, _ := c.sums(c.spread * c.spread)
	c.delta0 = c.truncatedNormal(b/a, 1/math.Sqrt(a), c.lo, c.hi)
	for i := range c.sets {
		s := &c.sets[i]
		between, within := s.w/(c.spread*c.spread), 1/s.v
		p := between + within
		s.delta = (between*c.delta0+within*s.x)/p + c.NormFloat64()/math.Sqrt(p)
	}
	c.drawNu()
	for i := range c.sets {
		s := &c.sets[i]
		z := (s.delta - c.delta0) / c.spread
		s.w = c.gamma(0.5*(c.nu1+2)) / (0.5 * (c.nu1 + 1 + z*z))
		s.setPrecision(c.precision(s))
	}
}

// sums returns A, B and C of the normal distribution that the means have about δ₀ once the δ_i are
// integrated out, and the sum of the logarithms of its variances.
func (c *chain) sums(variance float64) (a, b, cc, logs float64) {
	product := 1.0
	for i := range c.sets {
		s := &c.sets[i]
		t := variance/s.w + s.v
		if product *= t; product < 0x1p-500 || product > 0x1p500 {
			logs += math.Log(product)
			product = 1
		}
		t = 1 / t
		xt := s.x * t
		a, b, cc = a+t, b+xt, cc+float64(s.x*xt)
	}
	return a, b, cc, logs + math.Log(product)
}

// drawSpread draws σ₀ with all δ integrated out.
func (c *chain) drawSpread() {
	c.spread = math.Exp(c.slice(math.Log(c.spread), 1.5, leastLogSpread, c.mostLogSpread,
		func(l float64) float64 {
			a, b, cc, logs := c.sums(math.Exp(2 * l))
			return l - 0.5*(logs+math.Log(a)+cc-b*b/a)
		}))
}

// drawNu draws ν with the weights integrated out, and the parameters of its prior.
func (c *chain) drawNu() {
	c.squares = c.squares[:0]
	for i := range c.sets {
		z := (c.sets[i].delta - c.delta0) / c.spread
		c.squares = append(c.squares, z*z)
	}
	q := float64(len(c.sets))
	l := c.slice(math.Log(c.nu1), 2, -40, 40, func(l float64) float64 {
		nu1 := math.Exp(l)
		nu := nu1 + 1
		logs, product := 0.0, 1.0
		for _, z := range c.squares {
			if product *= 1 + z/nu; product > 0x1p500 {
				logs += math.Log(product)
				product = 1
			}
		}
		logs += math.Log(product)
		upper, _ := math.Lgamma(0.5 * (nu + 1))
		lower, _ := math.Lgamma(0.5 * nu)
		return q*(upper-lower-0.5*math.Log(nu)) - 0.5*(nu+1)*logs + c.alpha*l - c.beta*nu1
	})
	c.nu1 = math.Exp(l)
	c.beta = c.within(c.beta, c.prior.Beta,
		func(b float64) float64 { return c.alpha*math.Log(b) - b*c.nu1 })
	c.alpha = c.within(c.alpha, c.prior.Alpha, func(a float64) float64 {
		g, _ := math.Lgamma(a)
		return a*(math.Log(c.beta)+l) - g
	})
}

// precision draws 1/σ_i², which is at least 1/MaxSD².
func (c *chain) precision(s *set) float64 {
	rate := 0.5 * s.q(s.delta)
	for range 1000 {
		if u := c.gamma(0.5*(s.n-1)) / rate; u > c.leastU {
			return u
		}
	}
	return c.leastU
}

// run makes so many sweeps and calls f, if there is one, after each.
func (c *chain) run(sweeps int, f func()) {
	for range sweeps {
		c.sweep()
		if f != nil {
			f()
		}
	}
}

// Draw returns draws of the chain of a number, after so many that are left out.
func (m *Model) Draw(seed, number uint64, leftOut, draws int) Draws {
	c := m.newChain(seed, number)
	c.run(leftOut, nil)
	var d Draws
	c.run(draws, func() {
		d.Mean, d.Spread, d.Nu = append(d.Mean, c.center+c.delta0), append(d.Spread, c.spread),
			append(d.Nu, c.nu1+1)
	})
	return d
}
