package ledger

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/learnbench/learnbench/learntest/unit"
)

// refreshed stands behind the commits in the head of an entry, if its model was trained on other
// data.
const refreshed = " refreshed"

// A Mean is the mean of a score of a refreshed reference.
type Mean struct {
	Name  string // as Name has it
	Score string
	Other bool // it is on other data; else it is as before
}

// Refreshed returns the text of a ledger with an entry on other data, on which the model of the
// last entry was trained again. The reference is the text that was written.
func Refreshed(text, reference, reason string, date time.Time, means []Mean) (string, error) {
	entries, err := Parse(text)
	if err == nil {
		err = Verify(entries)
	}
	if err != nil {
		return "", err
	}
	last := entries[len(entries)-1]
	var b strings.Builder
	fmt.Fprintf(&b, "\n%s %s%s: %s\n", date.UTC().Format(time.DateOnly), last.commits, refreshed,
		unit.Printable(reason))
	fmt.Fprintf(&b, "    reference %s after %s\n", Digest(reference), last.Digest)
	for _, m := range means {
		what := unchanged
		if m.Other {
			what = otherData
		}
		fmt.Fprintf(&b, "    %s %s, %s\n", m.Name, m.Score, what)
	}
	text += b.String()
	if entries, err = Parse(text); err == nil {
		err = Verify(entries)
	}
	return text, err
}

// again returns an error unless an entry that is about other data has the model and the scores of
// the one before it, and no other entry has such scores.
func (e *Entry) again(before *Entry) error {
	others := 0
	for _, s := range e.Scores {
		switch {
		case !e.refreshed && s.other != "":
			return fmt.Errorf("%s is %s, and the entry is about no refresh", s.Name, s.other)
		case e.refreshed && s.other == "":
			return fmt.Errorf("%s has changed, and a refresh changes the data alone", s.Name)
		case s.other == otherData:
			others++
		}
	}
	switch {
	case !e.refreshed:
		return nil
	case others == 0:
		return errors.New("a refresh without other data")
	case e.commits != before.commits:
		return fmt.Errorf("a refresh is of the same model, and it is of %s, not of %s", e.commits,
			before.commits)
	case len(e.Scores) != len(before.Scores):
		return fmt.Errorf("a refresh has the scores of the entry above, which are %d, not %d",
			len(before.Scores), len(e.Scores))
	}
	return nil
}
