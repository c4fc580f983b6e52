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

// State says what the gate does; nothing if there is none, or if not everything could be judged. No
// gate just passes above a row that is regressed by any p, unless it is a cost that grew within the
// ratio that is allowed for it.
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
		if c.Outcome != lost || allowed(r, c.Table, c.Row, c.At.Column) {
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
				o := &t.Over[j]
				if o.Columns[k].Outcome == lost &&
					!allowedOver(r, r.Tables[i:i+1], t.Metric, o.Learner, k, o.DataSets) &&
					r.overTest(t.Metric, o, k).Waived == "" {
					return PassesWithLosses
				}
			}
		}
	}
	for _, o := range r.Gate.Over {
		switch {
		case o.Waived != "":
			state = PassesWithWaived
		case o.Outcome == lost && !allowedOver(r, r.Tables, o.Metric, o.Learner, o.Column, o.DataSets):
			return PassesWithLosses
		}
	}
	return state
}

// allowed reports whether the gate has a limit of the ratio of a comparison's scores, which is a
// cost, and the ratio is shown to be within. It is of all examples, and not of a slice.
func allowed(r *Report, t *Table, row *Row, column int) bool {
	of := ""
	for _, k := range t.Keys {
		of += k.Key + ": " + k.Value + " "
	}
	if of += row.Label; len(row.Cells) > 2 {
		of += " in " + r.Columns[column].Label
	}
	return row.Slice == nil && slices.ContainsFunc(r.Gate.Ratios, func(x Ratio) bool {
		return x.Within && x.Time == t.Metric && x.Row == of
	})
}

// allowedOver reports whether the ratios on all data sets that a test is over are allowed. Its rows
// are in the tables.
func allowedOver(r *Report, tables []Table, metric, learner string, column, dataSets int) bool {
	n := 0
	for i := range tables {
		t := &tables[i]
		for j := range t.Rows {
			row := &t.Rows[j]
			if t.Metric == metric && column < len(row.Cells) && row.Cells[column].Learner == learner &&
				allowed(r, t, row, column) {
				n++
			}
		}
	}
	return n == dataSets
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
