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

// DeterministicIn returns the outcome, for AddDeterminism, of a learner whose predictions agreed in
// so many cells: "yes/6"; for a single cell, "yes".
func DeterministicIn(cells int) string {
	if cells <= 1 {
		return Deterministic
	}
	return Deterministic + "/" + strconv.Itoa(cells)
}

// AddDeterminism adds the outcome of training a learner again to Header.Determinism, a list of
// NAME=OUTCOME with names escaped as in the names of trials. It replaces an earlier outcome of the
// learner.
func (h *Header) AddDeterminism(learner, outcome string) {
	if h.Probe(learner) == "" {
		h.Determinism = addOf(h.Determinism, learner, outcome)
		return
	}
	own := addOf("", learner, outcome)
	name, _, _ := strings.Cut(own, "=")
	entries := strings.Fields(h.Determinism)
	for i, e := range entries {
		if strings.HasPrefix(e, name+"=") {
			entries[i] = own
		}
	}
	h.Determinism = strings.Join(entries, " ")
}

// DeterminismOf returns whether the predictions of a learner agreed when it was trained again:
// Deterministic, NotDeterministic, or NotProbed, also if the header has no outcome of the learner.
func (h *Header) DeterminismOf(learner string) string {
	outcome, _, _ := strings.Cut(h.Probe(learner), "/")
	if outcome == "" {
		return NotProbed
	}
	return outcome
}

// TrainedAgain returns the number of cells in which a learner was trained again and its predictions
// agreed; 0 if some did not, or if that is not known.
func (h *Header) TrainedAgain(learner string) int {
	outcome, cells, counted := strings.Cut(h.Probe(learner), "/")
	if outcome != Deterministic {
		return 0
	}
	if n, err := strconv.Atoi(cells); counted && err == nil && n > 0 {
		return n
	}
	return 1
}

// Probe returns the outcome that AddDeterminism got for a learner, or "" if the header has none.
func (h *Header) Probe(learner string) string { return valueOf(h.Determinism, learner) }
