package record

import (
	"fmt"
	"strconv"
	"strings"
)

// AddVersion adds to Header.Versions, a list of NAME=VERSION with both escaped as in the names of trials, which version of a
// system has answered: text of the user, such as the name of a model and a digest of its prompt.
func (h *Header) AddVersion(learner, version string) {
	h.Versions = addOf(h.Versions, learner, EscapeName(version))
}

// VersionOf returns the version that AddVersion got for a learner, or "" if the header has none.
func (h *Header) VersionOf(learner string) string {
	version, err := unescapeName(valueOf(h.Versions, learner))
	if err != nil {
		return ""
	}
	return version
}

// A Replay says how many answers of a system rest on responses that were recorded before, and from when to when, as in
// 2026-10-02.
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

// AddReplay adds the replay of a learner to Header.Replayed, a list of NAME=ANSWERS/FIRST/LAST, unless it has no answers.
func (h *Header) AddReplay(learner string, r Replay) {
	if r.Answers > 0 {
		h.Replayed = addOf(h.Replayed, learner, r.String())
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

// ReplayOf returns the replay that AddReplay got for a learner, the zero one if the header has none.
func (h *Header) ReplayOf(learner string) Replay {
	r, _ := ParseReplay(valueOf(h.Replayed, learner)) // as checked
	return r
}

// ParseReplay returns the replay of a text that [Replay.String] has made, and whether it is one.
func ParseReplay(text string) (Replay, bool) {
	answers, days, ok := strings.Cut(text, "/")
	first, last, more := strings.Cut(days, "/")
	n, err := strconv.Atoi(answers)
	return Replay{n, first, last}, ok && more && err == nil && n > 0 && isDay(first) && isDay(last) && first <= last
}

func isDay(text string) bool { return checkTime(text+"T00:00:00Z") == nil }

// checkReplays returns an error unless a text is one that AddReplay makes.
func checkReplays(text string) error {
	for f := range strings.FieldsSeq(text) {
		_, value, _ := strings.Cut(f, "=")
		if _, ok := ParseReplay(value); !ok {
			return fmt.Errorf("%q is not of the form NAME=ANSWERS/FIRST/LAST with days as in 2026-10-02", f)
		}
	}
	return nil
}
