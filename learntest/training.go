package learntest

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/learnbench/learnbench/learntest/metric"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/split"
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
			b := t.batch(in, in.plan)
			b.cells = []cell{{first.Run, first.Fold, l}}
			b.probe = new(probe)
			if err := t.train([]*batch{b}, 1); err != nil {
				return err
			}
			if err := t.checkOpening(in, b, l); err != nil {
				return err
			}
			t.probed(in.name, name, b.probe.outcome())
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
func (t *training) checkOpening(in *input, b *batch, l int) error {
	name := t.learners[l]
	if err := in.intact(); err != nil {
		return fmt.Errorf("%w: %s changes the examples that it is given: %w after its first trial: let it work on a copy", ErrLearner, name, err)
	}
	if err := b.probe.err; errors.Is(err, metric.ErrPredictions) {
		return fmt.Errorf("%w: %s on data set %s: %w", ErrConfig, name, in.name, err)
	}
	if p := b.probe; !t.cfg.AllowNondeterminism && p.outcome() == record.NotDeterministic {
		c := b.cells[0]
		return fmt.Errorf("%w: its seed does not fix %s: trained twice on %v, it predicted differently; draw its random numbers from the seed that Fit gets, or set Config.AllowNondeterminism and bear with reruns that differ",
			ErrLearner, name, record.Cell{Data: in.name, Learner: name, Run: c.run, Fold: c.fold})
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
	if now != in.digest {
		return fmt.Errorf("the digest of data set %s was %.12s and is %.12s", in.name, in.digest, now)
	}
	return nil
}

// batch returns one of an input without cells.
func (s *session) batch(in *input, plan *split.Plan) *batch {
	return &batch{input: in, plan: plan, names: s.learners}
}

// missing returns a batch for each input with the cells that it is missing.
func (s *session) missing(runs int, learners []string) ([]*batch, error) {
	index := make(map[string]int, len(s.learners))
	for i, name := range s.learners {
		index[name] = i
	}
	var batches []*batch
	for _, in := range s.inputs {
		plan := in.plan
		if runs != plan.Runs() {
			var err error
			if plan, err = s.cfg.Protocol.WithRuns(runs).Plan(in.examples); err != nil {
				return nil, fmt.Errorf("data set %q: %w", in.name, err)
			}
		}
		b := s.batch(in, plan)
		for c := range s.wanted(in, runs, learners) {
			b.cells = append(b.cells, cell{c.Run, c.Fold, index[c.Learner]})
		}
		if len(b.cells) > 0 {
			batches = append(batches, b)
		}
	}
	return batches, nil
}

// train runs the trials of batches and adds them to the blocks.
func (t *training) train(batches []*batch, parallel int) error {
	e := newEngine(batches, t.cfg.Metrics)
	e.seed, e.timeout = t.cfg.Protocol.Seed(), t.cfg.TrialTimeout
	e.finished, e.started = t.finished, t.started
	e.predicted = t.cfg.Predicted
	t.stuck = append(t.stuck, e.run(t.ctx, parallel)...)
	ran, err := t.keep(batches)
	t.done += ran
	return err
}

// keep adds the trials that were run to the blocks and returns how many there are.
func (s *session) keep(batches []*batch) (ran int, err error) {
	for _, b := range batches {
		block := b.input.block.Clone()
		for j := range b.trials {
			if t := &b.trials[j]; t.Run > 0 {
				if err := block.Add(*t); err != nil {
					return ran, err
				}
				ran++
			}
		}
		if b.probe != nil {
			block.Header.AddDeterminism(s.learners[b.cells[0].learner], b.probe.outcome())
		}
		s.mu.Lock()
		b.input.block = block
		s.mu.Unlock()
	}
	return ran, nil
}
