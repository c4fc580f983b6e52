package learntest

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// TB is the part of testing.TB that Compare needs. A *testing.T also has a
// deadline, attributes and a directory for artifacts, which Compare uses if they
// are there.
type TB interface {
	Helper()
	Name() string
	Context() context.Context
	Cleanup(f func())
	Logf(format string, args ...any)
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
}

var errDeadline = errors.New("the test's deadline is near")

// A Comparison holds the records of two learners on one data set. The claims of
// package assert are made about it.
type Comparison struct {
	mu        sync.Mutex
	session   *session
	ctx       context.Context
	candidate string
	baseline  string
	alpha     float64 // of claims that give none; 0 for the default
	err       error   // why there are no records
}

// Compare runs the candidate and the baseline on the same random partitions of
// the data and returns their records, as a test does that is about to claim
// something about them. At most one Config may be given; the zero one is 10×10
// stratified cross-validation.
//
// A configuration or data that trials cannot run on end the test. Trials that
// fail are reported as errors that name learner, run and fold, and no claim about
// the comparison holds then. The deadline of the test ends the trials in time to
// report.
//
// Environment variables override the configuration: LEARNTEST_SEED and
// LEARNTEST_RUNS those of the protocol (the latter where its runs are random), LEARNTEST_ALPHA the significance level of
// claims that give none. LEARNTEST_OUT is the absolute path of a result file, or of a
// directory for result files: the records of the test replace those of its last run
// there (see [Config.Out]). They are written into the test's artifact directory as well
// if go test has -artifacts.
//
// A run that go test may cache writes no file the next time, so that results to
// be written are an error there: add -count=1.
//
// Several comparisons of one test on the same data may share learners. A
// shared learner must then have the same results in each of them.
func Compare[X any, Y comparable](t TB, data Data[X, Y], candidate, baseline Learner[X, Y], config ...Config) *Comparison {
	t.Helper()
	c, err := newComparison(t, data, candidate, baseline, config)
	if err != nil {
		t.Fatalf("learntest.Compare: %v", err)
		return &Comparison{err: err}
	}
	c.start(t)
	if err := c.session.run(c.ctx, c.session.cfg.Protocol.Runs()*c.session.cfg.Repeats); err != nil {
		t.Errorf("learntest.Compare: %v", err)
		c.err = err
	}
	c.report(t)
	return c
}

func newComparison[X any, Y comparable](t TB, data Data[X, Y], candidate, baseline Learner[X, Y], config []Config) (*Comparison, error) {
	env, err := parseEnvironment(os.LookupEnv, os.Environ())
	if err != nil {
		return nil, err
	}
	var cfg Config
	switch len(config) {
	case 0:
	case 1:
		cfg = config[0]
	default:
		return nil, fmt.Errorf("%w: %d of them", ErrConfig, len(config))
	}
	cfg = env.apply(cfg)
	if cfg.Out != "" && mayBeCached() {
		return nil, fmt.Errorf("%w: results are to be written to %s: %w", ErrConfig, cfg.Out, errCached)
	}
	if cfg.Pkg == "" {
		cfg.Pkg = callerPackage(3)
	}
	if cfg.Test == "" {
		cfg.Test = t.Name()
	}
	if cfg.Reproduce == "" {
		cfg.Reproduce = reproduceTest(env, cfg.Pkg, t.Name())
	}
	if cfg.Commit == "" && cfg.Out != "" {
		cfg.Commit, cfg.CommitTime = revision()
	}
	if cfg.Progress == nil {
		cfg.Progress = logProgress(t, fmt.Sprintf("%s vs %s on %s", candidate.Name, baseline.Name, data.Name()))
	}
	s, err := newSession([]Data[X, Y]{data}, []Learner[X, Y]{candidate, baseline}, cfg)
	if err != nil {
		return nil, err
	}
	s.instance, s.site, s.note = instanceOf(t), callSite(3), t.Logf
	if a, ok := t.(interface{ ArtifactDir() string }); ok && wantArtifacts() {
		if s.copies, err = record.NewStore(filepath.Join(a.ArtifactDir(), "learntest.txt")); err != nil {
			return nil, err
		}
	}
	return &Comparison{session: s, candidate: candidate.Name, baseline: baseline.Name, alpha: env.alpha}, nil
}

