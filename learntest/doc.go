// Package learntest runs learners on random partitions of data sets, in tests
// and elsewhere.
//
// In a test, [Compare] runs a candidate and a baseline under 10×10 stratified
// cross-validation, and package assert makes claims about the result:
//
//	func TestForestBeatsBayes(t *testing.T) {
//		c := learntest.Compare(t, data, forest, bayes)
//		assert.Improves(t, c, assert.Replicability(0.9))
//	}
//
// Elsewhere, [Run] runs any number of learners on any number of data sets and
// returns their records.
//
// # Learners
//
// A [Learner] is a name and a function that fits a sample of the examples, of
// whatever type they are, and returns a [Model]. [Func] and [ProbFunc] make one of a closure;
// [Rows], [Matrix], [Classifier] and [Pretrained] adapt the shapes that libraries have.
//
// # Data
//
// [Data] is a data set of examples and labels: a table of package dataset, or
// two slices as [Examples]. Labels that are floats are targets of regression; all others
// are classes.
//
// # Trials
//
// A trial trains one learner on one fold of one run and tests it on the rest.
// The partitions follow from the protocol (see package split), its seed and the data; the
// seed of a trial is [TrialSeed], the same for all learners of a fold. Trials run in
// parallel, and nothing but their times depends on how many do.
//
// A trial fails if the learner returns an error, panics, ends its goroutine,
// exceeds its time, or returns what is not a prediction, or if a metric has no finite
// value. The cause is recorded in its place. Nothing is imputed, and no verdict is drawn from
// incomplete records.
//
// The first trial of each learner is run twice. If the predictions differ
// although the seed was the same, the records say so, and verdicts warn of it.
//
// # Environment
//
// Compare reads variables rather than flags, which lets go test cache results:
// LEARNTEST_OUT, LEARNTEST_SEED, LEARNTEST_RUNS and LEARNTEST_ALPHA; see its comment.
// Any other variable that starts with LEARNTEST_ is an error.
package learntest
