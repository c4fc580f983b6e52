package itemwise

import (
	"fmt"
	"math"

	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/contingency"
)

// LeastFlipped is how many clusters [ClusterFlip] takes: of five, no two-sided p is below 2/2⁵ =
// 0.0625.
const LeastFlipped = 6

// ClusterFlip tests whether two systems differ by changing the signs of whole clusters. Under the
// null hypothesis the clusters are independent, and either sign of the sum of a cluster's
// differences is equally likely. P is the share of all changes of signs whose mean is at least as
// far out as the observed one. If clusters weigh equally, their means take the place of the sums.
//
// The test needs no variance and no degrees of freedom. It has no interval either, and holds no
// margin: where few items differ, shifted differences are nearly equal, and all of their signs
// alike.
//
// Up to 30 clusters P is exact, and at least 2/2^G, or half of that if the alternative has one
// side. Beyond, it comes from 100,000 random changes of signs with a fixed seed, the observed one
// among them, so that it is at least 1/100,001, in O(G) each: see [stat.PermutationTest].
//
// It returns the errors of [Prepare], and one that wraps [stat.ErrSampleSize] if there are fewer
// than [LeastFlipped] clusters. Special case: if all differences are zero, P is 1.
//
// Sources: I. A. Canay, J. P. Romano and A. M. Shaikh (2017), "Randomization tests under an
// approximate symmetry assumption", for clusters; R. A. Fisher (1935), "The design of experiments",
// section 21.
func ClusterFlip(d Data, alt stat.Alternative) (Result, error) {
	s, err := Prepare(d)
	if err != nil {
		return Result{}, err
	}
	if s.clusters < LeastFlipped {
		return Result{}, fmt.Errorf("%w: %d clusters, need at least %d: no p of %d clusters is below 0.05", stat.ErrSampleSize, s.clusters, LeastFlipped, LeastFlipped-1)
	}
	groups, _ := d.groups()
	w := d.weighing(groups)
	f := stat.Differences{Runs: 1, Folds: len(groups), X: make([]float64, len(groups))}
	heaviest := 0.0
	for g, c := range groups {
		f.X[g] = w.of(c) * c.mean
		heaviest = max(heaviest, w.of(c))
	}
	f.Scale = heaviest * d.Scale
	r, err := stat.PermutationTest(f, alt)
	if err != nil {
		return Result{}, err
	}
	r.Statistic = s.mean
	return s.named("cluster-flip", r), nil
}

// McNemar tests exactly whether two systems are equally often right on items that each has answered
// once, with scores of 0 and 1. The items on which just one of them is right have the binomial
// distribution of a fair coin.
//
// It returns the errors of [Prepare], and one that wraps [stat.ErrDomain] if items are in clusters,
// or if a difference is not −1, 0 or 1.
//
// Source: Q. McNemar (1947), "Note on the sampling error of the difference between correlated
// proportions or percentages".
func McNemar(d Data, alt stat.Alternative) (Result, error) {
	s, err := Prepare(d)
	if err != nil {
		return Result{}, err
	}
	if s.clusters < s.items {
		return Result{}, fmt.Errorf("%w: %d items in %d clusters: McNemar's test takes independent items",
			stat.ErrDomain, s.items, s.clusters)
	}
	var counts contingency.PairCounts
	for i, x := range d.Differences {
		switch x {
		case 0:
			counts.Both++ // or neither
		case 1:
			counts.OnlyFirst++
		case -1:
			counts.OnlySecond++
		default:
			return Result{}, fmt.Errorf("%w: the difference of item %d is %v: McNemar's test takes scores of 0 and 1", stat.ErrDomain, i, x)
		}
	}
	r, err := contingency.McNemarTest(counts, contingency.Exact, alt)
	if err != nil {
		return Result{}, err
	}
	return s.named("mcnemar", r), nil
}

// named returns the result of another test of the sample.
func (s *Sample) named(test string, r stat.Result) Result {
	r.Test, r.N, r.Mean, r.Estimate, r.SE = test, s.items, s.mean, s.mean, math.NaN()
	return Result{
		Result: r, Clusters: s.clusters, Largest: s.largest, ICC: s.icc,
		T: s.ordinary(0), Constrained: math.NaN(), factors: s.factors,
	}
}
