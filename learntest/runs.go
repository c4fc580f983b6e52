package learntest

import (
	"context"
	"fmt"

	"github.com/learnbench/learnbench/learntest/internal/results"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// run provides runs 1 to runs of the given learners, or of all if none are given, and
// stores them: in a test, further ones from the result file if they can be taken from there, and
// all others by training.
func (x *experiment) run(ctx context.Context, runs int, learners ...string) error {
	if len(learners) == 0 {
		learners = x.learners
	}
	if x.inTest && x.there.Stores() && !x.cfg.observed() && x.cfg.Results.In == nil {
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
func (x *experiment) consult(ctx context.Context, s *results.Set, halvings int,
	learners ...string,
) error {
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
	return fmt.Errorf("%w: this is shard %v with %d trials, which are in %s: judge the trials of all shards with %s", verdict.ErrNotJudged, r.Shard, x.there.Len(), r.Out, envIn)
}
