package learntest

import (
	"fmt"
	"slices"

	"github.com/learnbench/learnbench/internal/gotest"
)

// Compare runs the candidate and the baseline on the same random partitions of the data, in 10×10
// stratified cross-validation, and returns their records, for claims about them. Data with groups
// are partitioned by groups: see [Config].Protocol.
//
// Data that trials cannot run on end the test. Compare reports failed trials as errors with
// learner, run and fold, and no claim about the comparison holds then. The deadline of the test
// ends the trials in time to report.
//
// Environment variables override the configuration: LEARNTEST_SEED and LEARNTEST_RUNS the seed and
// the runs of the protocol, LEARNTEST_RUNS_MIN the least number of runs to train, whatever the
// claims, and LEARNTEST_RUNS_MAX the budget of each required replicability, in runs (see
// [verdict.Claim].MaxRuns). Protocols without anything random keep their own number of runs.
// LEARNTEST_SETTLE=0.01 stops training once all runs would decide the claims otherwise with a
// probability of at most 0.01 (see [Config].Settle); LEARNTEST_SETTLE=off trains all.
// LEARNTEST_MINUTES=15 is how long all trainings of a package's tests may take (see
// [Config].Minutes). LEARNTEST_ALPHA is the significance level of claims that give none, at most
// their 0.05. LEARNTEST_RATIO=off skips claims of assert.RatioAtMost on a busy machine; continuous
// integration refuses it. LEARNTEST_OUT is the absolute path of a result file, or of a directory
// for result files: the records of the test replace the records of its last run there (see
// [Results.Out]). With go test -artifacts, the test writes them into its artifact directory as
// well, and logs the command that draws them.
//
// LEARNTEST_SHARD=2/8 has the test run one of eight shards of the trials (see [split.ParseShard]).
// The test records them, judges no claims, and is marked as skipped. LEARNTEST_IN is the absolute
// pattern of the result files of all shards: the test judges them without any training.
//
// LEARNTEST_RESUME=1 takes over the trials that an interrupted run of the same test has left there
// (see [Results.Resume]).
//
// Runs beyond the protocol's own are not trained again if the result file has them from an earlier
// run of the same test: of the same program and commit, on the same data, with the same scores in
// each of the protocol's own runs, which are trained each time. A change of a learner that is
// another program, or reads files, goes unnoticed if it shows in none of these scores: remove the
// file when such a learner changes.
//
// LEARNTEST_CACHE is the absolute path of a directory outside of the module, where tests keep their
// trials from commit to commit, and take them from if nothing has changed that training depends on,
// as far as [Config].Depends says what that is. One of fifty is trained again, and ends the test if
// it differs. LEARNTEST_CACHE_MB is the size of the directory.
//
// LEARNTEST_DEGRADE=0.1 makes each candidate worse on purpose, to see whether the test can
// fail: the label of a random training example, which is a draw from the class prior or, for
// numbers, from the training targets, replaces one in ten of its predictions, drawn at random by
// the seed of each trial. All printed texts call the candidate degraded, and its results cannot be
// stored. learnbench prove runs the test with larger and larger shares.
//
// A run that go test may cache writes no file the next time, so that storing results is an error
// there: add -count=1.
//
// A test that makes no claim about the comparison, and does not call [Comparison.Judge], fails when
// it ends, unless the results are stored (LEARNTEST_OUT, [Results].Out) or [Config].NoClaim is set:
// it would pass at any scores of the learners.
//
// The verdict is among the attributes of the test: learntest.1.verdict and
// others for its first comparison, learntest.2.verdict for its second, and so
// on.
//
// Under -short only the first run of a protocol with several random runs is run. A claim fails if
// this run shows a significant regression, of more than the claim's margin if it has one. Any other
// claim is not judged, and the test is marked as skipped.
//
// Several comparisons of one test on the same data may share learners. A
// shared learner must then have the same results in each of them. It is trained again in
// each; [CompareAll] trains it once.
func Compare[X any, Y comparable](t TB, data Data[X, Y], candidate,
	baseline Learner[X, Y],
) *Comparison {
	t.Helper()
	return compare(t, "learntest.Compare", Config{}, data, baseline, candidate)[0]
}

// CompareWith is Compare under a configuration. A configuration that makes no sense ends the
// test.
//
// Note: The configuration is a parameter of a function of its own rather than a last one
// that may be left out, which could be given twice, or a receiver, which no generic
// function can have.
func CompareWith[X any, Y comparable](t TB, cfg Config, data Data[X, Y], candidate,
	baseline Learner[X, Y],
) *Comparison {
	t.Helper()
	return compare(t, "learntest.CompareWith", cfg, data, baseline, candidate)[0]
}

// CompareAll compares several candidates with one baseline, which is trained only
// once, and returns a comparison for each candidate, in their order. Each has
// claims, attributes and failed trials of its own: the failure of one candidate changes no claim
// about the others. Where a claim takes further runs, only its two learners are run further.
func CompareAll[X any, Y comparable](t TB, cfg Config, data Data[X, Y], baseline Learner[X, Y],
	candidates ...Learner[X, Y],
) []*Comparison {
	t.Helper()
	return compare(t, "learntest.CompareAll", cfg, data, baseline, candidates...)
}

// compare compares for the function that a test calls by the given name.
func compare[X any, Y comparable](t TB, by string, cfg Config, data Data[X, Y],
	baseline Learner[X, Y], candidates ...Learner[X, Y],
) []*Comparison {
	t.Helper()
	cs := make([]*Comparison, len(candidates))
	for i, l := range candidates {
		cs[i] = &Comparison{by: by, candidate: l.Name, baseline: baseline.Name}
	}
	if len(candidates) == 0 {
		t.Fatalf("%s: %v", by, fmt.Errorf("%w: no candidates to compare with %s", ErrConfig,
			baseline.Name))
		return nil
	}
	what := candidates[0].Name
	if n := len(candidates); n > 1 {
		what = fmt.Sprintf("%d candidates", n)
	}
	learners := slices.Concat(candidates[:1], []Learner[X, Y]{baseline}, candidates[1:])
	g, env, err := newGroup(t, cfg, data, what+" vs "+baseline.Name, baseline.Name, "", learners)
	if err != nil {
		t.Fatalf("%s: %v", by, err)
	} else {
		g.ctx = gotest.BeforeDeadline(t)
		if err = g.run(g.ctx, g.firstRuns()); err != nil {
			t.Errorf("%s: %v", by, err)
		}
	}
	for i, c := range cs {
		c.group, c.env, c.err = g, env, err
		if g != nil && err == nil && g.cfg.Results.Shard.Count > 0 {
			c.err = g.sharded()
		}
		if g != nil {
			c.report(t, i == 0)
		}
	}
	cs[0].logDrawing(t, "")
	if err == nil && g.cfg.Results.Out != "" {
		t.Cleanup(func() {
			t.Helper()
			for _, c := range cs {
				missStop(t, by, c)
			}
		})
	} else if err == nil {
		t.Cleanup(func() {
			t.Helper()
			for _, c := range cs {
				c.missClaim(t, by, c.candidate+" vs "+c.baseline+" on "+data.Name(), "assert.Improves(t, c)")
			}
		})
	}
	return cs
}
