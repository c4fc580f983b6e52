package learntest

import "github.com/learnbench/learnbench/learntest/record"

// A probe is what came of training a learner twice on the same cell.
type probe struct {
	err           error   // of the first time
	first, second *uint64 // fingerprints of the predictions; nil where there are none
}

// outcome returns it as a header has it.
func (p *probe) outcome() string {
	switch {
	case p.first == nil || p.second == nil:
		return record.NotProbed
	case *p.first != *p.second:
		return record.NotDeterministic
	}
	return record.Deterministic
}
