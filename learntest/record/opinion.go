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

// SetOpinionOn adds to Header.OpinionOn the fingerprint of the learner's results that the trials
// are a second opinion on.
func (e Entry) SetOpinionOn(fingerprint string) {
	e.header.OpinionOn = addOf(e.header.OpinionOn, e.learner, fingerprint)
}

// OpinionOn returns the fingerprint of the learner's results that the trials are a second opinion
// on; "" if they are none that is known.
func (e Entry) OpinionOn() string { return valueOf(e.header.OpinionOn, e.learner) }
