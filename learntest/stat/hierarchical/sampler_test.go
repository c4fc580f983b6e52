package hierarchical

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/learnbench/learnbench/internal/citest"
	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/learntest/stat/internal/dist"
)

func newRandom(seed uint64) *chain { return &chain{Rand: rand.New(rand.NewPCG(seed, 7))} }

// mean returns the mean of independent draws and its standard error.
func mean(n int, draw func() float64) (m, se float64) {
	x := make([]float64, n)
	for i := range x {
		x[i] = draw()
	}
	m, v := meanVariance(x)
	return m, math.Sqrt(v / float64(n))
}

func TestGamma(t *testing.T) {
	t.Parallel()
	for _, shape := range []float64{1, 1.5, 7, 49.5} {
		c := newRandom(1)
		m, se := mean(sized(60000, 200000), func() float64 { return c.gamma(shape) })
		require.InDelta(t, shape, m, 4*se)
		m, se = mean(sized(60000, 200000), func() float64 { x := c.gamma(shape) - shape; return x * x })
		require.InDelta(t, shape, m, 4*se)
		m, se = mean(sized(60000, 200000), func() float64 { return math.Exp(-c.gamma(shape) / shape) })
		require.InDelta(t, math.Pow(1+1/shape, -shape), m, 4*se)
	}
}

// The share of draws below a point is the distribution function's, whether the bounds are near or
// far.
func TestTruncatedNormal(t *testing.T) {
	t.Parallel()
	for _, x := range []struct{ mean, sd, lo, hi float64 }{
		{0, 1, -1, 3},
		{0.5, 1, -0.2, 0.6},
		{0, 5, -1, 0.5},
		{0, 1, 0, 9},
		{0, 1, 1.5, 9},
		{0, 1, -3, -1.5},
		{0, 1, 2, 2.3},
		{1, 3, -1, 0.5},
	} {
		c := newRandom(2)
		cdf := func(y float64) float64 {
			return dist.NormalCDF((y-x.mean)/x.sd) - dist.NormalCDF((x.lo-x.mean)/x.sd)
		}
		for _, at := range []float64{0.1, 0.3, 0.8} {
			y := x.lo + at*min(x.hi-x.lo, 3*x.sd)
			m, se := mean(sized(30000, 100000), func() float64 {
				d := c.truncatedNormal(x.mean, x.sd, x.lo, x.hi)
				if d < x.lo || d > x.hi {
					t.Errorf("%v is not between %v and %v", d, x.lo, x.hi)
				}
				if d <= y {
					return 1
				}
				return 0
			})
			require.InDelta(t, cdf(y)/cdf(x.hi), m, 4.5*se, "%+v", x)
		}
	}
}

// Far from the bounds the mean does not matter, and the draws come in time.
func TestTruncatedNormalOfAFarMean(t *testing.T) {
	t.Parallel()
	c := newRandom(4)
	for _, mean := range []float64{1e3, -1e3, 40} {
		x := c.truncatedNormal(mean, 0.01, -5, 5)
		require.InDelta(t, math.Copysign(5, mean), x, 0.01)
	}
}

// Without data, ν has its prior distribution.
func TestNuWithoutDataHasItsPriorDistribution(t *testing.T) {
	t.Parallel()
	citest.Need(t, citest.Slow)
	for _, p := range []Prior{Default, Corani2017} {
		c := (&Model{Nu: p, MaxSD: 1, MaxSpread: 1, MaxMean: 1}).newChain(1, 1)
		r := newRandom(3)
		var alphas, betas []float64
		want, se := mean(100000, func() float64 {
			a, b := between(p.Alpha, r.Float64()), between(p.Beta, r.Float64())
			return math.Log1p(r.gamma(a+1) * math.Pow(r.Float64(), 1/a) / b)
		})
		got, _ := mean(200000, func() float64 {
			c.drawNu()
			alphas, betas = append(alphas, c.alpha), append(betas, c.beta)
			return math.Log1p(c.nu1)
		})
		require.InDelta(t, want, got, 4*se+0.009)
		for _, x := range []struct {
			draws    []float64
			interval [2]float64
		}{{alphas, p.Alpha}, {betas, p.Beta}} {
			m, _ := meanVariance(x.draws)
			require.InDelta(t, between(x.interval, 0.5), m, 0.01*(x.interval[1]-x.interval[0]))
			require.InDelta(t, x.interval[0], slices.Min(x.draws), 0.01*x.interval[1])
			require.InDelta(t, x.interval[1], slices.Max(x.draws), 0.01*x.interval[1])
		}
	}
}

