package learntest

import (
	"errors"

	"github.com/learnbench/learnbench/internal/gotest"
	"github.com/learnbench/learnbench/learntest/internal/results"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// Against compares the candidate with what is stored of it, or of an earlier version of
// it, in the result file at path, such as testdata/baseline.txt, which is committed. Only the
// candidate is trained. The texts tell the two apart as in "forest now" and "forest at
// 3f2a9c1", the commit that the file names.
//
// LEARNTEST_UPDATE=1 writes the file instead of reading it, which is the only way in which
// it changes: the candidate's results take the place of those of the same test, without
// times, so that a commit of the file shows what has changed. Claims are not judged then. Where
// CI is set, as continuous integration does, or a variable by which Azure Pipelines, Jenkins, TeamCity or CodeBuild
// is known, it is refused unless it is LEARNTEST_UPDATE=force; so is
// a candidate that is no better than always predicting the most frequent class, in none of the metrics, with
// which what comes after it would be compared. Old and new mean of each metric are logged, or printed without -v
// (which go test shows where it is given no packages), and the file has the new ones in its head. Where no score has
// changed, the file is left alone.
// LEARNTEST_RUNS_MIN is the number of runs to be stored; those beyond the protocol's own are the
// budget of a required replicability.
//
// A file that has a ledger beside it is a pinned reference, for assert.WithinBudget: only
// learnbench pin writes it.
//
// The baseline is that of the data set, the protocol and the name of the candidate, whichever
// test has stored it, as tests get other names; if several have, it is that of this test. It is
// an error, before anything is trained, if there is none, or none that is complete, or if the
// data set, its partitions or a metric have changed since. Where there is no file at all, each claim
// fails and says how such a file is made; nothing is trained then, unless results are stored (LEARNTEST_OUT).
//
// A test that claims nothing of the comparison, and judges nothing by [Comparison.Judge], fails when it ends,
// since it would pass whatever the candidate scores, unless [Config].NoClaim is set.
//
// It reads the variables of [Compare].
func Against[X any, Y comparable](t TB, data Data[X, Y], candidate Learner[X, Y], path string) *Comparison {
	t.Helper()
	return against(t, Config{}, data, candidate, path)
}

// AgainstWith is Against under a configuration. One that makes no sense ends the test.
func AgainstWith[X any, Y comparable](t TB, cfg Config, data Data[X, Y], candidate Learner[X, Y], path string) *Comparison {
	t.Helper()
	return against(t, cfg, data, candidate, path)
}

func against[X any, Y comparable](t TB, cfg Config, data Data[X, Y], candidate Learner[X, Y], path string) *Comparison {
	t.Helper()
	c := &Comparison{by: "learntest.Against", candidate: candidate.Name, baseline: candidate.Name, path: path}
	g, env, err := newGroup(t, cfg, data, candidate.Name+" against "+path, "", path, []Learner[X, Y]{candidate})
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
		c.err = err
		t.Fatalf("learntest.Against: %v", err)
		return c
	}
	if c.stored != nil {
		t.Logf("baseline %s: %s", path, describe(c.stored))
	}
	g.ctx = gotest.BeforeDeadline(t)
	if c.err = g.run(g.ctx, g.cfg.runs()); c.err != nil {
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
			c.missClaim(t, "learntest.Against", c.candidate+" against "+path, "assert.NoRegression(t, c, assert.Margin(0.02))")
		})
	}
	return c
}
