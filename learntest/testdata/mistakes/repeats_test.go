package mistakes

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/learnbench/learnbench/assert"
	"github.com/learnbench/learnbench/learntest"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/stat"
)

type ints = learntest.Sample[int, bool]

// noisy is wrong about a share of the numbers: after each training about others.
func noisy(name string, share float64) learntest.Learner[int, bool] {
	noise := uint64(share * 1000)
	fit := func(_ context.Context, _ ints, seed uint64) (func(int) bool, error) {
		return func(x int) bool {
			r := rand.New(rand.NewPCG(seed, uint64(x)+noise<<32))
			return odd(x) != (r.Float64() < share)
		}, nil
	}
	return learntest.Func(name, fit)
}

// overlapping are points of two classes that overlap.
func overlapping(n int, seed uint64) *examples {
	r := rand.New(rand.NewPCG(1, seed))
	var xs []point
	var ys []bool
	for range n {
		x := point{r.Float64(), r.Float64()}
		xs, ys = append(xs, x), append(ys, x[0]+0.6*r.NormFloat64() < 0.3)
	}
	return learntest.Examples("points", xs, ys)
}

// nearestOne learns anew in each training.
func nearestOne() learntest.Learner[point, bool] {
	fit := func(_ context.Context, train sample, _ uint64) (func(point) bool, error) {
		k := new(nearest)
		for x, y := range train.All() {
			k.learn(x, y)
		}
		return k.predict, nil
	}
	return learntest.Func("nearest", fit)
}

// The budget is spent before the replicability is decided.
//
//	FAIL Claim does not hold: better is 23.00 points better than worse on numbers in accuracy: inconclusive; a replicability of 0.9 is undecided at the budget of 12 runs: from 12 its 90% interval is 0.529 to 0.938
func TestUndecidedReplicability(t *testing.T) {
	cfg := learntest.Config{Protocol: split.CV(2, 5)}
	c := learntest.CompareWith(t, cfg, numbers(100), noisy("better", 0.15), noisy("worse", 0.38))
	assert.Improves(t, c, assert.RequiredReplicability{Probability: 0.9, MaxRuns: 12})
}

// Other partitions lead to another conclusion.
//
//	FAIL Claim does not hold: better is 19.00 points better than worse on numbers in accuracy: inconclusive; a replicability of 0.9 is refuted by 6 runs: a rerun agrees with a probability of 0.761 at most, and it takes 0.947
func TestConclusionOfOnePartition(t *testing.T) {
	cfg := learntest.Config{Protocol: split.CV(2, 5)}
	c := learntest.CompareWith(t, cfg, numbers(100), noisy("better", 0.2), noisy("worse", 0.36))
	assert.Improves(t, c, assert.RequiredReplicability{Probability: 0.9, MaxRuns: 40})
}

// Each of the candidates is significantly better on its own, but not one of so many.
//
//	FAIL Claim does not hold: candidate0 is 10.00 points better than old on numbers in accuracy: inconclusive; not significant after adjustment for 5 comparisons (holm, p = 0.056)
func TestFamilyOfFive(t *testing.T) {
	var candidates []learntest.Learner[int, bool]
	for i := range 5 {
		candidates = append(candidates, wrongBelow(fmt.Sprint("candidate", i), 14+i%2))
	}
	var family assert.Family
	old := wrongBelow("old", 20)
	for _, c := range learntest.CompareAll(t, learntest.Config{}, numbers(60), old, candidates...) {
		family = append(family, c)
	}
	assert.Improves(t, family)
}

// One of five repetitions of the test comes to the conclusion of the verdict.
//
//	FAIL Claim does not hold: better is 16.50 points better than worse on numbers in accuracy: inconclusive; 1 of 5 repetitions of the test come to this conclusion: replicability 0.600, of which 0.55 is required with a majority
func TestMinorityOfRepetitions(t *testing.T) {
	cfg := learntest.Config{Protocol: split.CV(2, 5)}
	c := learntest.CompareWith(t, cfg, numbers(100), noisy("better", 0.2), noisy("worse", 0.28))
	assert.Improves(t, c, assert.RequiredReplicability{Probability: 0.55, Repeats: 5})
}

// The test takes its difference from one fold, in which the candidate happens to be better
// (p = 0.020). In the mean of all folds it is worse.
//
//	FAIL Claim does not hold: new is 3.67 points worse than old on numbers in accuracy: inconclusive; no significant improvement
func TestOneFoldAgainstTheMean(t *testing.T) {
	cfg := learntest.Config{Protocol: split.FiveByTwo().WithSeed(1318)}
	c := learntest.CompareWith(t, cfg, numbers(60), noisy("new", 0.3), noisy("old", 0.29))
	assert.Improves(t, c, assert.SignificanceTest(stat.MustLookup("5x2cv-t")))
}

// The test shows that an unstable learner is better, and a second opinion does not.
//
//	FAIL Claim does not hold: nearest is 26.75 points better than never on points in accuracy: inconclusive; the first test shows it (p = 0.001), the second opinion does not (p = 0.198)
func TestSecondOpinionOnAnUnstableLearner(t *testing.T) {
	c := learntest.Compare(t, overlapping(40, 35), nearestOne(), always[point]("never", false))
	assert.Improves(t, c, assert.SecondOpinion(20))
}

// The posterior probability is above what is asked for, and with half of the examples it is not.
//
//	FAIL Claim does not hold: nearest is 26.75 points better than never on points in accuracy, more than 1.00 points required: inconclusive; P(better) is 0.999 by the first test, and 0.879 by the second opinion, not above 0.95
func TestSecondOpinionOnAPosterior(t *testing.T) {
	c := learntest.Compare(t, overlapping(40, 35), nearestOne(), always[point]("never", false))
	assert.Improves(t, c, assert.Bayes(0.01, 0.95), assert.SecondOpinion(20))
}