// With so many folds that σ_i is known, and so many degrees of freedom that t is normal, the
// posterior of δ₀ and δ_i follows from one integral over σ₀.
func TestNormalLimit(t *testing.T) {
	t.Parallel()
	const n, rho = 200000, 0.25
	m := &Model{MaxSD: 100, MaxSpread: 3, MaxMean: 1000, Nu: Prior{
		[2]float64{1, 1.01},
		[2]float64{1e-8, 1.1e-8},
	}}
	var variances []float64
	for i, mean := range []float64{-0.4, 0.1, 0.5, 1.3, 0.7} {
		sd := 0.3 + 0.3*float64(i)
		m.Sets = append(m.Sets, Moments{
			N: n, Correlation: rho, Mean: mean,
			Squares: (n - 1) * (1 - rho) * sd * sd,
		})
		variances = append(variances, (1+(n-1)*rho)/n*sd*sd)
	}
	var total, mean0, square0 float64
	means := make([]float64, len(m.Sets))
	const steps = 4000
	for i := range steps {
		spread := m.MaxSpread * (float64(i) + 0.5) / steps
		var a, b, cc, logs float64
		for j, s := range m.Sets {
			v := spread*spread + variances[j]
			a, b, cc, logs = a+1/v, b+s.Mean/v, cc+s.Mean*s.Mean/v, logs+math.Log(v)
		}
		density := math.Exp(-0.5 * (logs + math.Log(a) + cc - b*b/a))
		total += density
		mean0 += density * b / a
		square0 += density * (b*b/(a*a) + 1/a)
		for j, s := range m.Sets {
			share := spread * spread / (spread*spread + variances[j])
			means[j] += density * (share*s.Mean + (1-share)*b/a)
		}
	}
	s := newSampler(m, 0.1, 1)
	s.run(10000)
	r := Result{DataSets: len(m.Sets)}
	s.summarise(&r, 1)
	draws := m.Draw(1, 0, leftOut, 10000)
	require.Equal(t, s.chains[0].mean, draws.Mean)
	require.InDelta(t, mean0/total, r.Mean, 0.01)
	var all []float64
	for _, f := range s.chains {
		all = append(all, f.mean...)
	}
	_, v := meanVariance(all)
	require.InEpsilon(t, square0/total-mean0*mean0/(total*total), v, 0.05)
	require.InEpsilon(t, 2*1.96*math.Sqrt(v), r.Hi-r.Lo, 0.2)
	for j := range means {
		require.InDelta(t, means[j]/total, r.Sets[j].Mean, 0.01)
	}
}

