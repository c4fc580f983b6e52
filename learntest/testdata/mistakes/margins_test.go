package mistakes

import (
	"testing"

	"github.com/learnbench/learnbench/assert"
	"github.com/learnbench/learnbench/learntest"
	"github.com/learnbench/learnbench/learntest/metric"
	"github.com/learnbench/learnbench/learntest/split"
)

// Half a point was meant, and half of all is allowed: a loss of 31 points to a model below chance.
//
//	FAIL Claim does not hold: bad vs good on numbers: invalid claim: with a margin of 50.00 points a model would pass that always predicts "false", which scores 50.00% (AllowMajority or -allow-majority, if that is meant): 0.02 is two points
func TestHalfAPoint(t *testing.T) {
	c := learntest.Compare(t, numbers(200), wrongBelow("bad", 102), wrongBelow("good", 40))
	assert.NoRegression(t, c, assert.Margin(0.5))
}

// Two points were meant.
//
//	FAIL Claim does not hold: bad vs good on numbers: invalid claim: no two values of accuracy differ by more than 1, so that a margin of 2 says nothing: 0.02 is two points, and 2 is 200.00 points
func TestTwoPoints(t *testing.T) {
	assert.NoRegression(t, learntest.Compare(t, numbers(200), wrongBelow("bad", 120), wrongBelow("good", 20)), assert.Margin(2))
}

// The candidate predicts one class only, which the margin would let pass.
//
//	FAIL Claim does not hold: odd vs good on numbers: invalid claim: with a margin of 40.00 points a model would pass that always predicts "false", which scores 50.00% (AllowMajority or -allow-majority, if that is meant): 0.02 is two points
func TestMarginThatOneClassPasses(t *testing.T) {
	assert.NoRegression(t, learntest.Compare(t, numbers(400), always[int]("odd", true), wrongBelow("good", 80)), assert.Margin(0.4))
}

// Three examples of 100 are of the rare class, which the candidate never predicts.
//
//	FAIL Claim does not hold: never vs half on rare: invalid claim: with a margin of 5.00 points a model would pass that always predicts "false", which scores 96.90% (AllowMajority or -allow-majority, if that is meant): 0.02 is two points
func TestRareClass(t *testing.T) {
	xs, ys := make([]int, 1000), make([]bool, 1000)
	for i := range xs {
		xs[i], ys[i] = i, i%33 == 0
	}
	half := learntest.Pretrained("half", func(x int) bool { return x%66 == 0 })
	c := learntest.Compare(t, learntest.Examples("rare", xs, ys), always[int]("never", false), half)
	assert.NoRegression(t, c, assert.Margin(0.05))
}

// Of two folds both happen to differ equally, which is no proof.
//
//	FAIL Claim does not hold: better is 10.00 points better than worse on numbers in accuracy: inconclusive; no significant improvement
func TestTwoFolds(t *testing.T) {
	better := learntest.Pretrained("better", func(x int) bool { return odd(x) != (x%10 == 0) })
	worse := learntest.Pretrained("worse", func(x int) bool { return odd(x) != (x%5 == 0) })
	assert.Improves(t, learntest.CompareWith(t, learntest.Config{Protocol: split.CV(1, 2)}, numbers(40), better, worse))
}

// rarely predicts as another model does, but for numbers that the data do not have.
func rarely(name string, than func(int) bool) learntest.Learner[int, bool] {
	return learntest.Pretrained(name, func(x int) bool { return than(x) != (x > 9000) })
}

// Nothing happens to differ on 50 examples, and the baseline is perfect, so that no candidate could show it.
//
//	FAIL Claim does not hold: new vs parity on numbers: invalid claim: 50 examples cannot show a margin of 2.00 points against a baseline with 100.00%, however good the candidate is: without an improvement 50 examples cannot show a loss below 5.82 points, and the smallest round margin above that is 6.00 points
func TestTwoPointsOf50Examples(t *testing.T) {
	assert.NoRegression(t, learntest.Compare(t, numbers(50), rarely("new", odd), parity()), assert.Margin(0.02))
}

func mostly(x int) bool { return odd(x) != (x%10 == 0) }

// Nothing happens to differ on 100 examples.
//
//	FAIL Claim does not hold: new is on a par with old on numbers in accuracy, 1.00 points allowed: inconclusive; a regression by more than 1.00 points was not ruled out: without an improvement 100 examples cannot show a loss below 2.95 points, and the smallest round margin above that is 3.00 points; both have the same accuracy in every fold
func TestOnePointOf100Examples(t *testing.T) {
	c := learntest.Compare(t, numbers(100), rarely("new", mostly), learntest.Pretrained("old", mostly))
	assert.NoRegression(t, c, assert.Margin(0.01))
}

// One of 300 examples is lost, where a point is three.
//
//	FAIL Claim does not hold: new is 0.33 points worse than old on numbers in accuracy, 1.00 points allowed: inconclusive; a regression by more than 1.00 points was not ruled out
func TestOnePointOf300Examples(t *testing.T) {
	lost := learntest.Pretrained("new", func(x int) bool { return mostly(x) != (x == 7) })
	c := learntest.Compare(t, numbers(300), lost, learntest.Pretrained("old", mostly))
	assert.NoRegression(t, c, assert.Margin(0.01))
}

// The loss is just what the margin allows.
//
//	FAIL Claim does not hold: new is 2.00 points worse than old on numbers in accuracy, 2.00 points allowed: regressed on this data set; the candidate is significantly worse
func TestLossOfTheMargin(t *testing.T) {
	lost := learntest.Pretrained("new", func(x int) bool { return mostly(x) != (x%50 == 7) })
	c := learntest.Compare(t, numbers(400), lost, learntest.Pretrained("old", mostly))
	assert.NoRegression(t, c, assert.Margin(0.02))
}

// No candidate could gain so much.
//
//	FAIL Claim does not hold: parity vs good on numbers: invalid claim: a gain of 20.00 points could not be shown even by a candidate with 100.00% in every fold against this baseline: 0.02 is two points
func TestGainOutOfReach(t *testing.T) {
	assert.Improves(t, learntest.Compare(t, numbers(200), parity(), wrongBelow("good", 20)), assert.Gain(0.2))
}

// Equal scores say little in a metric that is no mean over examples.
//
//	FAIL Claim does not hold: new is on a par with old on numbers in macro-f1, 2.00 points allowed: inconclusive; all scores are equal, from which no margin of macro-f1 follows, since that is no mean over examples with a range; both have the same macro-f1 in every fold
func TestEqualScoresOfAnotherMetric(t *testing.T) {
	c := learntest.CompareWith(t, learntest.Config{Metrics: []metric.Metric{metric.MacroF1()}}, numbers(100), rarely("new", mostly), learntest.Pretrained("old", mostly))
	assert.NoRegression(t, c, assert.Margin(0.02))
}

// One learner has two names, and the margin is one that so few examples cannot show.
//
//	FAIL Claim does not hold: deep is on a par with shallow on numbers in accuracy, 1.00 points allowed: inconclusive; a regression by more than 1.00 points was not ruled out: without an improvement 60 examples cannot show a loss below 4.87 points, and the smallest round margin above that is 5.00 points; both have the same accuracy in every fold
func TestOneLearnerUnderTwoNamesAndAMargin(t *testing.T) {
	assert.NoRegression(t, learntest.Compare(t, numbers(60), wrongBelow("deep", 6), wrongBelow("shallow", 6)))
}
