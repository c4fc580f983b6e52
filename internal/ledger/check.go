package ledger

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/unit"
)

// ErrNone is wrapped by the error about a reference without a ledger.
var ErrNone = errors.New("has no ledger")

// Check returns an error unless the reference at a path is the one that the last entry of its
// ledger is about, and all entries follow from one another.
func Check(reference string) error {
	path := Path(reference)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s %w, %s", reference, ErrNone, path)
	}
	if err != nil {
		return err
	}
	entries, err := Parse(string(text))
	if err == nil {
		err = Verify(entries)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	own, err := os.ReadFile(reference)
	if err != nil {
		return err
	}
	last := entries[len(entries)-1]
	if have := Digest(string(own)); last.Digest != have {
		return fmt.Errorf("%s was not written by the last move in %s, which wrote %s, and it is %s",
			reference, path, last.Digest, have)
	}
	f, err := record.Open(reference)
	if err != nil {
		return err
	}
	for _, b := range f.Experiments() {
		if err := record.Verify(b); err != nil {
			return err
		}
		for _, l := range b.Learners {
			for _, u := range b.Units {
				mean, ok := b.Mean(l, u.Name)
				if !ok {
					return fmt.Errorf("%s: trials of %s on data set %s are missing", reference, l, b.Header.Data)
				}
				if !last.has(Name(b.Header.Data, l, u), u.FormatScore(mean)) {
					return fmt.Errorf("%s: the entry of line %d has no %s %s, which %s has", path, last.Line,
						Name(b.Header.Data, l, u), u.FormatScore(mean), reference)
				}
			}
		}
	}
	return nil
}

// Name returns what entries call the mean of a learner in a metric.
func Name(data, learner string, u unit.Unit) string {
	return unit.Printable(fmt.Sprintf("%s/%s  %s", data, learner, u.Name))
}

// has reports whether an entry has a score.
func (e *Entry) has(name, score string) bool {
	for _, s := range e.Scores {
		if s.Name == name && strings.TrimSpace(s.Text) == score {
			return true
		}
	}
	return false
}
