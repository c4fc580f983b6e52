package learntest

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/learnbench/learnbench/internal/storage"
	"github.com/learnbench/learnbench/learntest/record"
)

// taken are the results that this process has read, by the patterns of their files.
var taken struct {
	sync.Mutex
	byPatterns map[string]*results
}

// results are the experiments of several files, which are complete.
type results struct {
	blocks map[record.Identity]*record.Block
	err    error
}

// resultsOf reads the files that patterns match, once in a process.
func resultsOf(patterns []string) *results {
	taken.Lock()
	defer taken.Unlock()
	key := strings.Join(patterns, "\x00")
	r := taken.byPatterns[key]
	if r == nil {
		r = new(results)
		r.err = r.read(patterns)
		if taken.byPatterns == nil {
			taken.byPatterns = make(map[string]*results)
		}
		taken.byPatterns[key] = r
	}
	return r
}

func (r *results) read(patterns []string) error {
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
	for _, path := range paths {
		if err := storage.Unfinished(path); err != nil {
			return err
		}
	}
	f, err := record.Open(paths...)
	if err != nil {
		return err
	}
	r.blocks = make(map[record.Identity]*record.Block)
	for _, b := range f.Experiments() {
		r.blocks[b.Header.Identity()] = b
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
		return fmt.Errorf("those on data set %s are of two protocols: %q in %v and %q in %v", b.Header.Data, other.Header.Protocol, other.Pos(), b.Header.Protocol, b.Pos())
	}
	return nil
}

// takeOver takes all trials from result files, in which none may be missing.
func (s *session) takeOver() error {
	r := resultsOf(s.cfg.Results.In)
	if r.err != nil {
		return fmt.Errorf("%w: results to be judged: %w", ErrConfig, r.err)
	}
	for _, in := range s.inputs {
		in.describe(&in.block.Header)
		id := in.block.Header.Identity()
		from := r.blocks[id]
		if from == nil {
			return fmt.Errorf("%w: results to be judged: there are none on %v in %s", ErrConfig, id, strings.Join(s.cfg.Results.In, ", "))
		}
		if err := from.Fits(in.block); err != nil {
			return fmt.Errorf("%w: results to be judged are not of this run: %w", ErrConfig, err)
		}
		for _, name := range s.learners {
			if !slices.Contains(from.Learners, name) {
				return fmt.Errorf("%w: results to be judged: there are none of %s on %v in %s", ErrConfig, name, id, strings.Join(s.cfg.Results.In, ", "))
			}
		}
		own, err := excerpt(from, from.Header, s.learners, in.examples.N, all)
		if err != nil {
			return err
		}
		in.block = own
	}
	s.unsaved = s.store != nil || s.copies != nil
	return nil
}

// excerpt returns the trials of a block that are of the given learners and chosen, under
// another head, which gets what the block's says of how deterministic these learners are.
func excerpt(b *record.Block, h record.Header, learners []string, examples int, chosen func(record.Trial) bool) (*record.Block, error) {
	h.Determinism, h.Means = "", ""
	for _, name := range learners {
		if was := b.Header.DeterminismOf(name); was != record.NotProbed {
			h.AddDeterminism(name, was)
		}
	}
	e, err := record.NewBlock(h, learners, b.Units, examples)
	if err != nil {
		return nil, err
	}
	e.Timeless = b.Timeless
	for t := range b.Trials() {
		if slices.Contains(learners, t.Learner) && chosen(t) {
			if err := e.Add(t); err != nil {
				return nil, err
			}
		}
	}
	return e, nil
}

// all chooses every trial.
func all(record.Trial) bool { return true }
