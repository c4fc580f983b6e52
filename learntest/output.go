package learntest

import (
	"errors"
	"fmt"
	"sync"

	"github.com/learnbench/learnbench/internal/storage"
	"github.com/learnbench/learnbench/learntest/record"
)

// stores are the result files that this process writes to, by path. What each
// knows of its file makes adding to it cheap, however much is in it.
var stores struct {
	sync.Mutex
	byPath map[string]*storage.Store
}

// storeAt returns the store at a path, or why nothing can be written there.
func storeAt(path string) (*storage.Store, error) {
	stores.Lock()
	defer stores.Unlock()
	s := stores.byPath[path]
	if s == nil {
		var err error
		if s, err = storage.NewStore(path); err != nil {
			return nil, err
		}
		if stores.byPath == nil {
			stores.byPath = make(map[string]*storage.Store)
		}
		stores.byPath[path] = s
	}
	return s, s.CheckDestination()
}

// A journal is where trials go as they finish. The nil journal keeps nothing.
type journal struct{ *storage.Journal }

// begin creates the journal of the trials that are about to be run.
func (s *session) begin() (*journal, error) {
	if s.store == nil {
		return nil, nil
	}
	stale, err := s.store.Stale()
	if err != nil {
		return nil, fmt.Errorf("result file: %w", err)
	}
	for _, path := range stale {
		if s.cfg.Results.Resume {
			break // they have been read
		}
		s.note("%s has the trials of a run that was interrupted: it goes when the same is run to its end, and %s goes on from there; else remove it", path, s.resumption)
	}
	j, err := storage.CreateJournal(s.cfg.Results.Out)
	if err != nil {
		return nil, fmt.Errorf("result file: %w", err)
	}
	for _, in := range s.inputs {
		h := in.block.Header
		in.describe(&h)
		if err := j.Begin(h, s.learners, s.cfg.units(), in.examples.N); err != nil {
			return nil, fmt.Errorf("result file: %w", errors.Join(err, j.Remove()))
		}
	}
	return &journal{j}, nil
}

func (j *journal) path() string {
	if j == nil {
		return ""
	}
	return j.Path()
}

// abandon closes the journal of trials that are not stored.
func (s *session) abandon(j *journal) error {
	if j == nil {
		return nil
	}
	s.store.Abandon(j.Path())
	return j.Close()
}

// started returns the function that takes note of each trial that is about to be
// run, so that the journal says which were running when a process dies.
func (s *session) started(j *journal) func(c record.Cell) {
	if j == nil {
		return nil
	}
	return j.Started
}

// probed returns the function that takes note of what came of a determinism probe.
func (s *session) probed(j *journal) func(data, learner, outcome string) {
	if j == nil {
		return func(string, string, string) {}
	}
	return func(data, learner, outcome string) {
		if outcome != record.NotProbed { // a training failed or was interrupted
			j.Probed(data, learner, outcome)
		}
	}
}

// finished returns the function that takes note of each finished trial.
func (s *session) finished(j *journal, total int) func(t *record.Trial) {
	var mu sync.Mutex
	done := 0
	return func(t *record.Trial) {
		if j != nil {
			j.Append(*t)
		}
		if s.cfg.Progress != nil {
			mu.Lock()
			defer mu.Unlock()
			done++
			s.cfg.Progress(done, total)
		}
	}
}

// finish shares what was trained with the instance, stores it, and removes the
// journal.
func (s *session) finish(j *journal) error {
	results, err := s.results()
	if err != nil {
		return errors.Join(err, s.abandon(j))
	}
	for _, b := range results {
		if err := s.instance.add(b, s.site); err != nil {
			return errors.Join(err, s.abandon(j))
		}
	}
	if s.copies != nil {
		if err := s.instance.save(s.copies); err != nil {
			return errors.Join(fmt.Errorf("artifacts: %w", err), s.abandon(j))
		}
	}
	if j == nil {
		return nil
	}
	err = j.Finish()
	if err == nil {
		err = s.instance.save(s.store)
	}
	if err != nil {
		s.store.Abandon(j.Path())
		_ = j.Close() // it returns the error of Finish
		return fmt.Errorf("result file: %w (finished trials are in %s)", err, j.Path())
	}
	if err := s.instance.stored(j); err != nil {
		return err
	}
	return s.store.Completed(s.blocks()...)
}
