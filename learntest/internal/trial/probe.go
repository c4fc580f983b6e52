package trial

import (
	"github.com/learnbench/learnbench/learntest/record"
)

// A Probe is what came of training a learner twice on the same cell.
type Probe struct {
	Err error // of the first time

	first, second *uint64 // fingerprints of the predictions; nil where there are none
	near, far     further // predictions beyond the cell, of the first and the second time
}

// Outcome returns it as a header has it.
func (p *Probe) Outcome() string {
	switch {
	case p.first == nil || p.second == nil:
		return record.NotProbed
	case *p.first != *p.second:
		return record.NotDeterministic
	case p.near.sum != nil && p.far.sum != nil && p.near.rows == p.far.rows && *p.near.sum != *p.far.sum:
		return record.NotDeterministic
	}
	return record.Deterministic
}

// wanted returns how many examples the first or the second model is to predict further.
func (p *Probe) wanted(second bool) int {
	switch {
	case p == nil:
		return 0
	case second:
		return p.near.rows
	}
	return mostFurther
}

// take takes note of the predictions of the first or the second model.
func (p *Probe) take(a *Attempt, second bool) {
	sum := a.Fingerprint()
	if second {
		p.second, p.far = &sum, a.further
	} else {
		p.first, p.near = &sum, a.further
	}
}
