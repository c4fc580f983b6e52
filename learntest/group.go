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
func newGroup[X any, Y comparable](t TB, cfg Config, data Data[X, Y], what, baseline, path string, learners []Learner[X, Y]) (*group, environment, error) {
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
		return nil, env, fmt.Errorf("%w: results are to be written to %s: %w", ErrConfig, cfg.Results.Out, errCached)
	}
	if cfg.Results.Predictions != "" && gotest.MayBeCached() {
		return nil, env, fmt.Errorf("%w: predictions are to be kept in %s: %w", ErrConfig, cfg.Results.Predictions, errCached)
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
		t.Logf("note: all %d runs are run, although claims may be settled by fewer (Settle %v): %s", cfg.Protocol.Runs(), cfg.Settle, why)
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
	return results.Test{Instance: in, Site: from.site, Resumption: envResume + "=1", Note: t.Logf, Artifacts: artifactsOf(t)}
}
