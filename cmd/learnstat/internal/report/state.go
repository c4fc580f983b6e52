package report

import (
	"slices"

	"github.com/learnbench/learnbench/learntest/verdict"
)

// The states of a gate, in the words that every format has.
const (
	Fails            = "the gate fails"
	Passes           = "the gate passes"
	PassesWithLosses = "the gate passes with losses that are not shown"
	PassesWithWaived = "the gate passes with losses that are waived"
)

// State says what the gate does; nothing if there is none, or if not everything could be judged. No gate
// just passes above a row that is regressed by any p.
func (r *Report) State() string {
	switch {
	case !r.Gate.Strict() || r.Status > 1 || r.History != nil:
		return ""
	case r.Gate.Fails()+r.Gate.OverFails() > 0:
		return Fails
	}
	offences := r.Gate.Decisive()
	lost := verdict.Regressed.String()
	state := Passes
	if len(offences) > 0 { // all are waived
		state = PassesWithWaived
	}
	for c := range r.All() {
		if c.Outcome != lost {
			continue
		}
		if offences[c.At].Waived == "" {
			return PassesWithLosses
		}
	}
	regressed := func(c OverColumn) bool { return c.Outcome == lost }
	for i := range r.Tables {
		if slices.ContainsFunc(r.Tables[i].Over, func(o Over) bool { return slices.ContainsFunc(o.Columns, regressed) }) {
			return PassesWithLosses
		}
	}
	if slices.ContainsFunc(r.Gate.Over, func(o OverTest) bool { return regressed(o.OverColumn) }) {
		return PassesWithLosses
	}
	return state
}
