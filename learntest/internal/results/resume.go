package results

import (
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/learnbench/learnbench/internal/storage"
	"github.com/learnbench/learnbench/learntest/record"
)

// resume takes over the trials that interrupted runs of the same sets have left, and the trials of
// the same program in the result file. Trials that failed are run again. If only, a journal with
// other learners is an error.
func (r *Results) resume(only bool, sets ...*Set) error {
	for _, s := range sets {
		s.Described()
	}
	stale, err := r.store.Stale()
	if err != nil {
		return fmt.Errorf("result file: %w", err)
	}
	for _, path := range stale {
		if err := (resumption{r, only, sets}).from(path); err != nil {
			return err
		}
	}
	for _, s := range sets {
		before, err := r.store.Before(s.Identity())
		if err != nil {
			return fmt.Errorf("result file: %w", err)
		}
		if before == nil {
			continue
		}
		if err := s.resumes(&before.Header); err != nil {
			r.Note("%s: nothing is taken over of %v: %v", r.Out, s.Identity(), err)
			continue
		}
		var from source
		if s.kept != nil {
			if from, err = s.kept.stored(r.Predictions, before); err != nil {
				r.Note("%s: nothing is taken over of %v: %v", r.Out, s.Identity(), err)
				continue
			}
		}
		if _, err := s.adopt(before, from); err != nil && !errors.Is(err, record.ErrMismatch) {
			return err
		}
	}
	for _, s := range sets {
		for l, name := range r.Learners {
			s.proven[l] = s.block.Header.Of(name).Determinism() != record.NotProbed
			s.probed[l] = s.probed[l] || s.proven[l]
		}
	}
	there, missing := 0, 0
	for _, s := range sets {
		there += s.Block().Len()
		for range s.Missing(r.Runs, r.Learners) {
			missing++
		}
	}
	r.Note("%s: %d trials taken over, %d trained", r.Out, there, missing)
	return nil
}

// A resumption takes over the trials of some sets from journals.
type resumption struct {
	*Results
	only bool // the learners are all that a journal may have
	sets []*Set
}

// from takes over the trials of a journal.
func (r resumption) from(path string) error {
	remains, err := storage.ReadJournal(path)
	if errors.Is(err, os.ErrNotExist) { // another run has completed it
		return nil
	}
	if err != nil {
		return fmt.Errorf("%w: %s cannot be resumed: %w: remove it to start anew", ErrConfig, path, err)
	}
	if remains.Dropped != "" {
		r.Note("%s: dropped what follows the last whole trial: %q", path, remains.Dropped)
	}
	total := 0
	for _, b := range remains.Blocks() {
		at := slices.IndexFunc(r.sets, func(s *Set) bool { return s.Identity() == b.Header.Identity() })
		if at < 0 {
			continue
		}
		err := r.sets[at].resumes(&b.Header)
		if r.only && err == nil {
			err = r.sameLearners(b)
		}
		n := 0
		if err == nil {
			var from source
			if s := r.sets[at]; s.kept != nil {
				from = s.kept.journaled(remains.Notes)
			}
			n, err = r.sets[at].adopt(b, from)
		}
		if err != nil {
			return fmt.Errorf("%w: %s cannot be resumed: %w: remove it to start anew", ErrConfig, path, err)
		}
		total += n
	}
	if total > 0 {
		r.Note("%s: resumed %d trials", path, total)
	}
	for _, c := range remains.Running {
		r.Note("%s: %v was running when the process ended", path, c)
	}
	return nil
}

// resumes returns an error unless results were made by the same learners under the same system.
func (s *Set) resumes(h *record.Header) error {
	own := &s.block.Header
	if h.Toolchain != own.Toolchain {
		return fmt.Errorf("it was written under %s, and this is %s", h.Toolchain, own.Toolchain)
	}
	return sameProgram(h, own)
}

// sameLearners returns an error if a block has learners that are not run.
func (r resumption) sameLearners(b *record.Block) error {
	for _, name := range b.Learners {
		if !slices.Contains(r.Learners, name) {
			return fmt.Errorf("it has trials of %s, which is not among the learners", name)
		}
	}
	return nil
}

// trusts reports whether a learner's trials in a block may be taken over. They may not if the
// learner has predicted something else when it was trained again, unless that is allowed.
func (s *Set) trusts(b *record.Block, learner string) bool {
	return s.settings.AllowNondeterminism ||
		b.Header.Of(learner).Determinism() != record.NotDeterministic
}

// adopt adds the trials of a block that did not fail and are missing here, and returns their
// number. Where predictions are kept, these are only the trials of which the source has them.
func (s *Set) adopt(b *record.Block, from source) (int, error) {
	if err := b.Fits(s.block); err != nil {
		return 0, err
	}
	good, err := excerpt(b, b.Header, s.settings.Learners, s.Data.Examples.N,
		func(t record.Trial) bool {
			return t.Err == "" && s.trusts(b, t.Learner) && (s.kept == nil || from(t.Cell()) != nil)
		})
	if err != nil {
		return 0, err
	}
	rest, err := good.Minus(s.block)
	if err != nil {
		return 0, err
	}
	block := s.block.Clone()
	if rest.Len() > 0 {
		measuredOn(block, b.Header.Machine)
		block.Timeless = block.Timeless || b.Timeless
	}
	var cells []record.Cell
	for t := range rest.Trials() {
		cells = append(cells, t.Cell())
		if !s.hand.has(t.Cell()) {
			return 0, fmt.Errorf("%v is not in shard %v", t.Cell(), s.hand.shard)
		}
		if err := block.Add(t); err != nil {
			return 0, err
		}
	}
	if s.kept != nil {
		if err := s.kept.adopt(cells, from); err != nil {
			return 0, err
		}
	}
	for l, name := range s.settings.Learners {
		if _, stopped := b.Header.Of(name).Stop(); stopped { // it was trained again in the cells of these runs only
			s.probed[l] = true
			continue
		}
		if s.trusts(b, name) && b.Header.Of(name).Determinism() != record.NotProbed &&
			block.Header.Of(name).Determinism() == record.NotProbed {
			block.Header.Of(name).SetProbe(b.Header.Of(name).Probe())
		}
	}
	s.put(block)
	s.unsaved = s.unsaved || rest.Len() > 0
	return rest.Len(), nil
}
