package results

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/unit"
)

// An Update is the outcome of updating a baseline.
type Update struct {
	Before *record.Block // the baseline until now; nil if there was none
	Gone   *record.Block // has the learners that were there in place of the first one; nil if there were none
	Unread error         // why the earlier baseline cannot be read: it was edited
	Same   bool          // nothing was written: the same scores are there
}

// Others returns the learners that are gone.
func (u *Update) Others() []string {
	if u.Gone == nil {
		return nil
	}
	return u.Gone.Learners
}

// Update stores the results of the first learner in the file, in place of the baseline until now,
// unless that has the same scores: the file is left alone then.
func (s Baseline) Update() (*Update, error) {
	store, err := s.results.registry.storeAt(s.path)
	if err != nil {
		return nil, err
	}
	program, err := s.results.Program()
	if err != nil {
		return nil, err
	}
	in, name := s.results.Instance, s.settings.Learners[0]
	now, err := record.Open(s.path)
	before := in.baselineAt(store, now, err, name, program)
	u := new(Update)
	if errors.Is(before.err, record.ErrChecksum) {
		u.Unread = before.err
	}
	if before.err == nil {
		u.Before = s.beforeIn(before.file)
		if u.Before == nil {
			u.Gone = s.goneFrom(before.file, before.learners)
		} else if u.Unread = record.Verify(u.Before); u.Unread != nil {
			u.Before = nil
		}
	}
	switch {
	case errors.Is(err, fs.ErrNotExist) || errors.Is(err, record.ErrNotFound) ||
		errors.Is(err, record.ErrChecksum):
		// There is no baseline, or an edited one: an update mends that.
	case err != nil:
		return nil, err
	default:
		have, err := s.resultsIn(now, 0)
		if err == nil && have.Header.Identity() == s.Identity() && sameScores(s.Block(), have, name) {
			u.Same = true
			return u, nil
		}
		if err := declaredAlike(now, s.Block()); err != nil {
			return nil, err
		}
	}
	return u, in.saveBaseline(store)
}

// sameScores reports whether two blocks have the same trials of a learner, bit for bit, and the
// first one no other counts of right predictions.
func sameScores(a, b *record.Block, learner string) bool {
	right := a.Header.Of(learner).Right()
	if !slices.Equal(a.Columns, b.Columns) || right != nil &&
		!slices.Equal(right, b.Header.Of(learner).Right()) {
		return false
	}
	of := func(b *record.Block) (trials []record.Trial) {
		for t := range b.Trials() {
			if t.Learner == learner {
				trials = append(trials, t)
			}
		}
		return trials
	}
	return slices.EqualFunc(of(a), of(b), func(x, y record.Trial) bool {
		return x.Run == y.Run && x.Fold == y.Fold && x.Err == y.Err && slices.Equal(x.Values, y.Values)
	})
}

// goneFrom returns what the file has under the identity of the set, without the learners that
// this test has updated; nil if there is nothing.
func (s Baseline) goneFrom(f *record.File, updated map[string]string) *record.Block {
	for _, b := range f.Experiments() {
		if b.Header.Identity() != s.Identity() {
			continue
		}
		others := slices.DeleteFunc(slices.Clone(b.Learners), func(name string) bool {
			_, ok := updated[name]
			return ok
		})
		if len(others) == 0 {
			return nil
		}
		gone, err := excerpt(b, b.Header, others, examplesOf(b), all)
		if err != nil {
			return nil
		}
		return gone
	}
	return nil
}

// Mendable returns an error if nothing can be written there, or if the file has a merge conflict:
// an update would leave the conflict beside the new results.
func (s Baseline) Mendable() error {
	if _, err := s.results.registry.storeAt(s.path); err != nil {
		return err
	}
	if _, err := record.Open(s.path); errors.Is(err, record.ErrConflict) {
		return err
	}
	return nil
}

// beforeIn returns the results that were the baseline of the first learner in a file; nil if there
// are none.
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
	case len(alike) == 1: // the test has got another name
		return alike[0]
	case len(found) == 1:
		return found[0]
	}
	return nil
}

// declaredAlike returns an error if the file has other results in a metric that is declared
// in another way: nobody could read it then.
func declaredAlike(f *record.File, b *record.Block) error {
	for _, have := range f.Blocks() {
		for _, u := range have.Units {
			at := slices.IndexFunc(b.Units, func(own unit.Unit) bool { return own.Name == u.Name })
			if at >= 0 && b.Units[at] != u && have.Header.Identity() != b.Header.Identity() {
				return fmt.Errorf("metric %s has another direction or range for %v: give it another name",
					u.Name, have.Header.Identity())
			}
		}
	}
	return nil
}
