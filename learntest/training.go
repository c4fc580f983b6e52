package learntest

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/learnbench/learnbench/learntest/internal/trial"
	"github.com/learnbench/learnbench/learntest/metric"
	"github.com/learnbench/learnbench/learntest/record"
)

// ErrLearner is wrapped by errors about learners whose trials say nothing: they
// change the data, or their seed does not fix them.
var ErrLearner = errors.New("unusable learner")

// A training is one call of session.run.
type training struct {
	*session
	ctx      context.Context
	total    int // trials
	done     int
	stuck    []record.Cell
	finished func(t *record.Trial)
	started  func(c record.Cell)
	probed   func(data, learner, outcome string)
}

// open runs the first trial of each learner that has none, alone and twice, so
// that what is wrong with a learner is known before the others have suffered from
// it: one that changes the data, that its seed does not fix, or that the metrics do not
// apply to.
func (t *training) open() error {
	for _, in := range t.inputs {
		for l, name := range t.learners {
			first, ok := t.firstWanted(in, name)
			if in.opened[l] || !ok || t.ctx.Err() != nil {
				continue
			}
			in.opened[l] = true
			b := &trial.Batch{Data: &in.Data, Plan: in.plan, Cells: []trial.Cell{{Run: first.Run, Fold: first.Fold, Learner: l}}, Probe: new(trial.Probe)}
			if err := t.train([]ordered{{in, b}}, 1); err != nil {
				return err
			}
			if err := t.checkOpening(in, b); err != nil {
				return err
			}
			t.probed(in.Name, name, b.Probe.Outcome())
		}
	}
	return nil
}

// firstWanted returns the first cell of a learner that is to be trained in the
// protocol's own runs.
func (s *session) firstWanted(in *input, learner string) (record.Cell, bool) {
	for c := range s.wanted(in, in.block.Runs(), []string{learner}) {
		return c, true
	}
	return record.Cell{}, false
}

// checkOpening returns what is wrong with a learner after its first trial.
func (t *training) checkOpening(in *input, b *trial.Batch) error {
	c := b.Record(0)
	name := c.Learner
	if err := in.intact(); err != nil {
		return fmt.Errorf("%w: %s changes the examples that it is given: %w after its first trial: let it work on a copy", ErrLearner, name, err)
	}
	if err := b.Probe.Err; errors.Is(err, metric.ErrPredictions) {
		return fmt.Errorf("%w: %s on data set %s: %w", ErrConfig, name, in.Name, err)
	}
	if !t.cfg.AllowNondeterminism && b.Probe.Outcome() == record.NotDeterministic {
		return fmt.Errorf("%w: its seed does not fix %s: trained twice on %v, it predicted differently; draw its random numbers from the seed that Fit gets, or set Config.AllowNondeterminism and bear with reruns that differ",
			ErrLearner, name, c)
	}
	return nil
}

// rest runs all other trials that are missing of runs 1 to runs of the learners.
func (t *training) rest(runs int, learners []string) error {
	batches, err := t.missing(runs, learners)
	if err != nil || len(batches) == 0 {
		return err
	}
	if err := t.train(batches, t.cfg.Parallel); err != nil {
		return err
	}
	for _, in := range t.inputs {
		if err := in.intact(); err != nil {
			return fmt.Errorf("%w: one of %s changes the examples that it is given: %w after all trials: let it work on a copy", ErrLearner, strings.Join(t.learners, ", "), err)
		}
	}
	return nil
}

// intact returns an error if the examples are not what they were at the start.
func (in *input) intact() error {
	now, err := in.current()
	if err != nil {
		return err
	}
	if now != in.Digest {
		return fmt.Errorf("the digest of data set %s was %.12s and is %.12s", in.Name, in.Digest, now)
	}
	return nil
}

// An ordered batch is of an input.
type ordered struct {
	input *input
	*trial.Batch
}

func batchesOf(ordered []ordered) []*trial.Batch {
	batches := make([]*trial.Batch, len(ordered))
	for i, o := range ordered {
		batches[i] = o.Batch
	}
	return batches
}

// missing returns a batch for each input with the cells that it is missing.
func (s *session) missing(runs int, learners []string) ([]ordered, error) {
	index := make(map[string]int, len(s.learners))
	for i, name := range s.learners {
		index[name] = i
	}
	var batches []ordered
	for _, in := range s.inputs {
		plan := in.plan
		if runs != plan.Runs() {
			var err error
			if plan, err = s.cfg.Protocol.WithRuns(runs).Plan(in.examples); err != nil {
				return nil, fmt.Errorf("data set %q: %w", in.Name, err)
			}
		}
		b := &trial.Batch{Data: &in.Data, Plan: plan}
		for c := range s.wanted(in, runs, learners) {
			b.Cells = append(b.Cells, trial.Cell{Run: c.Run, Fold: c.Fold, Learner: index[c.Learner]})
		}
		if len(b.Cells) > 0 {
			batches = append(batches, ordered{in, b})
		}
	}
	return batches, nil
}

// train runs the trials of batches and adds them to the blocks.
func (t *training) train(batches []ordered, parallel int) error {
	e := trial.Engine{
		Metrics: t.cfg.Metrics, Seed: t.cfg.Protocol.Seed(), Parallel: parallel, Timeout: t.cfg.TrialTimeout,
		Started: t.started, Finished: t.finished, Predicted: t.cfg.Predicted,
	}
	t.stuck = append(t.stuck, e.Run(t.ctx, batchesOf(batches)...)...)
	ran, err := t.keep(batches)
	t.done += ran
	return err
}

// keep adds the trials that were run to the blocks and returns how many there are.
func (s *session) keep(batches []ordered) (ran int, err error) {
	for _, b := range batches {
		block := b.input.block.Clone()
		for j := range b.Trials {
			if t := &b.Trials[j]; t.Run > 0 {
				if err := block.Add(*t); err != nil {
					return ran, err
				}
				ran++
			}
		}
		if b.Probe != nil {
			block.Header.AddDeterminism(b.Record(0).Learner, b.Probe.Outcome())
		}
		s.mu.Lock()
		b.input.block = block
		s.mu.Unlock()
	}
	return ran, nil
}
