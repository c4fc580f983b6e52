package items

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"sync"

	"github.com/learnbench/learnbench/internal/buildinfo"
	"github.com/learnbench/learnbench/internal/gotest"
	"github.com/learnbench/learnbench/internal/revision"
	"github.com/learnbench/learnbench/internal/storage"
	"github.com/learnbench/learnbench/learntest/record"
)

// TB is the part of testing.TB that comparisons need.
type TB interface {
	Helper()
	Name() string
	Context() context.Context
	Cleanup(f func())
	Logf(format string, args ...any)
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// Compare compares two systems on the items of a suite, candidate and baseline. The first claim
// asks both for all answers. Answers that fail are errors of the test, and then no claim holds.
//
// LEARNTEST_DEGRADE, a share of at most 0.5, gives so many of the candidate's items the worst
// scores, to see whether the test can fail.
//
// LEARNTEST_OUT is the absolute path of a result file, or of a directory for result files: the
// answers replace the answers of the test's last run there. The systems are asked at once then.
// LEARNTEST_ALPHA is the significance level of claims that give none, at most 0.05.
//
// Each answer is kept as it comes, beside the file of LEARNTEST_OUT or in the user's cache
// directory, until the test ends. If it ends without all answers, LEARNTEST_RESUME=1 goes on from
// there: it asks for the answers that are missing or have failed. The program, the files in its
// directory, items and Config must be as before. LEARNTEST_BUDGET takes the place of Config.Budget.
//
// Under -short, each system answers a tenth of the items, at least 20, once. The test fails only if
// they show a significant regression, of more than the claim's margin if it has one; otherwise it
// is marked as skipped.
//
// LEARNTEST_ITEMS, a pattern such as refund-*, asks for the items alone whose ids it matches, and
// prints what each scores. No claim is judged then: the test is marked as skipped. Continuous
// integration refuses it.
//
// A test that makes no claim about the comparison fails when it ends, unless results are stored or
// Config.NoClaim is set.
func Compare[T any](t TB, cfg Config, suite Suite[T], candidate, baseline System[T]) *Comparison {
	t.Helper()
	c := start(t, "items.Compare", cfg, suite, "", candidate, baseline)
	if c.err == nil && c.env.update != "" && !c.cfg.NoClaim {
		c.t.Logf("note: %s writes baselines, and this comparison has none", envUpdate)
	}
	return c.begin()
}

// start returns a comparison of systems that were not asked yet; of one with itself, if it is
// alone.
func start[T any](t TB, by string, cfg Config, suite Suite[T], path string,
	systems ...System[T],
) *Comparison {
	t.Helper()
	c := &Comparison{
		t: t, by: by, path: path, candidate: systems[0].name,
		baseline: systems[len(systems)-1].name,
	}
	err := suite.err
	if err == nil {
		c.env, err = environmentOf(t)
	}
	if err == nil {
		c.cfg, err = c.env.apply(cfg).withDefaults()
	}
	var names []string
	for i, s := range systems {
		if err == nil && (s.name == "" || s.ask == nil) {
			err = fmt.Errorf("%w: system %d has no name, or nothing to ask", ErrConfig, i)
		}
		if err == nil && slices.Contains(names, s.name) {
			err = fmt.Errorf("%w: two systems are named %q: give one another name", ErrConfig, s.name)
		}
		names = append(names, s.name)
	}
	if err != nil {
		return c.fatal(err)
	}
	c.items, c.suite = suite.items, suite.name
	if _, of := record.ClusterNumbers(c.items); of == nil && c.cfg.Weight == ByCluster {
		return c.fatal(fmt.Errorf("%w: Config.Weight is ByCluster, and no item of %s has a Cluster: set these, or leave Weight out", ErrConfig, c.suite))
	}
	c.slices = record.SlicesOfItems(suite.items)
	chosen, err := c.choose()
	if err != nil {
		return c.fatal(err)
	}
	if c.now, err = c.newBlock(t, names); err != nil {
		return c.fatal(err)
	}
	for _, s := range systems {
		if s.version != "" {
			c.now.Header.Of(s.name).SetVersion(s.version)
		}
	}
	for i := range chosen {
		item := suite.cases[chosen[i]]
		for l, s := range systems {
			for repeat := range c.cfg.Repeats {
				c.calls = append(c.calls, call{
					learner: l, item: i, repeat: repeat, id: c.items[i].ID,
					ask: func(ctx context.Context, repeat int) (Scores, error) {
						return s.ask(ctx, item, repeat)
					},
				})
			}
		}
	}
	return c
}

// environmentOf reads the environment of a test, and names a variable that is for learners alone.
func environmentOf(t TB) (environment, error) {
	t.Helper()
	e, err := readEnvironment(os.LookupEnv)
	if e.predictions {
		t.Logf("note: %s keeps predictions of learners that are trained, and no answers to items: results have the scores of these", envPredictions)
	}
	return e, err
}

// newBlock returns the block for the answers of systems.
func (c *Comparison) newBlock(t TB, names []string) (*record.Block, error) {
	h := record.Header{
		Pkg: testedPackage(), Test: t.Name(), Data: c.suite,
		Protocol: record.ItemsProtocol(c.cfg.Repeats),
		Grader:   c.cfg.Grader, Toolchain: buildinfo.Toolchain(),
	}
	h.Reproduce = strings.TrimSuffix("go test -count=1 -run '"+gotest.Pattern(t.Name())+"' "+h.Pkg,
		" ")
	if c.cfg.Weight == ByCluster {
		h.Weight = record.ByCluster
	}
	if c.env.degrade > 0 {
		h.Reproduce = fmt.Sprintf("%s=%v %s", envDegrade, c.env.degrade, h.Reproduce)
	}
	if c.env.out != "" || c.env.update != "" {
		h.Commit, h.CommitTime = revision.Here()
	}
	if err := h.SetItems(c.items); err != nil {
		return nil, err
	}
	return record.NewBlock(h, names, c.cfg.Metrics, 0)
}

// testedPackage returns the import path of the package whose tests are running; empty if that is
// unknown.
func testedPackage() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		if path, ok := strings.CutSuffix(info.Path, ".test"); ok {
			return path
		}
	}
	return ""
}

