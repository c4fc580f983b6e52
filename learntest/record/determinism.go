package record

import (
	"strconv"
	"strings"
)

// What came of training a learner again, with the same seed, in cells in which it had been trained.
const (
	Deterministic    = "yes"
	NotDeterministic = "no"
	NotProbed        = "unknown" // a training failed, or there was no time
)

// DeterministicIn is what AddDeterminism takes of a learner that predicted the same in so many
// cells: "yes/6"; of a single one, "yes".
func DeterministicIn(cells int) string {
	if cells <= 1 {
		return Deterministic
	}
	return Deterministic + "/" + strconv.Itoa(cells)
}

// AddDeterminism adds the outcome of training a learner again to Header.Determinism, a list of
// NAME=OUTCOME in which names are escaped as they are in the names of trials. It takes the place of
// what the list has of the learner.
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

// DeterminismOf returns whether a learner predicted the same when it was trained again: Deterministic,
// NotDeterministic, or NotProbed, also if the header has nothing of it.
func (h *Header) DeterminismOf(learner string) string {
	outcome, _, _ := strings.Cut(h.Probe(learner), "/")
	if outcome == "" {
		return NotProbed
	}
	return outcome
}

// TrainedAgain returns the number of cells in which a learner was trained again and predicted the
// same; 0 if it did not, or if that is not known.
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

// Probe returns what AddDeterminism was told of a learner, or "" if the header has nothing of it.
func (h *Header) Probe(learner string) string { return valueOf(h.Determinism, learner) }
