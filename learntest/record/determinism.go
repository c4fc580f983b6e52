package record

import (
	"net/url"
	"strings"
)

// The outcomes of the determinism probe, which trains a learner twice on the
// same fold with the same seed.
const (
	Deterministic    = "yes"
	NotDeterministic = "no"
	NotProbed        = "unknown" // a training failed
)

// AddDeterminism adds the outcome of the probe of a learner to
// Header.Determinism, a list of NAME=OUTCOME in which names are escaped as in
// the query of a URL.
func (h *Header) AddDeterminism(learner, outcome string) {
	h.Determinism = strings.TrimLeft(h.Determinism+" "+url.QueryEscape(learner)+"="+outcome, " ")
}

// DeterminismOf returns the outcome of the probe of a learner, which is
// NotProbed if the header has none.
func (h *Header) DeterminismOf(learner string) string {
	for f := range strings.FieldsSeq(h.Determinism) {
		if name, outcome, ok := strings.Cut(f, "="); ok && name == url.QueryEscape(learner) {
			return outcome
		}
	}
	return NotProbed
}
