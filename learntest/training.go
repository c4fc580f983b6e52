package learntest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/learnbench/learnbench/learntest/internal/results"
	"github.com/learnbench/learnbench/learntest/internal/trial"
	"github.com/learnbench/learnbench/learntest/learner"
	"github.com/learnbench/learnbench/learntest/metric"
)

// provide trains the wanted cells that are missing, and stores them. A context that ends meanwhile
// is an *interruptedError; trials finished until then are kept, but not stored as complete
// results.
func (x *experiment) provide(ctx context.Context, w wanted) error {
	w.kept = x.cache != nil
	taken, err := x.takeCached(w)
	if err != nil {
		return err
	}
	total := w.missing()
	if total == 0 && !slices.ContainsFunc(w.sets, (*results.Set).Unsaved) {
		return nil
	}
	if in := x.cfg.Results.In; in != nil && total > 0 {
		return fmt.Errorf("%w: %d trials of runs 1 to %d are not in %s", ErrConfig, total, w.runs,
			strings.Join(in, ", "))
	}
	// The description of the partitions is computed beside the trials, unless the result
	// file needs it at its head.
	var describing sync.WaitGroup
	describing.Go(func() {
		for _, s := range w.sets {
			s.Describe()
		}
	})
	if x.there.Stores() {
		describing.Wait()
	}
	rec, err := x.there.Record(w.sets...)
	if err != nil {
		return err
	}
	ctx, end := x.withinMinutes(ctx)
	defer end()
	began := time.Now()
	defer func() { registry.Spent(time.Since(began)) }()
	within, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	t := &training{experiment: x, wanted: w, ctx: within, stop: stop, rec: rec, total: total}
	err = t.open()
	if err == nil {
		err = t.afford(t.cost(finished), 1)
	}
	if err == nil {
		err = t.rest()
	}
	if err == nil && t.done == total {
		err = t.again()
	}
	describing.Wait()
	for _, s := range w.sets {
		s.Described()
	}
	if t.unwritten != nil {
		_ = rec.Abandon() // its error is this one
		return t.unwritten
	}
	if err == nil && t.done < total {
		err = &interruptedError{
			Done: t.done, Total: total, Stuck: t.stuck, Partial: rec.Path(),
			Resume: x.there.Resumption, Price: t.priced, Cause: context.Cause(ctx),
		}
	}
	if err != nil {
		t.sayCached(taken, nil)
		return errors.Join(err, rec.Abandon())
	}
	if err := rec.Finish(); err != nil {
		return errors.Join(err, t.distrustAll())
	}
	t.keep(taken)
	return nil
}

// open runs the first trial of each learner that has none, alone, so that a flaw of a learner
// shows before the others have suffered from it: it changes the data, or the metrics do not apply
// to it. Before any of them, large data sets have a price.
func (t *training) open() error {
	var openings []opening
	for _, s := range t.sets {
		for l := range t.experiment.learners {
			if first, ok := s.Unprobed(l); ok {
				openings = append(openings, opening{s, l, first})
			}
		}
	}
	if err := t.price(openings); err != nil {
		return err
	}
	for _, o := range openings {
		if t.ctx.Err() != nil {
			return nil
		}
		b := &trial.Batch{
			Data: o.set.Data, Plan: o.set.Plan,
			Cells:  []trial.Cell{{Run: o.cell.Run, Fold: o.cell.Fold, Learner: o.learner}},
			Prints: []*trial.Print{trial.NewPrint()},
		}
		if err := t.train(1, piece{o.set, b}); err != nil {
			return err
		}
		if err := t.checkOpening(b); err != nil {
			return err
		}
	}
	return nil
}

// checkOpening returns the error of a learner whose first trial shows a flaw.
func (t *training) checkOpening(b *trial.Batch) error {
	c := b.Record(0)
	if err := b.Data.Intact(); err != nil {
		return fmt.Errorf("%w: %s changes the examples that it is given: %w after its first trial: let it work on a copy", learner.ErrUnusable, c.Learner, err)
	}
	if err := b.Prints[0].Err; errors.Is(err, metric.ErrPredictions) {
		return fmt.Errorf("%w: %s on data set %s: %w", ErrConfig, c.Learner, c.Data, err)
	}
	return nil
}

// rest runs all other trials that are missing.
func (t *training) rest() error {
	pieces, err := t.pieces()
	if err != nil || len(pieces) == 0 {
		return err
	}
	if err := t.train(t.cfg.Parallel, pieces...); err != nil {
		return err
	}
	for _, s := range t.sets {
		if err := s.Data.Intact(); err != nil {
			return fmt.Errorf("%w: one of %s changes the examples that it is given: %w after all trials: let it work on a copy", learner.ErrUnusable, strings.Join(t.experiment.learners, ", "), err)
		}
	}
	return nil
}

// pieces returns the cells that are missing of each set.
func (w wanted) pieces() ([]piece, error) {
	var pieces []piece
	for _, s := range w.sets {
		plan, err := w.plan(s)
		if err != nil {
			return nil, err
		}
		index := make(map[string]int, len(s.Data.Learners))
		for i, name := range s.Data.Learners {
			index[name] = i
		}
		b, draws := &trial.Batch{Data: s.Data, Plan: plan}, make([]trial.Draws, len(s.Data.Learners))
		most := w.runs * plan.Folds() * len(s.Data.Learners)
		b.Cells, b.Prints = make([]trial.Cell, 0, most), make([]*trial.Print, 0, most)
		for c := range s.Missing(w.runs, w.learners) {
			l := index[c.Learner]
			b.Cells = append(b.Cells, trial.Cell{Run: c.Run, Fold: c.Fold, Learner: l})
			var p *trial.Print
			if s.Unproven(l) && w.drawn(s, c, &draws[l]) || w.kept && results.IsChecked(s, c) {
				p = new(trial.Print)
			}
			b.Prints = append(b.Prints, p)
		}
		if len(b.Cells) > 0 {
			pieces = append(pieces, piece{s, b})
		}
	}
	return pieces, nil
}
