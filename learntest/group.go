package learntest

import (
	"context"
	"fmt"
	"os"
	"strings"
	"sync"

	"github.com/learnbench/learnbench/internal/gotest"
	"github.com/learnbench/learnbench/internal/revision"
	"github.com/learnbench/learnbench/learntest/internal/results"
	"github.com/learnbench/learnbench/learntest/stat"
)

// A group is the comparisons whose learners are run together.
type group struct {
	*experiment
	mu    sync.Mutex // of the experiment
	ctx   context.Context
	gamma float64 // with which the first runs may settle a claim; 0 if all are trained
	short int     // number of runs of the protocol of which -short has left one; else 0
}

// newGroup returns the group that runs the learners, and the environment. The log of progress
// calls the comparison what. The learner named baseline is not degraded; it is empty if the
// baseline is stored at the path.
func newGroup[X any, Y comparable](t TB, cfg Config, data Data[X, Y], what, baseline, path string,
	learners []Learner[X, Y],
) (*group, environment, error) {
	env, err := parseEnvironment(os.LookupEnv, os.Environ())
	if err != nil {
		return nil, env, err
	}
	if cfg, err = grouped(cfg, []Data[X, Y]{data}); err != nil { // which has a seed and runs to be overridden
		return nil, env, err
	}
	if cfg, err = env.apply(cfg); err != nil {
		return nil, env, err
	}
	cfg.degrade, cfg.spared, cfg.against = env.degrade, baseline, path
	if err := cfg.checkDegrade(wantArtifacts(), env.update); err != nil {
		return nil, env, err
	}
	runs, short := cfg.Protocol.Runs(), false
	if isShort() && env.update == "" {
		cfg, short = shortened(cfg)
	}
	if cfg.Results.Out != "" && gotest.MayBeCached() {
		return nil, env, fmt.Errorf("%w: results are to be written to %s: %w", ErrConfig, cfg.Results.Out,
			errCached)
	}
	if cfg.Results.Predictions != "" && gotest.MayBeCached() {
		return nil, env, fmt.Errorf("%w: predictions are to be kept in %s: %w", ErrConfig,
			cfg.Results.Predictions, errCached)
	}
	if cfg.Results.In != nil && gotest.MayBeCached() {
		return nil, env, fmt.Errorf("%w: results are to be read from %s: %w", ErrConfig,
			strings.Join(cfg.Results.In, ", "), errUnseen)
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
	if cfg.Results.Commit == "" && (cfg.Results.Out != "" || cfg.Results.In != nil ||
		env.update != "") {
		cfg.Results.Commit, cfg.Results.CommitTime = revision.Here()
	}
	if cfg.Progress == nil {
		cfg.Progress = logProgress(t, fmt.Sprintf("%s on %s", what, data.Name()))
	}
	x, err := newExperiment(&registry, []Data[X, Y]{data}, learners, cfg)
	if err != nil {
		return nil, env, err
	}
	if cfg.Results.In == nil {
		if err := checkTelltales(gotest.BeforeDeadline(t), data, learners, x.cfg.Protocol); err != nil {
			return nil, env, err
		}
	}
	for _, note := range x.notes {
		t.Logf("note: %s", note)
	}
	x.inTest = true
	if err := x.there.Within(testOf(t, from)); err != nil {
		return nil, env, err
	}
	if err := x.there.TakeOver(false); err != nil {
		return nil, env, err
	}
	useCache(x, env, learners)
	g := &group{experiment: x}
	if short {
		g.short = runs
	}
	why := ""
	if g.gamma, why = x.settles(env, short); why != "" {
		t.Logf("note: all %d runs are run, although claims may be settled by fewer (Settle %v): %s",
			cfg.Protocol.Runs(), cfg.Settle, why)
	}
	return g, env, nil
}

// set is the cells of the only data set.
func (g *group) set() *results.Set { return g.there.Sets()[0] }

// testOf returns the running test as package results has it.
func testOf(t TB, from caller) results.Test {
	in, isNew := registry.Instance(t)
	if isNew {
		t.Cleanup(func() {
			if err := registry.End(t); err != nil {
				t.Errorf("learntest: %v", err)
			}
		})
	}
	return results.Test{
		Instance: in, Site: from.site, Resumption: envResume + "=1", Note: t.Logf,
		Artifacts: artifactsOf(t),
	}
}

// settles returns the error with which claims may be settled by the first runs; 0 if all runs are
// trained, and then why. They are trained wherever something but the claims of a test looks at the
// results.
func (x *experiment) settles(env environment, short bool) (gamma float64, why string) {
	c := x.cfg
	rule := stat.Curtailment{Runs: c.Protocol.Runs(), Error: c.Settle}
	switch {
	case c.Settle == 0:
		return 0, ""
	case short:
		return 0, "" // its own message says so
	case c.Results.In != nil:
		return 0, "nothing is trained"
	case env.update != "":
		return 0, "a baseline is made of them"
	case c.Results.Shard.Count > 0:
		return 0, "a shard trains its part of them"
	case c.observed():
		return 0, "their predictions are wanted"
	case c.NoClaim:
		return 0, "nothing is claimed"
	case c.Repeats > 1 || c.MinRuns > 0:
		return 0, "the configuration asks for them (Repeats, MinRuns)"
	case !c.Protocol.IsRandom():
		return 0, fmt.Sprintf("%q has nothing random", c.Protocol)
	case len(rule.Looks()) == 0:
		return 0, fmt.Sprintf("%d are too few to stop earlier", rule.Runs)
	}
	return c.Settle, ""
}

// runsThere returns the number of the first runs that some learners have been run in; 0 if these
// are all of the protocol, or more.
func (x *experiment) runsThere(s *results.Set, learners ...string) int {
	if n := results.CompleteRuns(s.Block(), learners...); n < s.Runs() {
		return n
	}
	return 0
}

// firstRuns returns the number of runs to train before any claim is known.
func (g *group) firstRuns() int {
	if g.gamma == 0 {
		return g.cfg.runs()
	}
	return stat.Curtailment{Runs: g.cfg.Protocol.Runs(), Error: g.gamma}.Looks()[0]
}

// firstRunsThere returns the number of the first runs in which the claims about some learners are
// judged; 0 if that is all runs.
func (g *group) firstRunsThere(learners ...string) int {
	if g.gamma == 0 {
		return 0
	}
	return g.runsThere(g.set(), learners...)
}
