package replicate

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/learnbench/learnbench/learntest/stat"
)

// A Pooled is the replicability of a test as its pool of runs shows it.
type Pooled struct {
	R       float64 // share of the pairs of repeats that agree
	SE      float64 // Monte Carlo standard error of R, from the choice of the pairs alone
	Rejects float64 // share of the repeats that reject in the direction of the verdict
	Splits  int     // pairs of repeats
	Runs    int     // runs of one repeat
	N       int     // runs in the pool
}

// Pooled estimates the replicability of any test from a pool of N = d.Runs ≥
// 2·q.Runs runs. In each of the given number of splits it draws two disjoint
// subsets of q.Runs runs from the pool at random and applies the test to both;
// R is the share of the splits in which they agree, that is, both reject in the
// direction of the verdict or neither does.
//
// Two disjoint subsets of exchangeable runs are two independent repeats of the test, whichever they
// are, so that R is unbiased for the probability that two repeats agree; like [Replicability] it
// can fall below one half. Averaging over splits removes only the luck of the cut of the pool into
// repeats: SE, which falls with √splits, measures that luck and not the spread from one pool to the
// next. Over 38 real comparisons whose true R is below 0.97 the root mean square error of R from
// 20, 40 and 100 runs for a test on 10 was 0.236, 0.134 and 0.082; for [Retest.Predict] it was
// 0.129, 0.104 and 0.072 (docs/research/replicability.md). Use R for tests that cannot be
// predicted.
//
// The runs of a subset come in random order, which matters to [stat.FiveByTwoTTest] only. The
// same seed gives the same estimate.
//
// It returns the errors of [Retest.Count], where too few runs are fewer than
// 2·q.Runs, and one that wraps [stat.ErrDomain] if splits < 1. An error of the test
// on one of the subsets names the split.
//
// The cost is two tests a split.
//
// Source: own estimator; a U-statistic of order 2r, sampled.
func (q Retest) Pooled(d stat.Differences, splits int, seed uint64) (Pooled, error) {
	if splits < 1 {
		return Pooled{}, fmt.Errorf("%w: %d splits of the pool", stat.ErrDomain, splits)
	}
	if q.Runs > math.MaxInt32/2 {
		return Pooled{}, fmt.Errorf("%w: a test on %d runs", stat.ErrDomain, q.Runs)
	}
	p, err := q.on(d, 2*q.Runs)
	if err != nil {
		return Pooled{}, err
	}
	rng := rand.New(rand.NewPCG(seed, 0xd1342543de82ef95))
	order := make([]int, d.Runs)
	for j := range order {
		order[j] = j
	}
	subset := p.pool
	subset.Runs, subset.X = q.Runs, make([]float64, q.Runs*d.Folds)
	agree, rejections := 0, 0
	for split := range splits {
		var rejects [2]bool
		for half := range rejects {
			for j := range q.Runs {
				i := half*q.Runs + j
				k := i + int(rng.Uint32N(uint32(d.Runs-i)))
				order[i], order[k] = order[k], order[i]
				copy(subset.X[j*d.Folds:(j+1)*d.Folds], p.pool.X[order[i]*d.Folds:])
			}
			r, err := p.Test.Run(subset, p.Alternative)
			if err != nil {
				return Pooled{}, fmt.Errorf("split %d: %w", split, err)
			}
			if rejects[half] = p.rejects(r); rejects[half] {
				rejections++
			}
		}
		if rejects[0] == rejects[1] {
			agree++
		}
	}
	e := Pooled{Splits: splits, Runs: q.Runs, N: d.Runs}
	e.R = float64(agree) / float64(splits)
	e.SE = math.Sqrt(e.R * (1 - e.R) / float64(splits))
	e.Rejects = float64(rejections) / (2 * float64(splits))
	return e, nil
}
