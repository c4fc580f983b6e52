package learntest

import (
	"context"
	"fmt"
	"slices"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// Run trains and tests each learner on every fold of each data set, and
// returns one block of records for each data set.
//
// All learners see the same partitions and the same seeds. A trial that fails
// (an error, a panic, a prediction or a metric that is not a number, a trial's own time
// limit) is recorded with its cause, and the others go on; record.File.Failures lists
// them. Results are the same, times apart, for any Config.Parallel.
//
// The error says that the trials could not be run at all, that the context ended
// before all were run (an [*InterruptedError]), or that their results could not be
// written; in the latter two cases what was found out is returned nevertheless.
func Run[X any, Y comparable](ctx context.Context, data []Data[X, Y], learners []Learner[X, Y], cfg Config) (*record.File, error) {
	s, err := runAll(ctx, data, learners, cfg)
	if s == nil {
		return nil, err
	}
	return s.file(), err
}

// RunAndJudge is Run with a claim about the first learner against each of the others, on each
// data set: the verdicts come by data set, then by learner. Where a claim asks for a second
// opinion, that is trained as well, and is among the records and in the result file.
//
// There are no verdicts if there is an error, if a trial has failed, or if this is a shard.
func RunAndJudge[X any, Y comparable](ctx context.Context, data []Data[X, Y], learners []Learner[X, Y], cfg Config, claim verdict.Claim) (*record.File, []verdict.Verdict, error) {
	s, err := runAll(ctx, data, learners, cfg)
	if s == nil {
		return nil, nil, err
	}
	var verdicts []verdict.Verdict
	if err == nil && s.cfg.Results.Shard.Count == 0 && len(s.file().Failures()) == 0 {
		for _, in := range s.inputs {
			for _, baseline := range s.learners[1:] {
				v := verdict.OfFile(s.file(), in.Name, s.learners[0], baseline, claim)
				if v.NeedSecond {
					o, err := s.secondOn(in, claim.Halvings)
					if err == nil {
						err = o.provide(ctx, s.learners[0], baseline)
					}
					if err != nil {
						return s.file(), nil, err
					}
					v = verdict.OfFile(s.file(), in.Name, s.learners[0], baseline, claim)
				}
				verdicts = append(verdicts, v)
			}
		}
	}
	return s.file(), verdicts, err
}

// runAll runs the learners on all data sets. Without a session the error says why nothing
// could be run.
func runAll[X any, Y comparable](ctx context.Context, data []Data[X, Y], learners []Learner[X, Y], cfg Config) (*session, error) {
	s, err := newSession(data, learners, cfg)
	if err != nil {
		return nil, err
	}
	if s.store != nil {
		if err := s.keepsOthers(); err != nil {
			return nil, err
		}
	}
	if err := s.begun(true); err != nil {
		return nil, err
	}
	return s, s.run(ctx, s.cfg.runs())
}

// begun takes over what has been run before, if that is wanted.
func (s *session) begun(only bool) error {
	if s.cfg.Results.In != nil {
		return s.takeOver()
	}
	if s.cfg.Results.Shard.Count > 0 {
		if err := s.keepsOtherShards(); err != nil {
			return err
		}
	}
	if s.cfg.Results.Resume {
		return s.resume(only)
	}
	return nil
}

// keepsOthers returns an error if the results would take the place of those of a
// learner that is not run.
func (s *session) keepsOthers() error {
	for _, in := range s.inputs {
		id := in.block.Header.Identity()
		have, err := s.store.Learners(id)
		if err != nil {
			return fmt.Errorf("result file: %w", err)
		}
		for _, name := range have {
			if !slices.Contains(s.learners, name) {
				return fmt.Errorf("%w: %s has results of %s on %v, which those of this run would replace: run it as well, or write to another file",
					ErrConfig, s.cfg.Results.Out, name, id)
			}
		}
	}
	return nil
}
