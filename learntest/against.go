package learntest

import (
	"errors"

	"github.com/learnbench/learnbench/internal/gotest"
	"github.com/learnbench/learnbench/learntest/internal/results"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// Against compares the candidate with stored results of itself, or of an earlier version, in the
// result file at path: a committed file such as testdata/baseline.txt. Only the candidate is
// trained. The texts tell the two apart as in "forest now" and "forest at 3f2a9c1", the commit
// that the file names.
//
// Only LEARNTEST_UPDATE=1 changes the file, by writing it instead of reading it: the candidate's
// results replace the results of the same test, without times, so that a commit of the file shows
// the changed scores. Claims are not judged then. Where CI is set, as continuous integration does,
// or the variable of Azure Pipelines, Jenkins, TeamCity or CodeBuild, an update is refused unless
// it is LEARNTEST_UPDATE=force. So is an update with a candidate that is better in none of the
// metrics than always predicting the most frequent class: later versions would be compared with
// it. The test logs the old and the new mean of each metric, or prints them without -v (go test
// shows them where it is given no packages), and the file has the new means in its head. Where no
// score has changed, the file is left alone.
// LEARNTEST_RUNS_MIN is the number of runs to be stored; runs beyond the protocol's own are the
// budget of a required replicability.
//
// A file that has a ledger beside it is a pinned reference, for assert.WithinBudget: only
// learnbench pin writes it.
//
// The data set, the protocol and the name of the candidate identify the baseline, whichever test
// has stored it, as tests get other names; if several tests have, this test's own results are the
// baseline. A missing or incomplete baseline is an error, before anything is trained, and so is a
// change of the data set, its partitions or a metric since. Where there is no file at all, each
// claim fails and says how to make one; nothing is trained then, unless results are stored
// (LEARNTEST_OUT).
//
// A test that makes no claim about the comparison, and does not call [Comparison.Judge], fails when
// it ends, unless [Config].NoClaim is set: it would pass at any scores of the candidate.
//
// Against reads the variables of [Compare].
func Against[X any, Y comparable](t TB, data Data[X, Y], candidate Learner[X, Y],
	path string,
) *Comparison {
	t.Helper()
	return against(t, Config{}, data, candidate, path)
}

// AgainstWith is Against under a configuration. A configuration that makes no sense ends the test.
func AgainstWith[X any, Y comparable](t TB, cfg Config, data Data[X, Y], candidate Learner[X, Y],
	path string,
) *Comparison {
	t.Helper()
	return against(t, cfg, data, candidate, path)
}

func against[X any, Y comparable](t TB, cfg Config, data Data[X, Y], candidate Learner[X, Y],
	path string,
) *Comparison {
	t.Helper()
	c := &Comparison{
		by: "learntest.Against", candidate: candidate.Name, baseline: candidate.Name,
		path: path,
	}
	g, env, err := newGroup(t, cfg, data, candidate.Name+" against "+path, "", path,
		[]Learner[X, Y]{candidate})
	c.group, c.env = g, env
	if err == nil {
		err = g.checkBaseline(env, path)
	}
	if err == nil && env.update == "" {
		c.stored, err = g.baseline(path)
	}
	if errors.Is(err, results.ErrNoFile) {
		c.withoutFile(t, err)
		return c
	}
	if err != nil {
		err = tellStale(t, data, candidate.Name, path, g, err)
		c.err = err
		t.Fatalf("learntest.Against: %v", err)
		return c
	}
	if c.stored != nil {
		t.Logf("baseline %s: %s", path, describe(c.stored))
	}
	g.ctx = gotest.BeforeDeadline(t)
	if c.err = g.run(g.ctx, g.firstRuns()); c.err != nil {
		t.Errorf("learntest.Against: %v", c.err)
	} else if env.update != "" {
		var changes []string
		changes, c.err = g.update(path, env.update)
		tell(t, changes)
		if !errors.Is(c.err, verdict.ErrNotJudged) {
			t.Errorf("learntest.Against: %v", c.err)
		}
	} else if g.cfg.Results.Shard.Count > 0 {
		c.err = g.sharded()
	}
	c.report(t, true)
	c.logDrawing(t, path)
	if c.err == nil {
		t.Cleanup(func() {
			t.Helper()
			c.missClaim(t, "learntest.Against", c.candidate+" against "+path,
				"assert.NoRegression(t, c, assert.Margin(0.02))")
		})
	}
	return c
}
