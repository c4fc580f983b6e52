package mistakes

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/learnbench/learnbench/assert"
	"github.com/learnbench/learnbench/learntest"
	"github.com/learnbench/learnbench/learntest/metric"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// Trials run side by side, and slow each other down.
//
//	FAIL Claim does not hold: parity takes at most ×1.2 the training time of odd on numbers: times are no evidence: candidate parity: up to 4 trials ran at the same time, which slow each other down: set Config.Parallel to 1 (learnbench run -parallel 1), and let no other comparison run beside
func TestTimesOfParallelTrials(t *testing.T) {
	c := learntest.CompareWith(t, learntest.Config{Parallel: 4}, numbers(60), parity(), always[int]("odd", true))
	assert.Improves(t, c)
	assert.RatioAtMost(t, c, 1.2)
}

// A clock shows next to nothing of a training that short.
//
//	FAIL Claim does not hold: new takes at most ×1.2 the training time of old on numbers: the mean training time of new is below 100 µs, which is too short for a ratio: claim the time of larger data, or of a learner that repeats its work inside
func TestTimesOfNothing(t *testing.T) {
	exactly(t, func(t testing.TB) {
		cfg := learntest.Config{Protocol: split.CV(1, 10), Parallel: 1, NoClaim: true}
		c := learntest.CompareWith(t, cfg, numbers(60), sleeper("new", 50*time.Microsecond), sleeper("old", 50*time.Microsecond))
		assert.RatioAtMost(t, c, 1.2)
	})
}

// Whatever learns nothing is fast.
//
//	FAIL learntest.CompareWith: nothing was claimed of new vs old on numbers when the test ended: it passes whatever the scores are: claim something, as in assert.Improves(t, c), look at c.Judge(verdict.Claim{}), or set Config.NoClaim if that is meant
func TestTimesAlone(t *testing.T) {
	cfg := learntest.Config{Protocol: split.CV(1, 10), Parallel: 1}
	c := learntest.CompareWith(t, cfg, numbers(60), sleeper("new", time.Millisecond), sleeper("old", 100*time.Millisecond))
	if v := c.Judge(verdict.Claim{Kind: verdict.RatioAtMost, Threshold: 1.2}); !v.Holds {
		t.Error(v)
	}
}

// exactly runs a test by a clock that no load disturbs: sleeping takes its time to the nanosecond,
// and nothing else takes any.
func exactly(t *testing.T, test func(testing.TB)) {
	synctest.Test(t, func(t *testing.T) { test(t) })
}

// sleeper predicts nothing, and takes its time.
func sleeper(name string, fit time.Duration) learntest.Learner[int, bool] {
	return learntest.Func(name, func(context.Context, learntest.Sample[int, bool], uint64) (func(int) bool, error) {
		time.Sleep(fit)
		return func(int) bool { return false }, nil
	})
}

// The new model takes five times as long.
//
//	FAIL Claim does not hold: new takes at most ×1.2 the training time of old on numbers: refuted
func TestSlowerModel(t *testing.T) {
	exactly(t, func(t testing.TB) {
		cfg := learntest.Config{Protocol: split.CV(1, 10), Parallel: 1, NoClaim: true}
		c := learntest.CompareWith(t, cfg, numbers(60), sleeper("new", 5*time.Millisecond), sleeper("old", time.Millisecond))
		assert.RatioAtMost(t, c, 1.2)
	})
}

// Claims about times are switched off in continuous integration.
//
//	FAIL learntest.CompareWith: invalid configuration: environment variable LEARNTEST_RATIO=off: claims about times are not skipped where CI is set: a gate that a variable opens is none
func TestTimesAreSwitchedOff(t *testing.T) {
	t.Setenv("CI", "true")
	t.Setenv("LEARNTEST_RATIO", "off")
	cfg := learntest.Config{Protocol: split.CV(1, 10), Parallel: 1}
	c := learntest.CompareWith(t, cfg, numbers(60), sleeper("new", 5*time.Millisecond), sleeper("old", time.Millisecond))
	assert.RatioAtMost(t, c, 1.2)
}

// A score is claimed on the scale of percent.
//
//	FAIL Claim does not hold: model reaches 7000.00% accuracy on numbers: a threshold of 70 is outside of the range of accuracy, 0 to 1: 70% is 0.7
func TestThresholdInPercent(t *testing.T) {
	assert.AtLeast(t, learntest.Measure(t, numbers(200), wrongBelow("model", 20)), 70)
}

// Twenty examples without a failure show 88%, and no more.
//
//	FAIL Claim does not hold: parity reaches 90.00% accuracy on numbers: no scores on 20 examples could show 90.00%: not a single failure would show 88.08%
func TestThresholdOfTwentyExamples(t *testing.T) {
	assert.AtLeast(t, learntest.MeasureWith(t, learntest.Config{Protocol: split.CV(5, 5)}, numbers(20), parity()), 0.9)
}

// The mean is above the threshold, and shows nothing.
//
//	FAIL Claim does not hold: model reaches 79.00% accuracy on numbers: inconclusive
func TestMeanAboveItsThreshold(t *testing.T) {
	assert.AtLeast(t, learntest.Measure(t, numbers(100), wrongBelow("model", 20)), 0.79)
}

// An error is claimed as if it were an accuracy.
//
//	FAIL Claim does not hold: model reaches 50.00% error on numbers: lower error is better, and any bad learner has at least 0.5: claim at most
func TestAtLeastOfAnError(t *testing.T) {
	m := learntest.MeasureWith(t, learntest.Config{Metrics: []metric.Metric{metric.Error()}}, numbers(100), wrongBelow("model", 20))
	assert.AtLeast(t, m, 0.5)
}

// The error is below the threshold, and that shows nothing.
//
//	FAIL Claim does not hold: model has at most 21.00% error on numbers: inconclusive
func TestErrorBelowItsThreshold(t *testing.T) {
	m := learntest.MeasureWith(t, learntest.Config{Metrics: []metric.Metric{metric.Error()}}, numbers(100), wrongBelow("model", 20))
	assert.AtMost(t, m, 0.21)
}

// An accuracy is claimed as if it were an error.
//
//	FAIL Claim does not hold: model has at most 90.00% accuracy on numbers: higher accuracy is better, and any bad learner has at most 0.9: claim at least
func TestAtMostOfAnAccuracy(t *testing.T) {
	assert.AtMost(t, learntest.Measure(t, numbers(100), wrongBelow("model", 20)), 0.9)
}

// Always the most frequent class would reach the threshold.
//
//	FAIL Claim does not hold: model reaches 50.00% accuracy on numbers: a model that always predicts "false" scores 50.00% and reaches 50.00% (AllowMajority or -allow-majority, if that is meant): claim more
func TestThresholdOfTheMajority(t *testing.T) {
	assert.AtLeast(t, learntest.Measure(t, numbers(100), wrongBelow("model", 20)), 0.5)
}
