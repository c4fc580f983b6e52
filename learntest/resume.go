package learntest

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"

	"github.com/learnbench/learnbench/internal/storage"
	"github.com/learnbench/learnbench/learntest/record"
)

// program returns the digest of the running program, which says whether trials were run
// by the same code; "" if the program cannot be read.
var program = sync.OnceValue(func() string {
	path, err := os.Executable()
	if err != nil {
		return ""
	}
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return ""
	}
	return hex.EncodeToString(h.Sum(nil))
})

// resume takes over the trials that interrupted runs of the same have left, and those
// that the result file has of a run of the same program. Trials that failed are run again.
// Only says that the learners of the session are all that a journal may have.
func (s *session) resume(only bool) error {
	for _, in := range s.inputs {
		in.block = in.block.Clone()
		in.describe(&in.block.Header)
	}
	stale, err := s.store.Stale()
	if err != nil {
		return fmt.Errorf("result file: %w", err)
	}
	for _, path := range stale {
		if err := s.resumeFrom(path, only); err != nil {
			return err
		}
	}
	for _, in := range s.inputs {
		before, err := s.store.Before(in.block.Header.Identity())
		if err != nil {
			return fmt.Errorf("result file: %w", err)
		}
		if before == nil || s.sameProgram(&before.Header) != nil {
			continue
		}
		if _, err := s.adopt(in, before); err != nil && !errors.Is(err, record.ErrMismatch) {
			return err
		}
	}
	for _, in := range s.inputs {
		for l, name := range s.learners {
			switch in.block.Header.DeterminismOf(name) {
			case record.Deterministic:
				in.opened[l] = true
			case record.NotDeterministic:
				in.opened[l] = s.cfg.AllowNondeterminism
			}
		}
	}
	return nil
}

// inputOf returns the input whose results a block has, nil if there is none.
func (s *session) inputOf(b *record.Block) *input {
	for _, in := range s.inputs {
		if in.block.Header.Identity() == b.Header.Identity() {
			return in
		}
	}
	return nil
}

// resumeFrom takes over the trials of a journal.
func (s *session) resumeFrom(path string, only bool) error {
	r, err := storage.ReadJournal(path)
	if errors.Is(err, os.ErrNotExist) { // another run has completed it
		return nil
	}
	if err != nil {
		return fmt.Errorf("%w: %s cannot be resumed: %w: remove it to start anew", ErrConfig, path, err)
	}
	if r.Dropped != "" {
		s.note("%s: dropped what follows the last whole trial: %q", path, r.Dropped)
	}
	total := 0
	for _, b := range r.Blocks() {
		in := s.inputOf(b)
		if in == nil {
			continue
		}
		err := s.sameProgram(&b.Header)
		if only && err == nil {
			err = s.sameLearners(b)
		}
		n := 0
		if err == nil {
			n, err = s.adopt(in, b)
		}
		if err != nil {
			return fmt.Errorf("%w: %s cannot be resumed: %w: remove it to start anew", ErrConfig, path, err)
		}
		total += n
	}
	if total > 0 {
		s.note("%s: resumed %d trials", path, total)
	}
	for _, c := range r.Running {
		s.note("%s: %v was running when the process ended", path, c)
	}
	return nil
}

// sameProgram returns an error unless results were made by this program.
func (s *session) sameProgram(h *record.Header) error {
	own := s.header(s.inputs[0])
	switch {
	case h.Toolchain != own.Toolchain:
		return fmt.Errorf("it was written under %s, and this is %s", h.Toolchain, own.Toolchain)
	case h.Binary != own.Binary || own.Binary == "":
		return errors.New("it was written by another build of the program, whose learners may differ")
	}
	return nil
}

// sameLearners returns an error if a block has learners that are not run.
func (s *session) sameLearners(b *record.Block) error {
	for _, name := range b.Learners {
		if !slices.Contains(s.learners, name) {
			return fmt.Errorf("it has trials of %s, which is not among the learners", name)
		}
	}
	return nil
}

// adopt adds those trials of a block to the input's that did not fail and are not there,
// and returns how many there are.
func (s *session) adopt(in *input, b *record.Block) (int, error) {
	if err := b.Fits(in.block); err != nil {
		return 0, err
	}
	good, err := excerpt(b, b.Header, s.learners, in.examples.N, func(t record.Trial) bool { return t.Err == "" })
	if err != nil {
		return 0, err
	}
	rest, err := good.Minus(in.block)
	if err != nil {
		return 0, err
	}
	for t := range rest.Trials() {
		if !s.cfg.Results.Shard.has(s.unit(in, t.Cell())) {
			return 0, fmt.Errorf("%v is not in shard %v", t.Cell(), s.cfg.Results.Shard)
		}
		if err := in.block.Add(t); err != nil {
			return 0, err
		}
	}
	h := &in.block.Header
	for _, name := range s.learners {
		if was := b.Header.DeterminismOf(name); was != record.NotProbed && h.DeterminismOf(name) == record.NotProbed {
			h.AddDeterminism(name, was)
		}
	}
	s.unsaved = s.unsaved || rest.Len() > 0
	return rest.Len(), nil
}
