package across

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sort"

	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/internal/rank"
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
	Samples  int // that P was estimated from

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
// from seeded draws of w; the posterior means of the θ_k are exact. A sum is on
// a boundary if it is no more than [stat.TieTolerance] of the largest of its
// four scores away from it (see [stat.Tied]).
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
// It takes O(n log n + k) time for n data sets and k sums on a boundary, and
// O(n) for each draw; more for those sums that only the larger scores of one of
// the two data sets put there.
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
	slack := make([]float64, len(d))
	tied := true
	for i := range d {
		if !opt.NoTolerance {
			slack[i] = rank.Slack(a[i], b[i])
		}
		tied = tied && math.Abs(d[i]) <= slack[i]
	}
	r := BayesSignedRankResult{DataSets: len(d), Samples: samples}
	s := newWalsh(d, slack, opt.Rope)
	r.Mean = s.mean(prior)
	if tied {
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
	// there to onLower[i] are on its boundary. All are judged by the slack of
	// observation i alone.
	above, onUpper, below, onLower []int

	// wider are the pairs for which the slack of the other one decides.
	wider []widerPair

	// withZero counts each observation's pair with the pseudo-observation, in
	// halves; that one has no slack of its own.
	withZero []Regions

	// Running sums of the weights without the pseudo-observation's, beside which they might
	// vanish: before[i] over the weights up to i, from[i] over the weights from i on.
	before, from []float64
	weights      []float64 // scratch
}

// A widerPair corrects by how much a pair counts, in halves.
type widerPair struct {
	i, j          int
	worse, better float64
}

type observation struct {
	z, slack float64
	pseudo   bool
}

func newWalsh(d, slack []float64, rope float64) *walsh {
	obs := make([]observation, 0, len(d)+1)
	obs = append(obs, observation{pseudo: true})
	for i, v := range d {
		obs = append(obs, observation{z: v, slack: slack[i]})
	}
	slices.SortStableFunc(obs, func(a, b observation) int {
		return cmp.Or(cmp.Compare(a.z, b.z), cmp.Compare(a.slack, b.slack))
	})
	n := len(obs)
	w := &walsh{
		noRope: rope == 0, withZero: make([]Regions, n), weights: make([]float64, n),
		before: make([]float64, n+1), from: make([]float64, n+1),
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
		w.above[i], w.onUpper[i] = over(2*rope+o.slack), from(2*rope-o.slack)
		w.onLower[i], w.below[i] = over(-2*rope+o.slack), from(-2*rope-o.slack)
		// Pairs among them with a smaller own slack were counted from their side as if it
		// decided.
		for _, c := range [2]struct {
			from, to int
			bound    float64
		}{{w.onUpper[i], w.above[i], 2 * rope}, {w.below[i], w.onLower[i], -2 * rope}} {
			for k := c.from; k < c.to; k++ {
				sum := o.z + obs[k].z
				if obs[k].pseudo || obs[k].slack >= o.slack || math.Abs(sum-c.bound) <= obs[k].slack {
					continue
				}
				pair := widerPair{i: k, j: i}
				if pair.better = 1; sum > c.bound {
					pair.better = -1
				}
				if c.bound != 2*rope || rope == 0 {
					pair.worse = -pair.better
				}
				if c.bound != 2*rope {
					pair.better = 0
				}
				w.wider = append(w.wider, pair)
			}
			if rope == 0 {
				break // both bounds are one
			}
		}
	}
	for i := range obs {
		if i != w.zero {
			w.withZero[i] = Regions{Worse: w.lower(i, w.zero), Better: w.upper(i, w.zero)}
		}
	}
	return w
}

// upper and lower return by how much, in halves, observation j counts with
// observation i as above and as below the rope, by the slack of i.
func (w *walsh) upper(i, j int) float64 {
	return indicator(j >= w.above[i]) + indicator(j >= w.onUpper[i])
}

func (w *walsh) lower(i, j int) float64 {
	return indicator(j < w.below[i]) + indicator(j < w.onLower[i])
}

// theta returns Σ_i Σ_j v_i·v_j over the pairs in each region, for the
// weights v in w.weights. If the rope is empty, the pair of the pseudo-observation
// with itself, half worse and half better, is left out, since it may be so large
// that nothing else counts beside it.
func (w *walsh) theta() Regions {
	n := len(w.weights)
	heavy := w.weights[w.zero]
	w.weights[w.zero] = 0
	for i, v := range w.weights {
		w.before[i+1] = w.before[i] + v
	}
	for i := n - 1; i >= 0; i-- {
		w.from[i] = w.from[i+1] + w.weights[i]
	}
	var better, worse, zeroBetter, zeroWorse float64
	for i, v := range w.weights {
		better += float64(v * (w.from[w.above[i]] + w.from[w.onUpper[i]]))
		worse += float64(v * (w.before[w.below[i]] + w.before[w.onLower[i]]))
		zeroBetter += float64(v * w.withZero[i].Better)
		zeroWorse += float64(v * w.withZero[i].Worse)
	}
	for _, p := range w.wider {
		v := float64(w.weights[p.i] * w.weights[p.j])
		better += float64(v * p.better)
		worse += float64(v * p.worse)
	}
	w.weights[w.zero] = heavy
	t := Regions{Worse: 0.5*worse + float64(heavy*zeroWorse), Better: 0.5*better +
		float64(heavy*zeroBetter)}
	if total := w.before[n] + heavy; !w.noRope {
		t.Rope = max(0, float64(total*total)-t.Worse-t.Better)
	}
	return t
}

// mean returns the exact posterior means: with α the parameters of the
// weights, A their sum and v = α/A, E[w_i·w_j] = v_i(A·v_j + [i = j])/(A+1).
func (w *walsh) mean(prior float64) Regions {
	sum := float64(len(w.weights)-1) + prior
	for i := range w.weights {
		w.weights[i] = 1 / sum
	}
	w.weights[w.zero] = prior / sum
	pairs := w.theta()
	if w.noRope {
		half := 0.5 * w.weights[w.zero] * w.weights[w.zero]
		pairs.Worse += half
		pairs.Better += half
	}
	var same Regions
	for i, v := range w.weights {
		upper, lower := 0.5*w.upper(i, i), 0.5*w.lower(i, i)
		same.Better += float64(v * upper)
		same.Worse += float64(v * lower)
		if !w.noRope {
			same.Rope += float64(v * (1 - upper - lower))
		}
	}
	share := 1 / (sum + 1)
	mix := func(pairs, same float64) float64 { return float64(pairs*(1-share)) + float64(same*share) }
	return Regions{
		mix(pairs.Worse, same.Worse), mix(pairs.Rope, same.Rope),
		mix(pairs.Better, same.Better),
	}
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
	// A power of two, which is exact, keeps the squares of weights in range.
	unit := 1.0
	if prior > 0x1p400 {
		unit = math.Ldexp(1, -math.Ilogb(prior)/2-4)
	}
	for range samples {
		for i := range w.weights {
			w.weights[i] = unit * rng.ExpFloat64()
		}
		w.weights[w.zero] = unit * gamma.draw(rng)
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
