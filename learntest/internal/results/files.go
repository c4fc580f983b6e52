package results

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/learnbench/learnbench/internal/storage"
	"github.com/learnbench/learnbench/learntest/record"
)

// experiments are the complete experiments in several files.
type experiments struct {
	blocks map[record.Identity]*record.Block
	notes  []string
	err    error
}

func (e *experiments) read(patterns []string) error {
	var paths []string
	for _, pattern := range patterns {
		found, err := filepath.Glob(pattern)
		if err != nil {
			return fmt.Errorf("%q: %w", pattern, err)
		}
		if len(found) == 0 {
			return fmt.Errorf("there is no file %s", pattern)
		}
		paths = append(paths, found...)
	}
	slices.Sort(paths)
	paths = slices.Compact(paths)
	if err := storage.Unfinished(paths...); err != nil {
		return err
	}
	f, err := record.Open(paths...)
	if err != nil {
		return err
	}
	own, err := ofOne(f.Blocks(), func(format string, args ...any) {
		e.notes = append(e.notes,
			fmt.Sprintf(format, args...))
	})
	if err != nil {
		return err
	}
	f = record.NewFile(own...)
	e.blocks = make(map[record.Identity]*record.Block)
	for _, b := range f.Experiments() {
		e.blocks[b.Header.Identity()] = b
	}
	if err := f.Check(); err != nil {
		return errors.Join(mixed(f), err)
	}
	return nil
}

// mixed returns an error if there are results of one test on one data set under several
// protocols, which is what may be wrong where trials are missing: a test may as well use
// several.
func mixed(f *record.File) error {
	first := make(map[record.Identity]*record.Block)
	for _, b := range f.Experiments() {
		id := b.Header.Identity()
		id.Protocol = ""
		other := first[id]
		if other == nil {
			first[id] = b
			continue
		}
		return fmt.Errorf("those on data set %s are of two protocols: %q in %v and %q in %v",
			b.Header.Data, other.Header.Protocol, other.Pos(), b.Header.Protocol, b.Pos())
	}
	return nil
}
