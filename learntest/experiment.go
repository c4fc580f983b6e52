package learntest

import (
	"context"
	"fmt"

	"github.com/learnbench/learnbench/learntest/internal/results"
	"github.com/learnbench/learnbench/learntest/internal/trial"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// registry is what this process knows of result files and of the tests that are running. It is a
// variable since the comparisons of a test have nothing in common but its TB. Only [Run] and
// [Compare] read it, and pass it on.
var registry results.Registry

// An experiment is a set of learners on a set of data sets. Whatever is trained, be it the
// protocol's own runs, further ones or a second opinion, is what is missing of the cells that are
// wanted.
type experiment struct {
	cfg      Config
	learners []string
	there    *results.Results // the cells that are there
	inTest   bool
}

// newExperiment returns the experiment of learners on data sets, without any cells.
func newExperiment[X any, Y comparable](known *results.Registry, data []Data[X, Y], learners []Learner[X, Y], cfg Config) (*experiment, error) {
	if len(data) == 0 || len(learners) == 0 {
		return nil, fmt.Errorf("%w: %d data sets and %d learners", ErrConfig, len(data), len(learners))
	}
	cfg, err := cfg.withDefaults(!isFloat(*new(Y)))
	if err != nil {
		return nil, err
	}
	x := &experiment{cfg: cfg}
	seen := make(map[string]bool)
	for i, l := range learners {
		if l.Name == "" || l.Fit == nil {
			return nil, fmt.Errorf("%w: learner %d has no name or no Fit", ErrConfig, i)
		}
		if seen[l.Name] {
			return nil, fmt.Errorf("%w: two learners are named %q: give one another name", ErrConfig, l.Name)
		}
		seen[l.Name] = true
		x.learners = append(x.learners, l.Name)
	}
	x.there = results.New(known, cfg.settings(x.learners))
	clear(seen)
	for _, d := range data {
		src, err := newSource(d)
		if err != nil {
			return nil, err
		}
		if seen[src.name] {
			return nil, fmt.Errorf("%w: two data sets are named %q", ErrConfig, src.name)
		}
		seen[src.name] = true
		plan, err := cfg.Protocol.Plan(src.examples())
		if err != nil {
			return nil, src.planError(err)
		}
		facts := results.Facts{Target: src.target(), Majority: func() string { return src.majority(plan, cfg.Metrics) }}
		if _, err := x.there.Add(bindAll(src, learners, x.learners, cfg), plan, facts); err != nil {
			return nil, fmt.Errorf("data set %q: %w", src.name, err)
		}
	}
	return x, x.there.Open()
}

// bindAll binds learners to a data set.
func bindAll[X any, Y comparable](src *source[X, Y], learners []Learner[X, Y], names []string, cfg Config) *trial.Data {
	d := &trial.Data{Name: src.name, Digest: src.digest, Examples: src.examples(), Current: src.current, Learners: names}
	for _, l := range learners {
		f := bind(src, l)
		if cfg.degrade > 0 && l.Name != cfg.spared {
			f = degraded(src, cfg.degrade, f)
		}
		d.Funcs = append(d.Funcs, f)
	}
	return d
}

// run provides runs 1 to runs of the given learners, or of all if none are given, and
// stores them: in a test, further ones from the result file if they can be taken from there, and
// all others by training.
func (x *experiment) run(ctx context.Context, runs int, learners ...string) error {
	if len(learners) == 0 {
		learners = x.learners
	}
	if x.inTest && x.there.Stores() && x.cfg.Predicted == nil && x.cfg.Results.In == nil {
		x.there.Remember()
		if own := x.cfg.Protocol.Runs(); runs > own {
			if err := x.provide(ctx, x.ofRuns(own, learners)); err != nil {
				return err
			}
			if err := x.there.Reuse(runs, learners); err != nil {
				return err
			}
		}
	}
	return x.provide(ctx, x.ofRuns(runs, learners))
}

// ofRuns are the cells of runs 1 to runs of the learners on all data sets.
func (x *experiment) ofRuns(runs int, learners []string) wanted {
	return wanted{sets: x.there.Sets(), runs: runs, learners: learners, predicted: x.cfg.Predicted}
}

// consult provides the second opinion from so many halvings on the results on a data set.
func (x *experiment) consult(ctx context.Context, s *results.Set, halvings int, learners ...string) error {
	text, err := verdict.SecondProtocol(x.cfg.Protocol.String(), halvings)
	if err != nil {
		return err
	}
	p, err := split.Parse(text)
	if err != nil {
		return err
	}
	o, err := x.there.Opinion(s, p, learners...)
	if err != nil || x.cfg.Results.In != nil {
		return err
	}
	return x.provide(ctx, wanted{sets: []*results.Set{o}, runs: o.Runs(), learners: learners})
}

// sharded says that a shard is not judged.
func (x *experiment) sharded() error {
	r := x.cfg.Results
	return fmt.Errorf("%w: this is shard %v with %d trials, which are in %s: judge those of all shards with %s", verdict.ErrNotJudged, r.Shard, x.there.Len(), r.Out, envIn)
}
