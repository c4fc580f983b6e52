package record

import (
	"strconv"
	"strings"
)

// Outcomes of training a learner again, with the same seed, in cells in which it had been trained.
const (
	Deterministic    = "yes"
	NotDeterministic = "no"
	NotProbed        = "unknown" // a training failed, or there was no time
)

// DeterministicIn returns the outcome, for [Entry.SetProbe], of a learner whose predictions agreed
// in so many cells: "yes/6"; for a single cell, "yes".
func DeterministicIn(cells int) string {
	if cells <= 1 {
		return Deterministic
	}
	return Deterministic + "/" + strconv.Itoa(cells)
}

// SetProbe sets the outcome of training the learner again in Header.Determinism, a list of
// NAME=OUTCOME with names escaped as in the names of trials.
func (e Entry) SetProbe(outcome string) {
	h := e.header
	if e.Probe() == "" {
		h.Determinism = addOf(h.Determinism, e.learner, outcome)
		return
	}
	own := addOf("", e.learner, outcome)
	name, _, _ := strings.Cut(own, "=")
	entries := strings.Fields(h.Determinism)
	for i, other := range entries {
		if strings.HasPrefix(other, name+"=") {
			entries[i] = own
		}
	}
	h.Determinism = strings.Join(entries, " ")
}

// Probe returns the outcome that SetProbe got, or "" if the header has none.
func (e Entry) Probe() string { return valueOf(e.header.Determinism, e.learner) }

// Determinism returns whether the predictions of the learner agreed when it was trained again:
// Deterministic, NotDeterministic, or NotProbed, also if the header has no outcome.
func (e Entry) Determinism() string {
	outcome, _, _ := strings.Cut(e.Probe(), "/")
	if outcome == "" {
		return NotProbed
	}
	return outcome
}

// TrainedAgain returns the number of cells in which the learner was trained again and its
// predictions agreed; 0 if some did not, or if that is not known.
func (e Entry) TrainedAgain() int {
	outcome, cells, counted := strings.Cut(e.Probe(), "/")
	if outcome != Deterministic {
		return 0
	}
	if n, err := strconv.Atoi(cells); counted && err == nil && n > 0 {
		return n
	}
	return 1
}