// Simulation-based calibration in small: parameters that are drawn from the prior distribution, and
// data from them, have uniform ranks among the draws from the posterior. The study hierarchical
// does it at length.
func TestCalibration(t *testing.T) {
	t.Parallel()
	citest.Need(t, citest.Slow)
	const sets, models = 6, 150
	r := newRandom(11)
	var ranks [3][]float64
	for k := range uint64(models) {
		m := &Model{MaxSD: 2, MaxSpread: 2, MaxMean: 60, Nu: Default}
		if k%2 == 0 { // tails so long that the weights matter
			m.Nu = Prior{[2]float64{1, 2}, [2]float64{0.5, 5}}
		}
		a, b := between(m.Nu.Alpha, r.Float64()), between(m.Nu.Beta, r.Float64())
		nu := 1 + r.gamma(a)/b
		center, spread := m.MaxMean*(2*r.Float64()-1), m.MaxSpread*r.Float64()
		const n, rho = 10, 0.1
		for range sets {
			delta := center + spread*r.NormFloat64()/math.Sqrt(r.gamma(0.5*(nu+2))*math.Pow(r.Float64(),
				2/nu)/(0.5*nu))
			sd := m.MaxSD * r.Float64()
			m.Sets = append(m.Sets, Moments{
				N: n, Correlation: rho, Mean: delta + sd*math.Sqrt((1+(n-1)*rho)/n)*r.NormFloat64(),
				Squares: (1 - rho) * sd * sd * 2 * r.gamma((n-1)/2.),
			})
		}
		d := m.Draw(k+1, 0, 300, 1500)
		for p, x := range []struct {
			draws []float64
			truth float64
		}{{d.Mean, center}, {d.Spread, spread}, {d.Nu, nu}} {
			below := 0.
			for _, y := range x.draws {
				if y < x.truth {
					below++
				}
			}
			ranks[p] = append(ranks[p], below/float64(len(x.draws)))
		}
	}
	for p, of := range ranks {
		slices.Sort(of)
		gap := 0.0
		for i, x := range of {
			gap = max(gap, math.Abs(x-(float64(i)+0.5)/models))
		}
		require.Less(t, gap, 1.63/math.Sqrt(models), "parameter %d", p) // Kolmogorov's test at level 0.01
	}
}

// However long a chain becomes, they are one run's draws; and no parameter leaves its range.
func TestChainsGoOn(t *testing.T) {
	t.Parallel()
	m := &Model{MaxSD: 0.5, MaxSpread: 0.2, MaxMean: 0.3, Nu: Default}
	for i := range 4 {
		m.Sets = append(m.Sets, Moments{N: 5, Correlation: 0.2, Mean: 0.2 * float64(i), Squares: 2})
	}
	once, twice := newSampler(m, 0.1, 1), newSampler(m, 0.1, 1)
	once.run(200)
	twice.run(100)
	twice.run(100)
	require.Equal(t, once.chains[3].logSpread, twice.chains[3].logSpread)
	require.NotEqual(t, once.chains[0].mean, once.chains[1].mean)
	for _, f := range once.chains {
		f.run(300, func() {
			within := math.Abs(f.center+f.delta0) <= 0.3+1e-12 && f.spread <= 0.2+1e-12
			for i := range f.sets {
				within = within && f.sets[i].u >= 4
			}
			if !within {
				t.Errorf("out of range: δ₀ %v, σ₀ %v, %+v", f.center+f.delta0, f.spread, f.sets)
			}
		})
	}
}

// Where the data are far beyond the largest σ_i, σ_i is that bound.
func TestPrecisionAtItsBound(t *testing.T) {
	t.Parallel()
	m := &Model{
		Sets: []Moments{{N: 5, Correlation: 0.2, Squares: 400}}, MaxSD: 0.5, MaxSpread: 1, MaxMean: 1,
		Nu: Default,
	}
	c := m.newChain(1, 1)
	require.Equal(t, 4., c.precision(&c.sets[0]))
}

// Chains of one parameter that have not mixed are enough.
func TestEveryParameterIsDiagnosed(t *testing.T) {
	t.Parallel()
	const n = 1000
	for parameter := range 4 {
		s := &sampler{}
		for c := range uint64(chains) {
			x := [3][]float64{}
			for p := range x {
				x[p] = autoregressive(10*c+uint64(p), n, 0, 0, 1)
			}
			if parameter < 3 {
				x[parameter] = autoregressive(c, n, 0.9, 2*float64(c%2), 1)
			}
			s.chains = append(s.chains, &follower{mean: x[0], logSpread: x[1], logN: x[2]})
		}
		rhat, ess := s.diagnose()
		require.Equal(t, parameter == 3, rhat < mostRHat, "%d", parameter)
		require.Equal(t, parameter == 3, ess > leastESS, "%d", parameter)
	}
}
