package results

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/unit"
)

// Update stores the results of the first learner in the file, in place of those that were the
// baseline until now, which it returns: nil if there were none. Unread says why they cannot be read, if they
// were edited.
func (s Baseline) Update() (before *record.Block, unread, err error) {
	before, unread = s.before()
	store, err := s.results.registry.storeAt(s.path)
	if err == nil {
		err = declaredAlike(s.path, s.Block())
	}
	if err == nil {
		err = s.results.Instance.saveBaseline(store, s.settings.Learners[0])
	}
	return before, unread, err
}

// Mendable returns an error if the file has a merge conflict, which an update would leave beside what it writes.
func (s Baseline) Mendable() error {
	if _, err := record.Open(s.path); errors.Is(err, record.ErrConflict) {
		return err
	}
	return nil
}

// before returns the results that were the baseline of the first learner until now; nil if there
// are none, or if they were edited.
func (s Baseline) before() (*record.Block, error) {
	f, err := record.Open(s.path)
	if errors.Is(err, record.ErrChecksum) {
		return nil, err
	}
	if err != nil { // such as that there is none
		return nil, nil
	}
	b := s.beforeIn(f)
	if b != nil {
		if err := record.Verify(b); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// beforeIn returns the results that were the baseline of the first learner in a file; nil if there are none.
func (s Baseline) beforeIn(f *record.File) *record.Block {
	id, name := s.Identity(), s.settings.Learners[0]
	var alike, found []*record.Block
	for _, b := range f.Experiments() {
		h := &b.Header
		switch {
		case h.Data != s.Data.Name || !slices.Contains(b.Learners, name) || b.Header.IsSecondOpinion():
			continue
		case h.Identity() == id:
			return b
		case h.Protocol == id.Protocol:
			alike = append(alike, b)
		}
		found = append(found, b)
	}
	switch {
	case len(alike) == 1: // that of a test which has got another name
		return alike[0]
	case len(found) == 1:
		return found[0]
	}
	return nil
}

// declaredAlike returns an error if the file has other results in a metric that is declared
// in another way: nobody could read it then.
func declaredAlike(path string, b *record.Block) error {
	f, err := record.Open(path)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, record.ErrNotFound) || errors.Is(err, record.ErrChecksum) {
		return nil // nothing is there, or what is was edited: an update mends that
	}
	if err != nil {
		return err
	}
	for _, have := range f.Blocks() {
		for _, u := range have.Units {
			at := slices.IndexFunc(b.Units, func(own unit.Unit) bool { return own.Name == u.Name })
			if at >= 0 && b.Units[at] != u && have.Header.Identity() != b.Header.Identity() {
				return fmt.Errorf("metric %s has another direction or range for %v: give it another name", u.Name, have.Header.Identity())
			}
		}
	}
	return nil
}