// stores are the answers that running tests store, since equal keys would replace each other.
var stores sync.Map

type storedUnder struct {
	path string
	id   record.Identity
}

// begin ends what a test calls: it asks at once where answers are to be stored, and sees to it that
// a test claims something.
func (c *Comparison) begin() *Comparison {
	c.t.Helper()
	if c.err != nil {
		return c
	}
	if c.env.out != "" {
		key := storedUnder{c.env.out, c.now.Header.Identity()}
		if _, other := stores.LoadOrStore(key, true); other {
			return c.fatal(fmt.Errorf("another comparison of this test is on %s, too, and its answers are stored in %s under the same name: make subtests of them", c.suite, c.env.out))
		}
		c.t.Cleanup(func() { stores.Delete(key) })
		c.ask()
		return c
	}
	c.t.Cleanup(func() {
		c.t.Helper()
		if s, ok := c.t.(interface {
			Skipped() bool
			Failed() bool
		}); c.asked || c.cfg.NoClaim || ok && (s.Skipped() || s.Failed()) {
			return
		}
		c.t.Errorf("%s: nothing was claimed of %s on %s when the test ended, so that no answer was asked for: claim something, as in assert.NoRegression(t, c), or set Config.NoClaim if that is meant", c.by, c.candidate, c.suite)
	})
	return c
}

// fatal ends the test.
func (c *Comparison) fatal(err error) *Comparison {
	c.t.Helper()
	c.err = err
	c.t.Fatalf("%s: %v", c.by, err)
	return c
}

