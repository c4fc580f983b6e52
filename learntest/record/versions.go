package record

import (
	"fmt"
	"strconv"
	"strings"
)

// SetVersion adds to Header.Versions, a list of NAME=VERSION with both escaped as in the names of
// trials, which version of the system has answered: text of the user, such as the name of a model
// and a digest of its prompt.
func (e Entry) SetVersion(version string) {
	e.header.Versions = addOf(e.header.Versions, e.learner, EscapeName(version))
}

// Version returns the version that SetVersion got, or "" if the header has none.
func (e Entry) Version() string {
	version, err := unescapeName(valueOf(e.header.Versions, e.learner))
	if err != nil {
		return ""
	}
	return version
}

// A Replay says how many answers of a system rest on responses that were recorded before, and from
// when to when, as in 2026-10-02.
type Replay struct {
	Answers int
	First   string // day
	Last    string // day
}

// Add adds answers that rest on responses of some days.
func (r *Replay) Add(o Replay) {
	if o.Answers == 0 {
		return
	}
	if r.Answers == 0 || o.First < r.First {
		r.First = o.First
	}
	r.Last = max(r.Last, o.Last)
	r.Answers += o.Answers
}

// SetReplay adds the replay of the learner to Header.Replayed, a list of NAME=ANSWERS/FIRST/LAST,
// unless it has no answers.
func (e Entry) SetReplay(r Replay) {
	if r.Answers > 0 {
		e.header.Replayed = addOf(e.header.Replayed, e.learner, r.String())
	}
}

// String returns the replay as a header has it.
func (r Replay) String() string { return fmt.Sprintf("%d/%s/%s", r.Answers, r.First, r.Last) }

// Days returns from when to when responses were recorded, in words.
func (r Replay) Days() string {
	if r.Last == r.First {
		return r.First
	}
	return r.First + " to " + r.Last
}

// Replay returns the replay that SetReplay got, the zero one if the header has none.
func (e Entry) Replay() Replay {
	r, _ := ParseReplay(valueOf(e.header.Replayed, e.learner)) // as checked
	return r
}

// ParseReplay returns the replay of a text that [Replay.String] has made, and whether it is one.
func ParseReplay(text string) (Replay, bool) {
	answers, days, ok := strings.Cut(text, "/")
	first, last, more := strings.Cut(days, "/")
	n, err := strconv.Atoi(answers)
	return Replay{n, first, last}, ok && more && err == nil && n > 0 && isDay(first) && isDay(last) &&
		first <= last
}

func isDay(text string) bool { return checkTime(text+"T00:00:00Z") == nil }

// checkReplays returns an error unless a text is one that SetReplay makes.
func checkReplays(text string) error {
	for f := range strings.FieldsSeq(text) {
		_, value, _ := strings.Cut(f, "=")
		if _, ok := ParseReplay(value); !ok {
			return fmt.Errorf("%q is not of the form NAME=ANSWERS/FIRST/LAST with days as in 2026-10-02", f)
		}
	}
	return nil
}
