package learntest

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"

	"github.com/learnbench/learnbench/learntest/record"
)

// An output stores trials as they finish, and the whole file in the end. The
// nil output stores nothing.
type output struct {
	path    string // of the result file
	merge   bool   // keep what else is in the result file
	partial string
	journal *record.Journal
}

// partialSuffix is that of the file which holds the trials of a run that has
// not ended.
const partialSuffix = ".partial"

func (s *session) startOutput() (*output, error) {
	if s.cfg.Out == "" {
		return nil, nil
	}
	o := &output{path: s.cfg.Out, merge: s.merge, partial: s.cfg.Out + partialSuffix}
	if o.merge {
		// Comparisons of several tests and processes share the result file.
		id, err := DigestOf(s.cfg.Pkg, s.cfg.Reproduce, s.learners, s.file().Sets[0].Header.DataDigest)
		if err != nil {
			return nil, err
		}
		o.partial = s.cfg.Out + "." + id[:12] + partialSuffix
	}
	var err error
	if o.journal, err = record.CreateJournal(o.partial); errors.Is(err, fs.ErrExist) {
		// An interrupted run has left it behind; it is not lost, only moved.
		if err = os.Rename(o.partial, o.partial+".old"); err == nil {
			o.journal, err = record.CreateJournal(o.partial)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("result file: %w", err)
	}
	for i := range s.sets {
		if err := o.journal.Begin(s.inputs[i].name, s.sets[i]); err != nil {
			return nil, errors.Join(err, o.journal.Close())
		}
		for _, t := range s.sets[i].Trials { // of runs that have been run before
			o.journal.Append(t)
		}
	}
	return o, nil
}

// finish writes the whole file and removes the partial one.
func (o *output) finish(f *record.File) error {
	if o == nil {
		return nil
	}
	err := o.journal.Close()
	if o.merge {
		err = errors.Join(err, record.Merge(o.path, f.Sets...))
	} else {
		err = errors.Join(err, record.Save(o.path, f))
	}
	if err != nil {
		return fmt.Errorf("result file: %w (finished trials are in %s)", err, o.partial)
	}
	return os.Remove(o.partial)
}

// finished returns the function that takes note of each finished trial.
func (s *session) finished(o *output, total int) func(batch int, t *record.Trial) {
	var mu sync.Mutex
	done := 0
	if o == nil && s.cfg.Progress == nil {
		return nil
	}
	return func(batch int, t *record.Trial) {
		if o != nil {
			o.journal.Append(*t)
		}
		if s.cfg.Progress != nil {
			mu.Lock()
			defer mu.Unlock()
			done++
			s.cfg.Progress(done, total)
		}
	}
}
