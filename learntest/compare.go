package learntest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/learnbench/learnbench/internal/gotest"
	"github.com/learnbench/learnbench/internal/revision"
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

// A Comparison holds the records of two learners on one data set. The claims of
// package assert are made about it.
type Comparison struct {
	group     *group
	candidate string
	baseline  string
	stored    *record.Block // the baseline's; nil if it was run, too
	env       environment
	err       error       // why there are no records
	asked     atomic.Bool // a claim was judged
}

// A group is the comparisons whose learners are run together.
type group struct {
	mu      sync.Mutex // of the session
	session *session
	ctx     context.Context
	short   int // number of runs of the protocol of which -short has left one; else 0
}

// Compare runs the candidate and the baseline on the same random partitions of
// the data, in 10×10 stratified cross-validation, and returns their records, as a
// test does that is about to claim something about them.
//
// Data that trials cannot run on end the test. Trials that fail are reported as
// errors that name learner, run and fold, and no claim about the comparison holds
// then. The deadline of the test ends the trials in time to report.
//
// Environment variables override the configuration: LEARNTEST_SEED and
// LEARNTEST_RUNS those of the protocol, LEARNTEST_RUNS_MIN the number of runs that are
// trained at least, whatever is claimed, and LEARNTEST_RUNS_MAX the budget of each required
// replicability, in runs (see [verdict.Claim].MaxRuns). Protocols without anything random keep their
// runs, whatever the variables say of these. LEARNTEST_ALPHA is the significance level of
// claims that give none. LEARNTEST_OUT is the absolute path of a result file, or of a
// directory for result files: the records of the test replace those of its last run
// there (see [Results.Out]). They are written into the test's artifact directory as well
// if go test has -artifacts, and the test then logs the command that draws them.
//
// LEARNTEST_SHARD=2/8 has the test run one of eight shards of the trials (see
// [ParseShard]). It records them, and claims are not judged, which marks the test as skipped:
// LEARNTEST_IN is the absolute pattern of the result files that all shards have written,
// from which claims are judged without any training.
//
// LEARNTEST_RESUME=1 takes over what an interrupted run of the same has left there (see
// [Results.Resume]).
//
// Runs beyond the protocol's own are not trained again if the result file has them of an
// earlier run of the same test: of the same program and commit, on the same data, with
// the same scores in each of the protocol's own runs, which are trained each time. A learner
// that is another program, or reads files, and that has changed without a trace in
// these, goes unnoticed there: remove the file when such a learner changes.
//
// LEARNTEST_DEGRADE=0.1 makes each candidate worse on purpose, to see whether the test can
// fail: one in ten of its predictions, drawn at random by the seed of each trial, is
// replaced by the label of a random training example, which is a draw from the class prior
// or, for numbers, from the training targets. All that is printed calls the candidate degraded,
// and nothing of it can be stored. learnbench prove does that with more and more of them.
//
// A run that go test may cache writes no file the next time, so that results to
// be written are an error there: add -count=1.
//
// The verdict is among the attributes of the test: learntest.1.verdict and
// others for its first comparison, learntest.2.verdict for its second, and so
// on.
//
// Under -short the first run of a protocol with several random ones is run, and a claim
// fails if that shows a significant regression. Otherwise it is not judged, and the test is
// marked as skipped.
//
// Several comparisons of one test on the same data may share learners. A
// shared learner must then have the same results in each of them. It is trained again in
// each; [CompareAll] trains it once.
func Compare[X any, Y comparable](t TB, data Data[X, Y], candidate, baseline Learner[X, Y]) *Comparison {
	t.Helper()
	return compare(t, Config{}, data, baseline, candidate)[0]
}

// CompareWith is Compare under a configuration. One that makes no sense ends the
// test.
//
// Note: The configuration is a parameter of a function of its own rather than a last one
// that may be left out, which could be given twice, or a receiver, which no generic
// function can have.
func CompareWith[X any, Y comparable](t TB, cfg Config, data Data[X, Y], candidate, baseline Learner[X, Y]) *Comparison {
	t.Helper()
	return compare(t, cfg, data, baseline, candidate)[0]
}

// CompareAll compares several candidates with one baseline, which is trained only
// once, and returns a comparison for each candidate, in their order. Each has
// claims, attributes and failed trials of its own: that one candidate fails is no
// matter for the claims about the others. Where a claim takes further runs,
// the two learners that it is about are run further.
func CompareAll[X any, Y comparable](t TB, cfg Config, data Data[X, Y], baseline Learner[X, Y], candidates ...Learner[X, Y]) []*Comparison {
	t.Helper()
	return compare(t, cfg, data, baseline, candidates...)
}