// start makes the context of the trials, which ends before the test does.
func (c *Comparison) start(t TB) {
	c.ctx = t.Context()
	d, ok := t.(interface{ Deadline() (time.Time, bool) })
	if !ok {
		return
	}
	end, ok := d.Deadline()
	if !ok {
		return
	}
	// Time to report: go test ends the whole process at the deadline.
	margin := min(max(time.Until(end)/20, time.Second), 10*time.Second)
	ctx, cancel := context.WithDeadlineCause(c.ctx, end.Add(-margin), errDeadline)
	t.Cleanup(cancel)
	c.ctx = ctx
}

// report tells the test about failed trials and, as attributes, the verdict.
func (c *Comparison) report(t TB) {
	t.Helper()
	const most = 5
	failed := c.Records().Failures()
	for i, f := range failed {
		if i == most {
			t.Errorf("learntest.Compare: and %d more trials failed", len(failed)-most)
			break
		}
		t.Errorf("learntest.Compare: trial failed: %v: %s", f.Cell(), f.Err)
	}
	v := c.Judge(verdict.Claim{})
	if len(failed) == 0 {
		t.Logf("%s", v.Summary())
	}
	if a, ok := t.(interface{ Attr(key, value string) }); ok {
		a.Attr("learntest.comparison", fmt.Sprintf("%s vs %s on %s", c.candidate, c.baseline, v.Data))
		a.Attr("learntest.verdict", v.Outcome.String())
		if v.Outcome != verdict.Invalid {
			a.Attr("learntest.p", strconv.FormatFloat(v.Difference.P, 'g', -1, 64))
			if v.Rerun != nil {
				a.Attr("learntest.replicability", strconv.FormatFloat(v.Rerun.R, 'g', -1, 64))
			}
		}
	}
}

// wantArtifacts reports whether go test keeps artifacts.
func wantArtifacts() bool {
	f := flag.Lookup("test.artifacts")
	return f != nil && f.Value.String() == "true"
}

// Records returns the records of all trials run so far. They must not be
// modified; those of trials that are run later are not added to them.
func (c *Comparison) Records() *record.File {
	if c.session == nil {
		return record.NewFile()
	}
	return c.session.file()
}

// Judge judges a claim about the candidate and the baseline. If that takes more
// runs than there are, they are run. What was claimed before makes no
// difference.
func (c *Comparison) Judge(claim verdict.Claim) verdict.Verdict {
	if claim.Alpha == 0 {
		claim.Alpha = c.alpha
	}
	if c.err != nil {
		return verdict.Fail(claim, c.err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for runs := 0; ; {
		v := c.judge(claim)
		if v.NeedRuns <= runs {
			return v
		}
		runs = v.NeedRuns
		if err := c.session.run(c.ctx, runs); err != nil {
			return verdict.Fail(claim, err)
		}
	}
}

// Verdicts returns the verdict of Judge, as package assert wants it.
func (c *Comparison) Verdicts(claim verdict.Claim) []verdict.Verdict {
	return []verdict.Verdict{c.Judge(claim)}
}

func (c *Comparison) judge(claim verdict.Claim) verdict.Verdict {
	return verdict.OfFile(c.session.file(), c.session.inputs[0].name, c.candidate, c.baseline, claim)
}

// logProgress returns a progress function that logs every few seconds.
func logProgress(t TB, what string) func(done, total int) {
	const every = 3 * time.Second
	start := time.Now()
	last := start
	return func(done, total int) {
		if now := time.Now(); now.Sub(last) >= every && done < total {
			last = now
			t.Logf("%s: %d of %d trials after %v", what, done, total, now.Sub(start).Round(time.Second))
		}
	}
}
