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
// [CompareWith] does so under a configuration, and [CompareAll] compares several candidates with
// one baseline. Elsewhere, [Run] runs any number of learners on any number of data sets and returns
// their records.
//
// # Learners
//
// A [Learner] is a name and a Fit function that trains on a sample of examples of any type and
// returns a [Model], which predicts labels ([LabelModel]) or class probabilities
// ([ProbabilityModel]) in batches. [Func] and [ProbFunc] make a learner of a closure that predicts
// one example. Packages rows and matrix adapt models on rows and matrices of numbers,
// [FromClassifier] and [FromRegressor] learners on tables, [FromProcess] programs in other
// languages, and [Pretrained] models that are trained elsewhere. [Encode], [Tabulate] and [Map] let
// a learner train on examples of another type.
//
// Package learnercheck tests whether a learner keeps its contract: its seed fixes it, it changes
// nothing that it is lent, is safe in parallel, heeds its context, and more. Each flaw names its
// harm and its remedy.
//
// # Data
//
// [Data] is a data set of examples and labels: a table of package dataset, or
// two slices as [Examples], which [CSV] reads from a file. Labels that are floats are targets of
// regression; all others are classes.
//
// # Trials
//
// A trial trains one learner on one fold of one run and tests it on the rest. The partitions follow
// from the protocol (see package split), its seed and the data. All learners of a fold get one
// seed, [split.TrialSeed]. Trials run in parallel; their number at a time changes nothing but their
// times.
//
// A trial fails if the learner returns an error, panics, ends its goroutine, exceeds its time, or
// returns an invalid prediction, or if a metric has no finite value. The cause is recorded in its
// place. Nothing is imputed, and no verdict is drawn from incomplete records.
//
// The first trial of each learner runs alone: a learner that changes the examples, or that the
// metrics do not apply to, ends the run there. After all trials each learner is trained again in a
// few of its cells. If its predictions differ, it keeps something between trainings, or its seed
// does not fix it: an error, unless the configuration allows it.
//
// # Environment
//
// Compare reads variables rather than flags, which lets go test cache results:
//
//	LEARNTEST_OUT       where results are stored: a file, or a directory
//	LEARNTEST_PREDICTIONS    a file in which predictions are kept: see package predictions
//	LEARNTEST_PROBABILITIES  truth or full: the class probabilities that are kept with them
//	LEARNTEST_SEED      the seed of the partitions and of the learners
//	LEARNTEST_RUNS      the number of runs
//	LEARNTEST_MINUTES   train no longer than that in all tests of a package
//	LEARNTEST_SETTLE    stop once all runs would decide the claims otherwise with at most this probability
//	LEARNTEST_RUNS_MIN  the least number of runs, whatever the claims
//	LEARNTEST_RUNS_MAX  the budget of required replicabilities
//	LEARNTEST_ALPHA     the significance level of claims that give none
//	LEARNTEST_RATIO     off skips claims about times, except in continuous integration
//	LEARNTEST_RESUME    go on where an interrupted run was
//	LEARNTEST_SHARD     run a part of the trials, as in 2/8
//	LEARNTEST_IN        judge the results of all parts, without any training
//	LEARNTEST_UPDATE    write the baselines of Against
//	LEARNTEST_CACHE     a directory that keeps trials for later runs; see Config.Depends
//	LEARNTEST_CACHE_MB  its size in megabytes, 256 unless given
//	LEARNTEST_DEGRADE   make the candidates worse, to see whether the test can fail
//	LEARNTEST_BUDGET    what the answers of a test in package items may cost, before and now
//	LEARNTEST_ITEMS     a pattern of the items that package items asks for, without a verdict
//	LEARNTEST_RESPONSES record asks for the responses that package items has no recording of
//
// Any other variable that starts with LEARNTEST_ is an error in every run that happens.
// Results are written with -count=1 only: a cached run writes no file.
package learntest