func compare[X any, Y comparable](t TB, cfg Config, data Data[X, Y], baseline Learner[X, Y], candidates ...Learner[X, Y]) []*Comparison {
	t.Helper()
	cs := make([]*Comparison, len(candidates))
	for i, l := range candidates {
		cs[i] = &Comparison{candidate: l.Name, baseline: baseline.Name}
	}
	if len(candidates) == 0 {
		t.Fatalf("learntest.Compare: %v", fmt.Errorf("%w: no candidates to compare with %s", ErrConfig, baseline.Name))
		return nil
	}
	what := candidates[0].Name
	if n := len(candidates); n > 1 {
		what = fmt.Sprintf("%d candidates", n)
	}
	learners := slices.Concat(candidates[:1], []Learner[X, Y]{baseline}, candidates[1:])
	g, env, err := newGroup(t, cfg, data, what+" vs "+baseline.Name, baseline.Name, learners)
	if err != nil {
		t.Fatalf("learntest.Compare: %v", err)
	} else {
		g.ctx = gotest.BeforeDeadline(t)
		if err = g.session.run(g.ctx, g.session.cfg.runs()); err != nil {
			t.Errorf("learntest.Compare: %v", err)
		}
	}
	for i, c := range cs {
		c.group, c.env, c.err = g, env, err
		if g != nil && err == nil && g.session.cfg.Results.Shard.Count > 0 {
			c.err = g.session.sharded()
		}
		if g != nil {
			c.report(t, i == 0)
		}
	}
	cs[0].logDrawing(t, "")
	return cs
}

// newGroup returns what runs the learners, and the environment. What is in words what
// is run; the baseline, if it is run, is not degraded.
func newGroup[X any, Y comparable](t TB, cfg Config, data Data[X, Y], what, baseline string, learners []Learner[X, Y]) (*group, environment, error) {
	env, err := parseEnvironment(os.LookupEnv, os.Environ())
	if err != nil {
		return nil, env, err
	}
	if cfg, err = env.apply(cfg); err != nil {
		return nil, env, err
	}
	cfg.degrade, cfg.spared = env.degrade, baseline
	if err := cfg.checkDegrade(wantArtifacts(), env.update); err != nil {
		return nil, env, err
	}
	runs, short := cfg.Protocol.Runs(), false
	if isShort() && env.update == "" {
		cfg, short = shortened(cfg)
	}
	if cfg.Results.Out != "" && gotest.MayBeCached() {
		return nil, env, fmt.Errorf("%w: results are to be written to %s: %w", ErrConfig, cfg.Results.Out, errCached)
	}
	if cfg.Results.In != nil && gotest.MayBeCached() {
		return nil, env, fmt.Errorf("%w: results are to be read from %s: %w", ErrConfig, strings.Join(cfg.Results.In, ", "), errUnseen)
	}
	from := findCaller()
	if cfg.Results.Pkg == "" {
		cfg.Results.Pkg = from.pkg
	}
	if cfg.Results.Test == "" {
		cfg.Results.Test = t.Name()
	}
	if cfg.Results.Reproduce == "" {
		cfg.Results.Reproduce = reproduceTest(env, cfg.Results.Pkg, t.Name())
	}
	if cfg.Results.Commit == "" && (cfg.Results.Out != "" || cfg.Results.In != nil || env.update != "") {
		cfg.Results.Commit, cfg.Results.CommitTime = revision.Here()
	}
	if cfg.Progress == nil {
		cfg.Progress = logProgress(t, fmt.Sprintf("%s on %s", what, data.Name()))
	}
	s, err := newSession([]Data[X, Y]{data}, learners, cfg)
	if err != nil {
		return nil, env, err
	}
	s.instance, s.site, s.note, s.resumption = instanceOf(t), from.site, t.Logf, envResume+"=1"
	s.reuses = true
	if err := s.keepCopies(t); err != nil {
		return nil, env, err
	}
	if err := s.begun(false); err != nil {
		return nil, env, err
	}
	g := &group{session: s}
	if short {
		g.short = runs
	}
	return g, env, nil
}

// report tells the test about failed trials and, as attributes, the verdict.
// The first comparison of a group reports those of the baseline.
func (c *Comparison) report(t TB, first bool) {
	t.Helper()
	const most = 5
	failed, reported := false, 0
	for _, f := range c.Records().Failures() {
		if f.Learner != c.candidate && f.Learner != c.baseline {
			continue
		}
		failed = true
		if f.Learner == c.baseline && !first {
			continue
		}
		if reported++; reported <= most {
			t.Errorf("learntest.Compare: trial failed: %v: %s", f.Cell(), f.Err)
		}
	}
	if reported > most {
		t.Errorf("learntest.Compare: and %d more trials failed", reported-most)
	}
	if errors.Is(c.err, verdict.ErrNotJudged) {
		candidate, baseline := c.titles()
		t.Logf("%s vs %s on %s: %v", candidate, baseline, c.group.session.inputs[0].Name, c.err)
		return
	}
	candidate, baseline := c.titles()
	v := c.judge(verdict.Claim{})
	if !failed {
		t.Logf("%s", v.Summary())
	}
	if errors.Is(v.Err, verdict.ErrNotJudged) {
		return
	}
	a, ok := t.(interface{ Attr(key, value string) })
	if !ok {
		return
	}
	n := c.group.session.instance.next()
	attr := func(key, value string) {
		// The testing package refuses values of several lines.
		a.Attr(fmt.Sprintf("learntest.%d.%s", n, key), strings.NewReplacer("\n", " ", "\r", " ").Replace(value))
	}
	attr("comparison", fmt.Sprintf("%s vs %s on %s", candidate, baseline, c.group.session.inputs[0].Name))
	attr("verdict", v.Outcome.String())
	if v.Outcome != verdict.Invalid {
		attr("p", strconv.FormatFloat(v.Difference.P, 'g', -1, 64))
		if v.Rerun != nil {
			attr("replicability", strconv.FormatFloat(v.Rerun.R, 'g', -1, 64))
		}
	}
}

