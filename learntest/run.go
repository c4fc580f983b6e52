package learntest

import (
	"context"

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
// before all were run (an [*InterruptedError]), or that their results could not be
// written; in the latter two cases Run returns the records of the finished trials nevertheless.
func Run[X any, Y comparable](ctx context.Context, data []Data[X, Y], learners []Learner[X, Y], cfg Config) (*record.File, error) {
	x, err := runAll(ctx, data, learners, cfg)
	if x == nil {
		return nil, err
	}
	return x.there.File(), err
}

// RunAndJudge is Run with a claim about the first learner against each of the others, on each
// data set: the verdicts come by data set, then by learner. A second opinion that a claim asks for
// is trained as well, and is among the records and in the result file.
//
// There are no verdicts if there is an error, if a trial has failed, or if this is a shard.
func RunAndJudge[X any, Y comparable](ctx context.Context, data []Data[X, Y], learners []Learner[X, Y], cfg Config, claim verdict.Claim) (*record.File, []verdict.Verdict, error) {
	x, err := runAll(ctx, data, learners, cfg)
	if x == nil {
		return nil, nil, err
	}
	var verdicts []verdict.Verdict
	if err == nil && x.cfg.Results.Shard.Count == 0 && len(x.there.File().Failures()) == 0 {
		for _, s := range x.there.Sets() {
			for _, baseline := range x.learners[1:] {
				v := verdict.OfFile(x.there.File(), s.Data.Name, x.learners[0], baseline, claim)
				if v.NeedSecond {
					if err := x.consult(ctx, s, claim.Halvings, x.learners[0], baseline); err != nil {
						return x.there.File(), nil, err
					}
					v = verdict.OfFile(x.there.File(), s.Data.Name, x.learners[0], baseline, claim)
				}
				verdicts = append(verdicts, v)
			}
		}
	}
	return x.there.File(), verdicts, err
}

// runAll runs the learners on all data sets. Without an experiment the error says why nothing
// could be run.
func runAll[X any, Y comparable](ctx context.Context, data []Data[X, Y], learners []Learner[X, Y], cfg Config) (*experiment, error) {
	x, err := newExperiment(&registry, data, learners, cfg)
	if err != nil {
		return nil, err
	}
	if err := x.there.KeepsOthers(); err != nil {
		return nil, err
	}
	if err := x.there.TakeOver(true); err != nil {
		return nil, err
	}
	return x, x.run(ctx, x.cfg.runs())
}
