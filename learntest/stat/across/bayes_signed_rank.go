package across

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sort"

	"github.com/learnbench/learnbench/learntest/stat"
)

// BayesSignedRankOptions modify a Bayesian signed-rank test. The zero value
// has an empty rope.
type BayesSignedRankOptions struct {
	// Rope is the largest difference, in the unit of the scores, that is of no
	// practical importance. If zero, there is no rope.
	Rope float64

	// Prior is the weight of the pseudo-observation 0, in data sets. If zero,
	// 0.5.
	Prior float64

	// NoTolerance takes the sums of differences at face value, as other software
	// does, so that for decimal scores rounding decides which sums are on a
	// boundary. It is there to reproduce published numbers.
	NoTolerance bool

	// Samples is the number of draws from the posterior. If zero, 50000.
	Samples int

	// Seed selects the draws. Every value is a seed, zero included.
	Seed uint64
}

// A BayesSignedRankResult is the outcome of a Bayesian signed-rank test.
type BayesSignedRankResult struct {
	DataSets int
	Samples  int

	// P estimates the posterior probability of each region to be the most
	// probable one. They add up to 1.
	P Regions

	// SE holds the Monte Carlo standard errors of P, √(q(1−q)/N) for N samples,
	// k of them in the region, and q = (k+1)/(N+2), so that an estimate of 0 or
	// 1 is not taken for certain.
	SE Regions

	Mean     Regions // exact posterior mean of the probability of each region
	Warnings []error
}

// BayesSignedRank is the Bayesian signed-rank test of candidate a and
// baseline b.
//
// The differences z_i = a[i] − b[i] on the data sets and a pseudo-observation
// z_0 = 0 of weight Prior have posterior weights w that are Dirichlet(Prior,
// 1, ..., 1). With them, the probability that the mean of two differences
// drawn at random is above the rope is
//
//	θ_better = Σ_i Σ_j w_i·w_j·[z_i + z_j > 2·rope]
//
// likewise for below; the rest is the rope. Sums on a boundary count half for
// either side. The result estimates P(θ_k is the largest) for each region k
// from seeded draws of w; the posterior means of the θ_k are exact. Sums are
// judged with a tolerance of 1e-9 of the largest absolute score.
//
// If the rope is empty, sums on the boundary count half as worse and half as
// better, and the rope has probability 0.
//
// The same seed gives the same result. It returns [stat.ErrNotFinite] for a
// NaN or infinite score or a difference that overflows, [stat.ErrSampleSize]
// if there are no data sets or the lengths differ, and [stat.ErrDomain] for
// options out of range.
//
// Special cases are: if all learners tie and the rope is empty, worse and
// better have probability 1/2 without a Monte Carlo error, and the warning is
// [ErrNoDifference].
//
// It takes O(n log n) time for n data sets, and O(n) for each draw.
//
// Benavoli, Mangili, Corani, Zaffalon and Ruggeri (2014), A Bayesian Wilcoxon
// signed-rank test based on the Dirichlet process, ICML; Benavoli, Corani,
// Demšar and Zaffalon (2017), JMLR 18, section 4.2.2.
func BayesSignedRank(a, b []float64, opt BayesSignedRankOptions) (BayesSignedRankResult, error) {
	d, err := differences(a, b)
	if err != nil {
		return BayesSignedRankResult{}, err
	}
	if err := checkRope(opt.Rope); err != nil {
		return BayesSignedRankResult{}, err
	}
	prior, err := priorStrength(opt.Prior, 0.5)
	if err != nil {
		return BayesSignedRankResult{}, err
	}
	samples := opt.Samples
	switch {
	case samples == 0:
		samples = 50_000
	case samples < 0:
		return BayesSignedRankResult{}, fmt.Errorf("%w: %d samples", stat.ErrDomain, samples)
	}
	tol := tieTolerance * largest(a, b)
	if opt.NoTolerance {
		tol = 0
	}
	r := BayesSignedRankResult{DataSets: len(d), Samples: samples}
	s := newWalsh(d, opt.Rope, tol)
	r.Mean = s.mean(prior)
	if tied := largest(d) <= tol; tied {
		r.Warnings = append(r.Warnings, ErrNoDifference)
		if opt.Rope == 0 {
			r.P = Regions{Worse: 0.5, Better: 0.5}
			return r, nil
		}
	}
	r.P, r.SE = s.sample(prior, samples, rand.New(rand.NewPCG(opt.Seed, 0x77616c7368)))
	return r, nil
}