// ask asks for all answers, once.
func (c *Comparison) ask() {
	c.t.Helper()
	if c.done || c.err != nil {
		return
	}
	c.done = true
	e := &engine{
		cfg: c.cfg, there: make(map[place]bool), recorded: make(map[place]record.Replay),
		asking: asking{
			record: c.env.record, again: c.now.Header.Reproduce,
		},
	}
	fail := func(err error) {
		c.t.Helper()
		c.err = err
		c.t.Errorf("%s: %v", c.by, err)
	}
	keeping := keeping{c, e}
	if err := keeping.begin(); err != nil {
		fail(err)
		return
	}
	c.plan(len(e.there))
	ctx := gotest.BeforeDeadline(c.t)
	err := e.run(ctx, c.now, c.calls)
	if err == nil && c.probes() {
		e.probe(ctx, c.now, c.calls)
	}
	if err != nil {
		err = fmt.Errorf("on %s %w%s", c.suite, err, keeping.goesOn())
	}
	failed := err == nil && c.reportFailures()
	if err == nil && !failed && c.env.degrade > 0 {
		c.now, err = degraded(c.now, c.candidate, c.env.degrade)
	}
	if err == nil && !failed && c.env.out != "" && c.short == 0 {
		err = store(c.env.out, c.now)
	}
	switch c.keeper = e.keeper; {
	case err != nil || failed:
		if next := keeping.goesOn(); failed && next != "" {
			c.t.Logf("%s: the other answers are kept%s", c.suite, next)
		}
		err = errors.Join(err, c.keeper.abandon())
	case c.env.update == "": // else they are not stored yet
		c.t.Cleanup(func() { // the test has said what came of them
			c.t.Helper()
			if err := c.keeper.done(c.now); err != nil {
				c.t.Errorf("%s: %v", c.by, err)
			}
		})
	}
	if err != nil {
		fail(err)
	}
}

// plan says how many answers are asked for, beside the ones that are there, and their probable
// cost.
func (c *Comparison) plan(there int) {
	c.t.Helper()
	repeats := "once"
	if c.cfg.Repeats > 1 {
		repeats = fmt.Sprintf("%d times", c.cfg.Repeats)
	}
	who := c.candidate + " answers"
	if len(c.now.Learners) > 1 {
		who = c.candidate + " and " + c.baseline + " answer"
	}
	line := fmt.Sprintf("%s: %s %d items %s: %d answers", c.suite, who, len(c.items),
		repeats, len(c.calls))
	if there > 0 {
		line += fmt.Sprintf(", of which %d are there", there)
	}
	if c.probes() {
		line += fmt.Sprintf(", and %d again", probed*len(c.now.Learners))
	}
	if c.cfg.Budget > 0 {
		u := c.cfg.metric(c.cfg.BudgetMetric)
		line += fmt.Sprintf("; the budget is %v %s", c.cfg.Budget, u.Name)
		if c.stored != nil {
			if mean, ok := c.stored.Mean(c.candidate, u.Name); ok {
				line += fmt.Sprintf(", at %s each as last time they cost %.4g", u.FormatScore(mean),
					mean*float64(len(c.calls)-there))
			}
		}
	}
	if c.cfg.Budget > 0 && !gotest.Verbose() {
		fmt.Fprintln(os.Stdout, line)
		return
	}
	c.t.Logf("%s", line)
}

// reportFailures tells the test about failed answers, and returns whether there are any.
func (c *Comparison) reportFailures() bool {
	c.t.Helper()
	const most = 5
	failed := record.NewFile(c.now).Failures()
	for i, f := range failed {
		if i == most {
			c.t.Errorf("%s: and %d more answers failed", c.by, len(failed)-most)
			break
		}
		c.t.Errorf("%s: answer failed: %v: %s", c.by, f.Cell(), f.Err)
	}
	return len(failed) > 0
}

// store puts a block into a result file.
func store(path string, b *record.Block) error {
	s, err := storage.NewStore(path)
	if err == nil {
		_, err = s.Put(b)
	}
	if err != nil {
		return fmt.Errorf("the answers were not stored in %s: %w", path, err)
	}
	return nil
}
