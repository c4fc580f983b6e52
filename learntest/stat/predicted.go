package stat

import (
	"fmt"
	"math"

	"github.com/learnbench/learnbench/learntest/stat/internal/dist"
)

// A Prediction is what the runs at hand say about the conclusions that a test
// would reach on other random partitions of the same data set.
type Prediction struct {
	Rejects float64 // probability that the test rejects on a random partition
	R       float64 // replicability: Rejects² + (1−Rejects)²
	Lo, Hi  float64 // 90% interval of R
	Runs    int     // runs of the test that is predicted
	N       int     // runs from which it is predicted
}

// PredictedReplicability predicts, from the N = d.Runs runs at hand, the
// replicability of the two-sided [CorrectedCVTTest] at level alpha on the given
// number of runs, N ≥ runs. N = runs is enough: no run beyond those of the test
// itself is needed.
//
// With a and b the mean and the mean square of the differences and c the
// critical value, the test rejects just if
//
//	G = |a| − √(K(b−a²)) > 0,   K = c²(1/n + n2/n1)·n/(n−1),   n = runs·folds,
//
// and a and b are means over exchangeable runs. To first order G is normal
// about its value on all N runs with variance τ²/runs, where τ² is the variance
// over the runs of G's influence function; hence Rejects = Φ(G√runs/τ). The
// argument of Φ has a standard error of about √(runs/N)·√((N−1)/(N−3)), from
// which the interval of R follows. It is an approximation: measured coverage of
// the 90% interval is 88% to 97% where R is below 0.97, and may fall to 84%
// where it is nearer to 1.
//
// d needs at least 2 runs and 2 folds; d.Ratio is as for [CorrectedCVTTest].
// The errors are those of that test, and also [ErrSampleSize] if N < 2 or N <
// runs, and [ErrDomain] if runs < 1 or alpha is not between 0 and 1.
//
// Special cases: R is 1 if all differences are equal, or if every run has the
// same mean and variance, since then the test has only one conclusion to come
// to; the interval is [1, 1]. With N ≤ 3 the standard error is not defined and
// the interval is [0.5, 1], everything that R can be.
//
// Source: own derivation, by the delta method.
func PredictedReplicability(d Differences, runs int, alpha float64) (Prediction, error) {
	const z90 = 1.6448536269514727 // upper 5% point of the standard normal distribution
	r, err := CorrectedCVTTest(d, TwoSided)
	if err != nil {
		return Prediction{}, err
	}
	switch {
	case runs < 1:
		return Prediction{}, fmt.Errorf("%w: a test on %d runs", ErrDomain, runs)
	case !(alpha > 0 && alpha < 1):
		return Prediction{}, fmt.Errorf("%w: level %v is not between 0 and 1", ErrDomain, alpha)
	case d.Runs < 2 || d.Runs < runs:
		return Prediction{}, fmt.Errorf("%w: %d runs, need at least %d", ErrSampleSize, d.Runs, max(2, runs))
	}
	p := Prediction{Runs: runs, N: d.Runs}
	z := d.rejectionScore(r, runs, alpha)
	p.Rejects = dist.NormalCDF(z)
	p.R = agreement(z)
	switch N := float64(d.Runs); {
	case d.Runs <= 3:
		p.Lo, p.Hi = 0.5, 1
	case math.IsInf(z, 0):
		p.Lo, p.Hi = p.R, p.R
	default:
		se := math.Sqrt(float64(runs) / N * (N - 1) / (N - 3))
		lo, hi := z-z90*se, z+z90*se
		p.Lo, p.Hi = min(agreement(lo), agreement(hi)), max(agreement(lo), agreement(hi))
		if lo < 0 && hi > 0 {
			p.Lo = 0.5
		}
	}
	return p, nil
}

// agreement returns p² + (1−p)² for p = Φ(z): the probability that two
// independent tests agree that each reject with probability p.
func agreement(z float64) float64 {
	q := dist.NormalSF(math.Abs(z))
	return 1 - float64(2*q*(1-q))
}

// rejectionScore returns the z at which Φ(z) is the probability that the
// corrected test on the given number of runs rejects; r is its result on d. It
// is infinite where the conclusion does not depend on the runs.
func (d *Differences) rejectionScore(r Result, runs int, alpha float64) float64 {
	if r.SE == 0 {
		return math.Copysign(math.Inf(1), math.Abs(r.Statistic)-1)
	}
	// The scale of the differences cancels; taking it out avoids overflow.
	var unit float64
	for _, x := range d.X {
		unit = max(unit, math.Abs(x-r.Mean))
	}
	n := float64(runs) * float64(d.Folds)
	ratio, _ := d.ratio(1 / float64(d.Folds-1))
	c := dist.StudentInvSF(alpha/2, n-1)
	k := c * c * (1/n + ratio) * n / (n - 1)

	// Run means and mean squares about the overall mean: b−a² is then the mean
	// of the latter, without cancellation.
	folds, all := float64(d.Folds), float64(d.Runs)
	runMoments := func(j int) (a, b float64) {
		for _, x := range d.X[j*d.Folds : (j+1)*d.Folds] {
			e := (x - r.Mean) / unit
			a += e
			b += float64(e * e)
		}
		return a / folds, b / folds
	}
	var v float64
	for j := range d.Runs {
		_, b := runMoments(j)
		v += b
	}
	v /= all
	root := math.Sqrt(k * v)
	influence := func(j int) float64 {
		a, b := runMoments(j)
		if r.Mean < 0 {
			a = -a
		}
		return a - (b-v)*k/(2*root)
	}
	// The influences sum to zero up to rounding.
	var sum, squares float64
	for j := range d.Runs {
		u := influence(j)
		sum += u
		squares += float64(u * u)
	}
	tau := math.Sqrt(max(0, squares-sum*sum/all) / (all - 1))
	g := math.Abs(r.Mean)/unit - root
	if tau <= 64*0x1p-52*(math.Abs(g)+root) {
		return math.Copysign(math.Inf(1), g)
	}
	return g / tau * math.Sqrt(float64(runs))
}
