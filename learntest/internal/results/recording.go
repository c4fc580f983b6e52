package results

import (
	"errors"
	"fmt"
	"slices"

	"github.com/learnbench/learnbench/internal/storage"
	"github.com/learnbench/learnbench/learntest/metric"
	"github.com/learnbench/learnbench/learntest/predictions"
	"github.com/learnbench/learnbench/learntest/record"
)

// A Recording keeps the trials that are run of some sets: in a journal as they finish, if results
// are stored, and then in the result file, all at once.
type Recording struct {
	results *Results
	sets    []*Set
	journal *storage.Journal // nil if nothing is stored
}

// Record begins a recording of trials that are about to be run. It must be finished or abandoned.
// Record counts the copies among the examples, since learners may change the examples.
func (r *Results) Record(sets ...*Set) (*Recording, error) {
	for _, s := range sets {
		s.facts.Copies()
	}
	c := &Recording{results: r, sets: sets}
	if r.store == nil {
		return c, nil
	}
	stale, err := r.store.Stale()
	if err != nil {
		return nil, fmt.Errorf("result file: %w", err)
	}
	for _, path := range stale {
		if r.Resume {
			break // they have been read
		}
		r.Note("%s has the trials of a run that was interrupted: it goes when that run is repeated to its end, and %s goes on from there; else remove it", path, r.Resumption)
	}
	if c.journal, err = storage.CreateJournal(r.Out); err != nil {
		return nil, fmt.Errorf("result file: %w", err)
	}
	for _, s := range sets {
		h := s.block.Header
		s.describe(&h)
		if err := c.journal.Begin(h, r.Learners, s.block.Columns, s.Data.Examples.N); err != nil {
			return nil, fmt.Errorf("result file: %w", errors.Join(err, c.journal.Remove()))
		}
	}
	return c, nil
}

// Stores reports whether the trials are kept in files.
func (r *Results) Stores() bool { return r.store != nil }

// Path returns the path of the journal; empty if there is none.
func (c *Recording) Path() string {
	if c.journal == nil {
		return ""
	}
	return c.journal.Path()
}

// Started returns the function that records each trial about to be run, so that after the death of
// a process the journal shows the running trials; nil if there is no journal.
func (c *Recording) Started() func(cell record.Cell) {
	if c.journal == nil {
		return nil
	}
	return c.journal.Started
}

// Probed records the outcome of a determinism probe.
func (c *Recording) Probed(data, learner, outcome string) {
	if c.journal != nil && outcome != record.NotProbed { // a training failed or was interrupted
		c.journal.Probed(data, learner, outcome)
	}
}

// predictedNote begins the notes of a journal that have the predictions of a trial.
const predictedNote = "predicted "

// Predicted keeps the predictions of a trial that is about to finish, if they are to be kept.
func (c *Recording) Predicted(cell record.Cell, test []int, p *metric.Predictions) {
	at := slices.IndexFunc(c.sets, func(s *Set) bool { return s.Data.Name == cell.Data })
	s := c.sets[at]
	if s.kept == nil {
		return
	}
	s.kept.add(cell, test, p)
	if c.journal == nil {
		return
	}
	const most = 50_000 // in a line
	for part := range slices.Chunk([]byte(predictions.Pack(p, s.kept.block.Probabilities != "")),
		most) {
		c.journal.Note(cell, predictedNote+string(part))
	}
}

// Finished records a trial that has finished. The error is about any that could not be written.
func (c *Recording) Finished(t *record.Trial) error {
	if c.journal == nil {
		return nil
	}
	c.journal.Append(*t)
	if err := c.journal.Err(); err != nil {
		return fmt.Errorf("result file: %w (finished trials are in %s)", err, c.journal.Path())
	}
	return nil
}

// Abandon closes the journal of trials that are not stored.
func (c *Recording) Abandon() error {
	if c.journal == nil {
		return nil
	}
	c.results.store.Abandon(c.journal.Path())
	return c.journal.Close()
}

// Finish shares what the sets have with the test, stores it, and removes the journal.
func (c *Recording) Finish() error {
	r := c.results
	for _, s := range c.sets {
		s.unsaved = false
	}
	err := c.share()
	if err == nil {
		err = r.Instance.savePredictions(r.Predictions)
	}
	if err != nil {
		return errors.Join(err, c.Abandon())
	}
	if r.copies != nil {
		if err := r.Instance.save(r.copies); err != nil {
			return errors.Join(fmt.Errorf("artifacts: %w", err), c.Abandon())
		}
	}
	if c.journal == nil {
		return nil
	}
	err = c.journal.Finish()
	if err == nil {
		err = r.Instance.save(r.store)
	}
	if err != nil {
		r.store.Abandon(c.journal.Path())
		_ = c.journal.Close() // it returns the error of Finish
		return fmt.Errorf("result file: %w (finished trials are in %s)", err, c.journal.Path())
	}
	if err := r.Instance.stored(c.journal); err != nil {
		return err
	}
	blocks := make([]*record.Block, len(c.sets))
	for i, s := range c.sets {
		blocks[i] = s.Block()
	}
	return r.store.Completed(blocks...)
}

// share adds what the sets have to what the test has found out.
func (c *Recording) share() error {
	blocks := make([]*record.Block, len(c.sets))
	for i, s := range c.sets {
		var err error
		if blocks[i], err = s.whole(); err != nil {
			return err
		}
	}
	for i, b := range blocks {
		if b == nil {
			continue
		}
		kept, err := c.sets[i].kept.take()
		if err != nil {
			return err
		}
		if kept != nil {
			c.sets[i].change(func(b *record.Block) { predictions.MarkRight(b, kept) })
			b = c.sets[i].Block()
		}
		if err := c.results.Instance.add(b, kept, c.results.Site); err != nil {
			return err
		}
	}
	return nil
}
