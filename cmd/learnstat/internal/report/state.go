package report

import (
	"github.com/learnbench/learnbench/learntest/verdict"
)

// The states of a gate, in the words that every format has.
const (
	Fails            = "the gate fails"
	Passes           = "the gate passes"
	PassesWithLosses = "the gate passes with losses that are not shown"
	PassesWithWaived = "the gate passes with losses that are waived"
)

// State says what the gate does; nothing if there is none, or if not everything could be judged. No
// gate just passes above a row that is regressed by any p.
func (r *Report) State() string {
	switch {
	case !r.Gate.Strict() || r.Status > 1 || r.History != nil:
		return ""
	case r.Gate.Fails()+r.Gate.OverFails()+r.Gate.RatioFails() > 0:
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
	for i := range r.Tables {
		t := &r.Tables[i]
		for j := range t.Over {
			for k := range t.Over[j].Columns {
				if t.Over[j].Columns[k].Outcome == lost && r.overTest(t.Metric, &t.Over[j], k).Waived == "" {
					return PassesWithLosses
				}
			}
		}
	}
	for _, o := range r.Gate.Over {
		switch {
		case o.Waived != "":
			state = PassesWithWaived
		case o.Outcome == lost:
			return PassesWithLosses
		}
	}
	return state
}

// overTest returns the test over data sets of a column of a table, the gate's test if it is one.
func (r *Report) overTest(metric string, o *Over, column int) *OverTest {
	for i := range r.Gate.Over {
		if x := &r.Gate.Over[i]; x.Metric == metric && x.Learner == o.Learner && x.Column == column &&
			x.DataSets == o.DataSets {
			return x
		}
	}
	return &OverTest{
		Metric: metric, Learner: o.Learner, Column: column, DataSets: o.DataSets,
		OverColumn: o.Columns[column], AdjustedP: o.Columns[column].P,
	}
}
