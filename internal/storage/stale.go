package storage

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"slices"

	"github.com/learnbench/learnbench/internal/blockfile"
	"github.com/learnbench/learnbench/learntest/record"
)

// Stale returns the paths of the journals of interrupted runs that lie beside the
// file, or in the directory. It looks for them the first time only.
func (s *Store) Stale() ([]string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.looked {
		partials, err := Partials(s.path)
		if err != nil {
			return nil, err
		}
		s.looked = true
		for _, p := range partials {
			if !p.Live {
				s.stale[p.Path] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(s.stale)), nil
}

// Abandon records a journal that this process has closed without storing its trials.
func (s *Store) Abandon(path string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stale[path] = true
}

// Completed removes the journals that Stale returns and of which all has been run
// again: that have blocks of the identities of the given ones only, or none.
func (s *Store) Completed(blocks ...*record.Block) error {
	stale, err := s.Stale()
	if err != nil || len(stale) == 0 {
		return err
	}
	done := make(map[record.Identity]bool)
	for _, b := range blocks {
		done[b.Header.Identity()] = true
	}
	var errs []error
	for _, path := range stale {
		f, err := ReadJournal(path)
		gone := errors.Is(err, fs.ErrNotExist)
		if err != nil && !gone {
			continue // somebody will have to look at it
		}
		if !gone {
			covered := true // nothing is lost with one whose process died at its very beginning
			for _, b := range f.Blocks() {
				covered = covered && done[b.Header.Identity()]
			}
			if !covered {
				continue
			}
			if live, err := blockfile.Locked(path); live || err != nil {
				continue // another process has taken its name
			}
			if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
				errs = append(errs, err)
				continue
			}
		}
		s.mu.Lock()
		delete(s.stale, path)
		s.mu.Unlock()
	}
	return errors.Join(errs...)
}
