package learntest

import (
	"context"
	"fmt"

	"github.com/learnbench/learnbench/learntest/internal/results"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// Run trains and tests each learner on every fold of each data set, and
// returns one block of records for each data set.
//
// All learners see the same partitions and the same seeds. A trial that fails
// (an error, a panic, a prediction or a metric that is not a number, a trial's own time
// limit) is recorded with its cause, and the others go on; record.File.Failures lists
// them. Config.Parallel changes no results but times.
//
// The error says that the trials could not be run at all, that the context ended
// before all were run (it wraps the context's cause), or that their results could not be
// written; in the latter two cases Run returns the records of the finished trials nevertheless.
func Run[X any, Y comparable](ctx context.Context, data []Data[X, Y], learners []Learner[X, Y],
	cfg Config,
) (*record.File, error) {
	if cfg.Settle != 0 {
		return nil, fmt.Errorf("%w: Settle %v without a claim that the first runs could settle: RunAndJudge and tests have claims", ErrConfig, cfg.Settle)
	}
	x, err := runAll(ctx, data, learners, cfg, 0)
	if x == nil {
		return nil, err
	}
	return x.there.File(), err
}

// RunAndJudge is Run with a claim about the first learner against each of the others, on each
// data set: the verdicts come by data set, then by learner. A second opinion that a claim asks for
// is trained as well, and is among the records and in the result file.
//
// With Config.Settle, each comparison is run as far as it takes to settle the claim, and results
// that are stored say so.
//
// There are no verdicts if there is an error, if a trial has failed, or if this is a shard.
func RunAndJudge[X any, Y comparable](ctx context.Context, data []Data[X, Y],
	learners []Learner[X, Y], cfg Config, claim verdict.Claim) (*record.File, []verdict.Verdict,
	error,
) {
	first := 0
	if cfg.Settle != 0 {
		if r := cfg.Results; r.In != nil || r.Shard.Count > 0 {
			return nil, nil, fmt.Errorf("%w: Settle, and results that are taken from files, or belong to a shard (Results.In, Shard), exclude each other: all runs are there, or trained elsewhere", ErrConfig)
		}
		if claim.Settle = cfg.Settle; cfg.Repeats <= 1 && cfg.MinRuns == 0 && !cfg.observed() {
			first = 2
		}
	}
	x, err := runAll(ctx, data, learners, cfg, first)
	if x == nil {
		return nil, nil, err
	}
	var verdicts []verdict.Verdict
	if err == nil && x.cfg.Results.Shard.Count == 0 && len(x.there.File().Failures()) == 0 {
		for _, s := range x.there.Sets() {
			for _, baseline := range x.learners[1:] {
				v, err := x.judge(ctx, s, baseline, claim)
				if err != nil {
					return x.there.File(), nil, err
				}
				verdicts = append(verdicts, v)
				if v.Settled != nil && v.Settled.After < v.Settled.Runs {
					x.there.Instance.Stop(s.Identity(), stopOf(&v), x.learners[0], baseline)
				}
			}
		}
		if err := x.there.Instance.StoreStops(); err != nil {
			return x.there.File(), verdicts, fmt.Errorf("result file: %w", err)
		}
	}
	return x.there.File(), verdicts, err
}

// judge judges a claim about the first learner against another one on a data set, and trains the
// runs that it takes.
func (x *experiment) judge(ctx context.Context, s *results.Set, baseline string,
	claim verdict.Claim,
) (verdict.Verdict, error) {
	learners := []string{x.learners[0], baseline}
	for consulted := false; ; {
		a := x.there.File().Of(s.Data.Name, x.learners[0])
		if claim.Settle > 0 {
			a.First = x.runsThere(s, learners...)
		}
		b := a
		b.Learner = baseline
		v := verdict.Of(a, b, claim)
		var err error
		switch {
		case v.NeedSecond && !consulted:
			consulted = true
			err = x.consult(ctx, s, claim.Halvings, learners...)
		case a.First > 0 && v.NeedRuns > a.First:
			err = x.provide(ctx, wanted{
				sets: []*results.Set{s}, runs: v.NeedRuns, learners: learners,
				predicted: x.cfg.Predicted,
			})
		default:
			return v, nil
		}
		if err != nil {
			return v, err
		}
	}
}

// runAll runs the learners on all data sets, in the first so many runs or, if first is 0, in all.
// Without an experiment the error says why nothing could be run.
func runAll[X any, Y comparable](ctx context.Context, data []Data[X, Y], learners []Learner[X, Y],
	cfg Config, first int,
) (*experiment, error) {
	x, err := newExperiment(&registry, data, learners, cfg)
	if err != nil {
		return nil, err
	}
	for _, note := range x.notes {
		x.there.Note("%s", note)
	}
	if err := x.there.KeepsOthers(); err != nil {
		return nil, err
	}
	if err := x.there.TakeOver(true); err != nil {
		return nil, err
	}
	if first == 0 {
		first = x.cfg.runs()
	}
	return x, x.run(ctx, min(first, x.cfg.runs()))
}
