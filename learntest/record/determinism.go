package record

// The outcomes of the determinism probe, which trains a learner twice on the
// same fold with the same seed.
const (
	Deterministic    = "yes"
	NotDeterministic = "no"
	NotProbed        = "unknown" // a training failed
)

// AddDeterminism adds the outcome of the probe of a learner to
// Header.Determinism, a list of NAME=OUTCOME in which names are escaped as they
// are in the names of trials.
func (h *Header) AddDeterminism(learner, outcome string) {
	h.Determinism = addOf(h.Determinism, learner, outcome)
}

// DeterminismOf returns the outcome of the probe of a learner, which is
// NotProbed if the header has none.
func (h *Header) DeterminismOf(learner string) string {
	if o := h.outcome(learner); o != "" {
		return o
	}
	return NotProbed
}

// outcome returns the outcome of the probe of a learner, or "" if the header has
// none.
func (h *Header) outcome(learner string) string { return valueOf(h.Determinism, learner) }
