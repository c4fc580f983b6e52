package mistakes

import (
	"testing"

	"github.com/learnbench/learnbench/assert"
	"github.com/learnbench/learnbench/learntest"
	"github.com/learnbench/learnbench/learntest/metric"
	"github.com/learnbench/learnbench/learntest/split"
)

// Nothing is claimed.
//
//	FAIL learntest.Compare: nothing was claimed of odd vs parity on numbers when the test ended: it passes whatever the scores are: claim something, as in assert.Improves(t, c), look at c.Judge(verdict.Claim{}), or set Config.NoClaim if that is meant
func TestNoClaim(t *testing.T) {
	learntest.Compare(t, numbers(60), always[int]("odd", true), parity())
}

// Something is claimed of one candidate only.
//
//	FAIL learntest.CompareAll: nothing was claimed of never vs odd on numbers when the test ended: it passes whatever the scores are: claim something, as in assert.Improves(t, c), look at c.Judge(verdict.Claim{}), or set Config.NoClaim if that is meant
func TestClaimOfOneCandidate(t *testing.T) {
	all := learntest.CompareAll(t, learntest.Config{}, numbers(60), always[int]("odd", true), parity(), always[int]("never", false))
	assert.Improves(t, all[0])
}

// A family has no comparison.
//
//	FAIL Claim does not hold: invalid claim: a family of no comparisons
func TestFamilyOfNone(t *testing.T) {
	assert.Improves(t, assert.Family{})
}

// Of equal learners, every other one would be shown to differ.
//
//	FAIL Claim does not hold: invalid claim: significance level 0.5: of equal learners, that many would be shown to differ: it must be below 0.2, and 0.05 is usual
func TestLooseLevel(t *testing.T) {
	assert.Improves(t, learntest.Compare(t, numbers(60), parity(), always[int]("odd", true)), assert.Alpha(0.5))
}

// The environment makes the level looser than the test says.
//
//	FAIL learntest.Compare: invalid configuration: environment variable LEARNTEST_ALPHA=0.5: it is looser than the 0.05 of claims that give no level: what a test claims may be made stricter from outside only
func TestLooseLevelFromOutside(t *testing.T) {
	t.Setenv("LEARNTEST_ALPHA", "0.5")
	assert.Improves(t, learntest.Compare(t, numbers(60), wrongBelow("new", 5), wrongBelow("old", 6)))
}

// A claim has two margins, the last of which would count.
//
//	FAIL Claim does not hold: invalid claim: Margin(0.01) and Margin(0.3) in one claim: which of them counts?
func TestTwoMargins(t *testing.T) {
	assert.NoRegression(t, learntest.Compare(t, numbers(60), parity(), always[int]("odd", true)), assert.Margin(0.01), assert.Margin(0.3))
}

// An option is for another claim.
//
//	FAIL Claim does not hold: parity vs odd on numbers: invalid claim: a margin is not for a claim that a learner improves on another: use a gain, or another claim
func TestMarginOfAnImprovement(t *testing.T) {
	assert.Improves(t, learntest.Compare(t, numbers(60), parity(), always[int]("odd", true)), assert.Margin(0.01))
}

// A claim is about a metric that was not measured.
//
//	FAIL Claim does not hold: parity vs odd on numbers: invalid: not found: metric auc of the candidate parity on data set numbers; there are: "accuracy"
func TestMetricThatWasNotMeasured(t *testing.T) {
	assert.Improves(t, learntest.Compare(t, numbers(60), parity(), always[int]("odd", true)), assert.On(metric.AUC()))
}

// The budget is less than the test itself takes.
//
//	FAIL Claim does not hold: parity vs odd on numbers: invalid claim: a budget of 5 runs is less than the protocol's own 10
func TestBudgetBelowTheTest(t *testing.T) {
	c := learntest.Compare(t, numbers(60), parity(), always[int]("odd", true))
	assert.Improves(t, c, assert.RequiredReplicability{Probability: 0.9, MaxRuns: 5})
}

// There are no second opinions under this protocol.
//
//	FAIL Claim does not hold: parity vs odd on numbers: invalid claim: no second opinion on "subsample runs=10 train=0.9 unstratified seed=1 v1" with 20 halvings: it takes cross-validation, with groups or without: split: invalid protocol "subsample runs=10 train=0.9 unstratified seed=1 v1": a second opinion is on cross-validation, with groups or without
func TestSecondOpinionOfSubsamples(t *testing.T) {
	c := learntest.CompareWith(t, learntest.Config{Protocol: split.Subsample(10, 0.9)}, numbers(60), parity(), always[int]("odd", true))
	assert.Improves(t, c, assert.SecondOpinion())
}

// One learner has two names by mistake.
//
//	FAIL Claim does not hold: deep is on a par with shallow on numbers in accuracy: equivalent; no significant improvement; both have the same accuracy in every fold
func TestOneLearnerUnderTwoNames(t *testing.T) {
	assert.Improves(t, learntest.Compare(t, numbers(60), wrongBelow("deep", 6), wrongBelow("shallow", 6)))
}

// So it has, and the claim holds of it.
//
//	PASS deep is on a par with shallow on numbers in accuracy, 10.00 points allowed: holds; both have the same accuracy in every fold
func TestOneLearnerIsEquivalentToItself(t *testing.T) {
	assert.Equivalent(t, learntest.Compare(t, numbers(60), wrongBelow("deep", 6), wrongBelow("shallow", 6)), assert.Margin(0.1))
}

// Two learners of a test share a name.
//
//	FAIL learntest.Compare: the comparisons at claims_test.go:104 and claims_test.go:105 of this test are both of data set numbers under "cv runs=10 folds=10 stratified seed=1 v1", test TestTwoLearnersOfOneName of example.com/model, and do not agree: results do not belong together: accuracy of data set numbers, learner odd, run 1, fold 1 is "0.5" for the trials on numbers but "0.8333333333333334" for the trials on numbers (give the learners different names, or use subtests)
func TestTwoLearnersOfOneName(t *testing.T) {
	assert.Improves(t, learntest.Compare(t, numbers(60), parity(), always[int]("odd", true)))
	assert.Improves(t, learntest.Compare(t, numbers(60), parity(), learntest.Pretrained("odd", mostly)))
}
