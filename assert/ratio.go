package assert

import "github.com/learnbench/learnbench/learntest/verdict"

// RatioAtMost claims that the candidate takes at most limit times as long as the baseline: 1.2
// allows a fifth more. It is about the training time unless OnUnit("predict-sec") makes it about
// the time for the predictions of a test set:
//
//	c := learntest.CompareWith(t, learntest.Config{Parallel: 1}, data, forest, bayes)
//	assert.NoRegression(t, c, assert.Margin(0.01))
//	assert.RatioAtMost(t, c, 1.2)
//	assert.RatioAtMost(t, c, 1.5, assert.OnUnit("predict-sec"))
//
// The ratio is the median over all trials of the candidate's time by the baseline's on the same
// examples, so that a trial that another program has slowed down counts once. The claim holds if
// the sign test shows it at the one-sided level Alpha; its bound names the limit that would have
// held. Several claims need no adjustment: all of them must hold.
//
// Times take Config.Parallel = 1, and no other comparison in the same process at the same time:
// trials that run side by side slow each other down. The learners of a comparison take turns in
// being first. A stored baseline has no times, nor do trials from a cache. Refused are trainings of
// less than 100 µs in the mean, times of different or unknown machines, and fewer than 5 trials.
//
// Of items, the claim is about what answers cost, in a unit of which less is better: it holds if
// the candidate's mean cost is shown to be at most limit times the baseline's, by the t test of
// items on the candidate's cost less limit times the baseline's. Fieller's bound names the limit
// that would have held.
//
//	assert.RatioAtMost(t, c, 1.2, assert.OnUnit("usd"))
//
// What models themselves cost, such as their size, is compared exactly where seeds fix both
// learners, and otherwise by the median ratio. It takes a metric.Cost among Config.Metrics:
//
//	assert.RatioAtMost(t, c, 1.0, assert.OnUnit("model-bytes"))
//
// The options OnUnit, Alpha, Message and FailNow apply. LEARNTEST_RATIO=off skips claims on times
// on a machine that is too busy; continuous integration refuses it.
func RatioAtMost(t TestingT, c Comparison, limit float64, options ...Option) bool {
	if h, ok := t.(helper); ok {
		h.Helper()
	}
	return claim(t, c, verdict.Claim{Kind: verdict.RatioAtMost, Threshold: limit}, options)
}