// Records returns the records of all trials run so far, those of other candidates
// of [CompareAll] included, and not those of a stored baseline. They must not be modified; those of trials that are run
// later are not added to them.
func (c *Comparison) Records() *record.File {
	if c.group == nil {
		return record.NewFile()
	}
	return c.group.session.file()
}

// Judge judges a claim about the candidate and the baseline. If that takes more
// runs than there are, or a second opinion, they are run. What was claimed before makes no
// difference.
func (c *Comparison) Judge(claim verdict.Claim) verdict.Verdict {
	c.asked.Store(true)
	return c.judge(claim)
}

func (c *Comparison) judge(claim verdict.Claim) verdict.Verdict {
	if c.err != nil {
		v := verdict.Fail(claim, c.err)
		v.Candidate, v.Baseline = c.titles()
		if c.group != nil {
			v.Data = c.group.session.inputs[0].Name
		}
		return v
	}
	claim, err := c.settle(claim)
	if err != nil {
		return verdict.Fail(claim, err)
	}
	g := c.group
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.short > 0 {
		return c.judgeShort(claim)
	}
	consulted := false
	for runs := 0; ; {
		candidate, baseline := c.selections()
		v := verdict.OfSelections(candidate, baseline, claim)
		if v.NeedSecond && !consulted {
			consulted = true
			if err := c.consult(claim); err != nil {
				return verdict.Fail(claim, err)
			}
			continue
		}
		if v.NeedRuns <= runs {
			c.helpBudget(&v)
			return v
		}
		runs = v.NeedRuns
		if there := c.storedRuns(); there > 0 && runs > there {
			return verdict.Fail(claim, fmt.Errorf("the claim takes %d runs, and %d are stored: %s", runs, there, c.more(runs)))
		}
		if err := g.session.run(g.ctx, runs, c.candidate, c.baseline); err != nil {
			return verdict.Fail(claim, err)
		}
	}
}

// consult provides the second opinion that a claim asks for.
func (c *Comparison) consult(claim verdict.Claim) error {
	s := c.group.session
	o, err := s.secondOn(s.inputs[0], claim.Halvings)
	if err != nil {
		return err
	}
	return o.provide(c.group.ctx, c.candidate, c.baseline)
}

// titles returns what candidate and baseline are called.
func (c *Comparison) titles() (candidate, baseline string) {
	candidate, baseline = c.candidate, c.baseline
	if c.stored != nil && c.candidate == c.baseline {
		candidate, baseline = c.candidate+", now", c.baseline+version(&c.stored.Header)
	}
	if c.env.degrade > 0 {
		candidate += fmt.Sprintf(" degraded by %v", c.env.degrade)
	}
	return candidate, baseline
}

// selections returns the trials of candidate and baseline.
func (c *Comparison) selections() (candidate, baseline record.Selection) {
	s := c.group.session
	candidate = record.Selection{File: s.file(), Data: s.inputs[0].Name, Learner: c.candidate}
	baseline = record.Selection{File: candidate.File, Data: candidate.Data, Learner: c.baseline}
	if c.stored != nil {
		baseline.File = record.NewFile(c.stored)
	}
	candidate.Title, baseline.Title = c.titles()
	return candidate, baseline
}

// Verdicts returns the verdict of Judge, as package assert wants it.
func (c *Comparison) Verdicts(claim verdict.Claim) []verdict.Verdict {
	return []verdict.Verdict{c.Judge(claim)}
}

// logProgress returns a progress function that logs every few seconds.
func logProgress(t TB, what string) func(done, total int) {
	const every = 3 * time.Second
	start := time.Now()
	last := start
	return func(done, total int) {
		if now := time.Now(); now.Sub(last) >= every && done < total {
			last = now
			took := now.Sub(start)
			left := time.Duration(float64(took) / float64(done) * float64(total-done))
			t.Logf("%s: %d of %d trials after %v, %v left", what, done, total, took.Round(time.Second), left.Round(time.Second))
		}
	}
}