// walsh classifies the sums of pairs of observations.
type walsh struct {
	noRope bool
	zero   int // place of the pseudo-observation

	// Of the sorted observations, those from above[i] on exceed the rope
	// together with observation i; those from onUpper[i] to above[i] are on its
	// boundary. Likewise those before below[i] fall short of it, and those from
	// there to onLower[i] are on its boundary.
	above, onUpper, below, onLower []int

	cumulative []float64 // scratch
	weights    []float64 // scratch
}

func newWalsh(d []float64, rope, tol float64) *walsh {
	type observation struct {
		z      float64
		pseudo bool
	}
	obs := make([]observation, 0, len(d)+1)
	obs = append(obs, observation{0, true})
	for _, v := range d {
		obs = append(obs, observation{v, false})
	}
	slices.SortStableFunc(obs, func(a, b observation) int { return cmp.Compare(a.z, b.z) })
	n := len(obs)
	w := &walsh{
		noRope: rope == 0, weights: make([]float64, n), cumulative: make([]float64, n+1),
		above: make([]int, n), onUpper: make([]int, n), below: make([]int, n), onLower: make([]int, n),
	}
	for i, o := range obs {
		if o.pseudo {
			w.zero = i
		}
		// The first places whose sums with observation i are over a bound, or on
		// it.
		over := func(bound float64) int {
			return sort.Search(n, func(k int) bool { return o.z+obs[k].z > bound })
		}
		from := func(bound float64) int {
			return sort.Search(n, func(k int) bool { return o.z+obs[k].z >= bound })
		}
		w.above[i], w.onUpper[i] = over(2*rope+tol), from(2*rope-tol)
		w.onLower[i], w.below[i] = over(-2*rope+tol), from(-2*rope-tol)
	}
	return w
}

// theta returns Σ_i Σ_j v_i·v_j over the pairs in each region, for the
// weights v in w.weights, whose running sums it leaves in w.cumulative.
func (w *walsh) theta() Regions {
	c := w.cumulative
	for i, v := range w.weights {
		c[i+1] = c[i] + v
	}
	n := len(w.weights)
	total := c[n]
	var better, worse float64
	for i, v := range w.weights {
		better += float64(v * (2*total - c[w.above[i]] - c[w.onUpper[i]]))
		worse += float64(v * (c[w.below[i]] + c[w.onLower[i]]))
	}
	t := Regions{Worse: 0.5 * worse, Better: 0.5 * better}
	if !w.noRope {
		t.Rope = max(0, float64(total*total)-t.Worse-t.Better)
	}
	return t
}

// mean returns the exact posterior means: with α the parameters of the
// weights and A their sum, E[w_i·w_j] = α_i(α_j + [i = j])/(A(A+1)).
func (w *walsh) mean(prior float64) Regions {
	for i := range w.weights {
		w.weights[i] = 1
	}
	w.weights[w.zero] = prior
	t := w.theta()
	for i, v := range w.weights {
		upper := 0.5 * (indicator(i >= w.above[i]) + indicator(i >= w.onUpper[i]))
		lower := 0.5 * (indicator(i < w.below[i]) + indicator(i < w.onLower[i]))
		t.Better += v * upper
		t.Worse += v * lower
		if !w.noRope {
			t.Rope += v * (1 - upper - lower)
		}
	}
	sum := float64(len(w.weights)-1) + prior
	scale := 1 / (sum * (sum + 1))
	return Regions{t.Worse * scale, t.Rope * scale, t.Better * scale}
}

func indicator(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// sample estimates the probability of each region to be the largest. The
// weights need not add up to 1 for that.
func (w *walsh) sample(prior float64, samples int, rng *rand.Rand) (p, se Regions) {
	gamma := newGamma(prior)
	for range samples {
		for i := range w.weights {
			w.weights[i] = rng.ExpFloat64()
		}
		w.weights[w.zero] = gamma.draw(rng)
		t := w.theta()
		switch {
		case t.Rope > t.Worse && t.Rope > t.Better:
			p.Rope++
		case t.Better > t.Worse:
			p.Better++
		case t.Better < t.Worse:
			p.Worse++
		default:
			p.Better += 0.5
			p.Worse += 0.5
		}
	}
	n := float64(samples)
	standardError := func(k float64) float64 {
		q := (k + 1) / (n + 2)
		return math.Sqrt(q * (1 - q) / n)
	}
	se = Regions{standardError(p.Worse), standardError(p.Rope), standardError(p.Better)}
	return Regions{p.Worse / n, p.Rope / n, p.Better / n}, se
}
