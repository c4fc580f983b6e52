package across

import (
	"fmt"

	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/internal/rank"
)

// priorFloor is added to the parameters of all regions, so that the posterior
// is proper.
const priorFloor = 1e-4

// BayesSignOptions modify a Bayesian sign test. The zero value has an empty
// rope and one pseudo-observation in it.
type BayesSignOptions struct {
	// Rope is the largest difference, in the unit of the scores, that is of no
	// practical importance. If zero, only ties are in the rope.
	Rope float64

	// Prior is the weight of the prior, in data sets. If zero, 1.
	Prior float64

	// NoPrior leaves the prior out; Prior and Place must be zero.
	NoPrior bool

	// Place is the region in which the prior has its weight.
	Place Region
}

// A BayesSignResult is the outcome of a Bayesian sign test.
type BayesSignResult struct {
	DataSets int
	Counts   Regions // number of data sets in each region
	Alpha    Regions // parameters of the Dirichlet posterior

	// P has the posterior probability of each region to be the most probable one
	// for a further data set. They add up to 1.
	P Regions

	Mean     Regions // posterior mean of the probability of each region
	Warnings []error
}

// BayesSign is the Bayesian sign test of candidate a and baseline b.
//
// The differences a[i] − b[i] on the data sets fall into three regions: worse
// than −rope, within the rope, and better than rope; the boundaries, judged
// with a tolerance of [stat.TieTolerance] of the larger score, belong to the
// rope. A
// Dirichlet prior on the probabilities θ of the regions has 0.0001 for each
// and a pseudo-observation of weight Prior in one of them. The result is
// P(θ_k is the largest) for each region k under the posterior Dirichlet(α).
// It is computed by quadrature, not by simulation:
//
//	P_k = ∫ g(x; α_k)·Π_{l≠k} G(x; α_l) dx
//
// with g and G the density and distribution function of the gamma
// distribution, to a relative accuracy of about 1e-11, or 1e-16·√α where that is
// more. If the rope is empty, the shares of worse and better in their
// sum are what other software reports.
//
// It returns [stat.ErrNotFinite] for a NaN or infinite score or a difference
// that overflows, [stat.ErrSampleSize] if there are no data sets or the
// lengths differ, and [stat.ErrDomain] for options that are out of range or
// contradict each other. It warns with [ErrNoDifference] if all learners tie.
// It takes O(n) time for n data sets, and some hundreds of incomplete gamma
// functions, some thousands at most, whatever the prior: less than 1 ms.
//
// Benavoli, Corani, Demšar and Zaffalon (2017), Time for a change, JMLR 18,
// section 4.2.1.
func BayesSign(a, b []float64, opt BayesSignOptions) (BayesSignResult, error) {
	d, err := differences(a, b)
	if err != nil {
		return BayesSignResult{}, err
	}
	if err := checkRope(opt.Rope); err != nil {
		return BayesSignResult{}, err
	}
	var worse, rope, better, ties int
	for i, v := range d {
		tol := rank.Slack(a[i], b[i])
		switch {
		case v > opt.Rope+tol:
			better++
		case v < -opt.Rope-tol:
			worse++
		default:
			rope++
			if stat.Tied(a[i], b[i]) {
				ties++
			}
		}
	}
	r, err := bayesSignCounts(worse, rope, better, opt)
	if err != nil {
		return BayesSignResult{}, err
	}
	if ties == len(d) {
		r.Warnings = append(r.Warnings, ErrNoDifference)
	}
	return r, nil
}

// bayesSignCounts is [BayesSign] for the numbers of data sets in the regions.
// Options.Rope is not looked at, since it has done its work.
//
// It returns [stat.ErrSampleSize] if a count is negative or all are 0.
func bayesSignCounts(worse, rope, better int, opt BayesSignOptions) (BayesSignResult, error) {
	if worse < 0 || rope < 0 || better < 0 || worse+rope+better == 0 {
		return BayesSignResult{}, fmt.Errorf("%w: %d worse, %d in the rope, %d better",
			stat.ErrSampleSize, worse, rope, better)
	}
	if opt.NoPrior && (opt.Prior != 0 || opt.Place != Rope) {
		return BayesSignResult{}, fmt.Errorf("%w: a prior and none", stat.ErrDomain)
	}
	strength, err := priorStrength(opt.Prior, 1)
	if err != nil {
		return BayesSignResult{}, err
	}
	if opt.NoPrior {
		strength = 0
	}
	r := BayesSignResult{
		DataSets: worse + rope + better,
		Counts:   Regions{float64(worse), float64(rope), float64(better)},
	}
	r.Alpha = Regions{
		r.Counts.Worse + priorFloor, r.Counts.Rope + priorFloor,
		r.Counts.Better + priorFloor,
	}
	switch opt.Place {
	case Rope:
		r.Alpha.Rope += strength
	case Worse:
		r.Alpha.Worse += strength
	case Better:
		r.Alpha.Better += strength
	default:
		return BayesSignResult{}, fmt.Errorf("%w: %v is not a region", stat.ErrDomain, opt.Place)
	}
	p := dirichletArgmax([3]float64{r.Alpha.Worse, r.Alpha.Rope, r.Alpha.Better})
	r.P = Regions{p[0], p[1], p[2]}
	sum := r.Alpha.Worse + r.Alpha.Rope + r.Alpha.Better
	r.Mean = Regions{r.Alpha.Worse / sum, r.Alpha.Rope / sum, r.Alpha.Better / sum}
	return r, nil
}
