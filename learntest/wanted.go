package learntest

import (
	"cmp"
	"context"
	"fmt"
	"sync"

	"github.com/learnbench/learnbench/learntest/internal/results"
	"github.com/learnbench/learnbench/learntest/internal/trial"
	"github.com/learnbench/learnbench/learntest/metric"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/split"
)

// The wanted are cells that are to be there: runs 1 to runs of some learners.
type wanted struct {
	sets      []*results.Set
	runs      int
	learners  []string
	predicted func(c record.Cell, test []int, p *metric.Predictions) // as Config.Predicted
	kept      bool                                                   // they may be kept in a cache
}

// missing returns the number of wanted cells that are missing.
func (w wanted) missing() (n int) {
	for _, s := range w.sets {
		for range s.Missing(w.runs, w.learners) {
			n++
		}
	}
	return n
}

// plan returns the partitions of the runs of a set.
func (w wanted) plan(s *results.Set) (*split.Plan, error) {
	if w.runs <= s.Plan.Runs() {
		return s.Plan, nil
	}
	plan, err := s.Plan.Protocol().WithRuns(w.runs).Plan(s.Data.Examples)
	if err != nil {
		return nil, fmt.Errorf("data set %q: %w", s.Data.Name, err)
	}
	return plan, nil
}

// A training runs the trials of one call of provide.
type training struct {
	*experiment
	wanted
	ctx      context.Context
	stop     context.CancelCauseFunc
	rec      *results.Recording
	total    int // trials
	done     int // of these
	repeated int // trainings in cells that were there
	stuck    []record.Cell
	ran      []piece
	priced   string // what a trial on large data is expected to take

	mu        sync.Mutex
	finished  int   // trials that Config.Progress knows of
	unwritten error // why a trial could not be stored
}

// A piece is the trials of a set that are to be run.
type piece struct {
	set *results.Set
	*trial.Batch
}

// measure runs batches, and returns the cells of learners that do not return, and where the times
// were measured.
func (t *training) measure(e trial.Engine, batches ...*trial.Batch) (stuck []record.Cell,
	machine string,
) {
	end := t.known.Measure(t.cfg.Parallel)
	stuck = e.Run(t.ctx, batches...)
	return stuck, end()
}

// train runs the trials of pieces and adds them to the sets.
func (t *training) train(parallel int, pieces ...piece) error {
	e := trial.Engine{
		Metrics: t.cfg.Metrics, Parallel: parallel, Timeout: t.cfg.TrialTimeout,
		Started: t.rec.Started(), Finished: t.finish, Predicted: t.keepPredictions,
	}
	batches := make([]*trial.Batch, len(pieces))
	for i, p := range pieces {
		batches[i] = p.Batch
	}
	t.ran = append(t.ran, pieces...)
	stuck, machine := t.measure(e, batches...)
	t.stuck = append(t.stuck, stuck...)
	for _, p := range pieces {
		ran, err := p.set.Take(p.Batch, machine)
		t.done += ran
		if err != nil {
			return err
		}
	}
	return nil
}

// keepPredictions passes the predictions of a trial on to whoever wants them.
func (t *training) keepPredictions(c record.Cell, test []int, p *metric.Predictions) {
	if t.predicted != nil {
		t.predicted(c, test, p)
	}
	t.rec.Predicted(c, test, p)
}

// finish records a trial that has finished.
func (t *training) finish(r *record.Trial) {
	if err := t.rec.Finished(r); err != nil { // as on a full disk: more trials would be lost, too
		t.mu.Lock()
		t.unwritten = cmp.Or(t.unwritten, err)
		t.mu.Unlock()
		t.stop(err)
	}
	if t.cfg.Progress != nil {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.finished++
		t.cfg.Progress(t.finished, t.total)
	}
}
