package stat

import (
	"fmt"
	"math"

	"github.com/learnbench/learnbench/learntest/stat/internal/dist"
)

// A Posterior is the result of the Bayesian correlated t test: the expected difference δ of
// two learners has Student's t distribution with DF degrees of freedom about Mean, with the
// given Scale.
type Posterior struct {
	N     int     // number of differences
	Mean  float64 // in the unit of the scores
	Scale float64 // in the unit of the scores; 0 if all differences are equal
	DF    float64
	Rope  float64 // half the width of the region of practical equivalence

	Worse      float64 // probability that δ < −Rope
	Equivalent float64 // probability that −Rope ≤ δ ≤ Rope
	Better     float64 // probability that δ > Rope

	Warnings []error
}

// BayesianCorrelatedT is the Bayesian correlated t test. It returns the posterior
// distribution of the expected difference δ of two learners under a flat prior, for
// differences that are correlated as in cross-validation,
//
//	δ ~ t_{n−1}(m, (1/n + n2/n1)·s²),
//
// and the probabilities that δ is in, below and above the region of practical equivalence
// [−rope, rope], in the unit of the scores. With rope 0 Better is one minus the P of the
// one-sided [CorrectedCVTTest].
//
// d must be as for [CorrectedCVTTest] or, with one fold per run, as for
// [CorrectedResampledTTest], and the errors are as there; an error that wraps [ErrDomain] is
// also returned unless rope is finite and not negative. Special cases: if all differences are
// equal up to round-off, the whole posterior is at Mean, with the warning [ErrZeroVariance],
// and a Mean of ±rope counts as inside; with rope 0 and Mean 0 Better and Worse are one half
// each.
//
// It costs as much as [CorrectedCVTTest] and allocates nothing.
//
// Source: G. Corani and A. Benavoli (2015), "A Bayesian approach for comparing
// cross-validated algorithms on multiple data sets", section 3, with ρ = n2/(n1+n2).
func BayesianCorrelatedT(d Differences, rope float64) (Posterior, error) {
	test := CorrectedCVTTest
	if d.Folds == 1 {
		test = CorrectedResampledTTest
	}
	r, err := test(d, TwoSided)
	if err != nil {
		return Posterior{}, err
	}
	return r.Posterior(rope)
}

// Posterior returns the posterior distribution that corresponds to a test with Student's t
// distribution, under a flat prior, with the region of practical equivalence [−rope, rope].
// For the corrected test it is the posterior of [BayesianCorrelatedT]; for [HalvesTest] it
// is the posterior of the mean difference in random halves of the examples.
//
// It returns an error that wraps [ErrDomain] unless rope is finite and not negative and the
// test has Student's t distribution. Special cases are as for [BayesianCorrelatedT].
func (r Result) Posterior(rope float64) (Posterior, error) {
	if !(rope >= 0) || math.IsInf(rope, 1) {
		return Posterior{}, fmt.Errorf("%w: rope %v", ErrDomain, rope)
	}
	if !(r.SE >= 0) || !(r.DF > 0) || r.Law != LawT || !math.IsNaN(r.DF2) {
		return Posterior{}, fmt.Errorf("%w: no posterior distribution goes with %s", ErrDomain, r.Test)
	}
	p := Posterior{N: r.N, Mean: r.Estimate, Scale: r.SE, DF: r.DF, Rope: rope, Warnings: r.Warnings}
	if p.Scale == 0 {
		p.point(r.tol)
		return p, nil
	}
	p.divide()
	return p, nil
}

// divide sets the probabilities of the regions that Rope makes.
func (p *Posterior) divide() {
	p.Worse = dist.StudentSF((p.Mean+p.Rope)/p.Scale, p.DF)
	p.Better = dist.StudentSF((p.Rope-p.Mean)/p.Scale, p.DF)
	if p.Rope == 0 {
		return
	}
	p.Equivalent = 1 - p.Worse - p.Better
	// Outside of the middle, the difference of two tails is more accurate.
	if a := math.Abs(p.Mean); a > p.Rope {
		p.Equivalent = dist.StudentSF((a-p.Rope)/p.Scale, p.DF) - dist.StudentSF((a+p.Rope)/p.Scale, p.DF)
	}
	p.Equivalent = max(0, p.Equivalent) // where Rope is next to nothing, the rest may be rounding error
}

// point sets the probabilities of a posterior that is all at the mean, where
// values within tol of each other count as equal.
func (p *Posterior) point(tol float64) {
	switch a := math.Abs(p.Mean); {
	case p.Rope == 0 && a <= tol:
		p.Better, p.Worse = 0.5, 0.5
	case a <= p.Rope+tol:
		p.Equivalent = 1
	case p.Mean > 0:
		p.Better = 1
	default:
		p.Worse = 1
	}
}

// HDI returns the highest density interval of the given level, such as 0.95, in the unit of
// the scores: the shortest interval that contains δ with that probability. If Scale is 0,
// both ends are the mean. If the level is not between 0 and 1, HDI returns NaN, NaN.
//
// Source: the posterior is symmetric about its mean and has one mode, and so the interval
// is symmetric, too.
func (p Posterior) HDI(level float64) (lo, hi float64) {
	if !(level > 0 && level < 1) {
		return math.NaN(), math.NaN()
	}
	if p.Scale == 0 {
		return p.Mean, p.Mean
	}
	margin := float64(dist.StudentInvSF((1-level)/2, p.DF) * p.Scale)
	return p.Mean - margin, p.Mean + margin
}

// LeastRope returns half the width of the smallest region [−rope, rope] that contains δ
// with the given probability. It is the absolute value of the mean if Scale is 0, and NaN
// if the probability is not between 0 and 1.
func (p Posterior) LeastRope(probability float64) float64 {
	if !(probability > 0 && probability < 1) {
		return math.NaN()
	}
	if p.Scale == 0 {
		return math.Abs(p.Mean)
	}
	// The interval about the mean with that probability lies inside of the larger one.
	most := math.Abs(p.Mean) + float64(dist.StudentInvSF((1-probability)/2, p.DF)*p.Scale)
	return dist.Root(func(rope float64) float64 {
		q := p
		q.Rope = rope
		q.divide()
		return (1 - probability) - (q.Worse + q.Better)
	}, 0, most)
}
