package assert

import "github.com/learnbench/learnbench/learntest/verdict"

// AtLeast claims that the expected score of the candidate is at least the threshold, in the unit of
// a metric of which higher is better, such as 0.70 for 70% accuracy. It is about one learner, as
// learntest.Measure runs it, or about the candidate of a comparison:
//
//	m := learntest.Measure(t, vehicle, forest)
//	assert.AtLeast(t, m, 0.70)
//
// A mean above the threshold shows nothing: on other partitions it may be below. The claim holds if
// the corrected t test on score less threshold shows it at the one-sided level Alpha and, in
// metrics that are means over examples in a range, so does Wilson's bound on the examples of a run.
// The verdict is shown, refuted or inconclusive, and only shown holds. It names the threshold that
// would have held: to tune the threshold to that is to claim the noise.
//
// The options On, OnUnit, Alpha, SignificanceTest, Replicability, AllowMajority, Message and
// FailNow apply. A threshold is refused that no data could show, as 0.9 on 20 examples, or that
// always predicting the most frequent class reaches.
//
// Nominally 5% of claims at the true score are shown wrongly. Measured on 50 to 300 examples it is
// 3 to 5% for stable learners, and 5 to 10% for nearest neighbours; with
// SignificanceTest(stat.CorrectedCVT(0.18)) these have 5 to 9%. "learnbench study at-least"
// measures it.
func AtLeast(t TestingT, c Comparison, threshold float64, options ...Option) bool {
	if h, ok := t.(helper); ok {
		h.Helper()
	}
	return claim(t, c, verdict.Claim{Kind: verdict.AtLeast, Threshold: threshold}, options)
}

// AtMost is AtLeast for metrics of which lower is better, such as logloss or error: it claims that
// the expected score is at most the threshold.
func AtMost(t TestingT, c Comparison, threshold float64, options ...Option) bool {
	if h, ok := t.(helper); ok {
		h.Helper()
	}
	return claim(t, c, verdict.Claim{Kind: verdict.AtMost, Threshold: threshold}, options)
}
