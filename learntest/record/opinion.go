package record

import "github.com/learnbench/learnbench/learntest/split"

// A second opinion is trials in halves of the examples (split.Halves), under a protocol of
// their own, on the results of another protocol. Its head says of each learner which results
// these are, so that an opinion on earlier results is not taken for one on later ones.

// IsSecondOpinion reports whether the protocol is the protocol of a second opinion.
func (h *Header) IsSecondOpinion() bool {
	s, err := split.ParseShape(h.Protocol)
	return err == nil && s.Halves()
}

// AddOpinionOn adds to Header.OpinionOn the fingerprint of the results of a learner that
// the trials are a second opinion on.
func (h *Header) AddOpinionOn(learner, fingerprint string) {
	h.OpinionOn = addOf(h.OpinionOn, learner, fingerprint)
}

// OpinionOf returns the fingerprint of the results of a learner that the trials are a second
// opinion on; "" if they are none that is known.
func (h *Header) OpinionOf(learner string) string { return valueOf(h.OpinionOn, learner) }
