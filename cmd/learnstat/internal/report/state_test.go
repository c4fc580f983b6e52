package report

import (
	"testing"

	"github.com/learnbench/learnbench/learntest/verdict"
	"github.com/stretchr/testify/assert"
)

// No gate just passes above a row, or a mean over data sets, that is regressed by any p.
func TestNoGateJustPassesAboveALoss(t *testing.T) {
	t.Parallel()
	const none, lost, gained, open = "", "regressed", "improved", "inconclusive"
	offence := func(waived string) []Offence {
		return []Offence{{At: At{Table: 0, Row: 0, Column: 1}, Why: lost, Waived: waived}}
	}
	over := func(dataSets int, outcome, why, waived string) []OverTest {
		return []OverTest{{
			Metric: "accuracy", Learner: "nn", Column: 1, DataSets: dataSets,
			OverColumn: OverColumn{Outcome: outcome}, Why: why, Waived: waived,
		}}
	}
	for _, c := range []struct {
		name     string
		row      string // the outcome
		mean     string // the outcome over the ten data sets of the table; "" if there is no test
		offences []Offence
		over     []OverTest
		want     string
	}{
		{"nothing lost", open, none, nil, nil, Passes},
		{"gains", gained, gained, nil, over(10, gained, none, none), Passes},
		{"a row that fails", lost, none, offence(none), nil, Fails},
		{"a row that is spared", lost, none, nil, nil, PassesWithLosses},
		{"a row that is waived", lost, none, offence("known"), nil, PassesWithWaived},
		{"a mean that is in no gate", open, lost, nil, nil, PassesWithLosses},
		{"a mean in another gate", open, lost, nil, over(9, lost, lost, "known"), PassesWithLosses},
		{"a mean that fails", open, lost, nil, over(10, lost, lost, none), Fails},
		{"a mean that is spared", open, lost, nil, over(10, lost, none, none), PassesWithLosses},
		{"a mean that is waived", open, lost, nil, over(10, lost, lost, "known"), PassesWithWaived},
		{
			"a mean that is waived, and not the row", lost, lost, nil, over(10, lost, lost, "known"),
			PassesWithLosses,
		},
		{
			"a test of the gate that no table has", open, none, nil, over(10, lost, none, none),
			PassesWithLosses,
		},
		{
			"a test of the gate that no table has, and is waived", open, none, nil,
			over(10, lost, lost, "known"), PassesWithWaived,
		},
		{
			"a waived row, and a test that is spared", lost, none, offence("known"),
			over(10, lost, none, none), PassesWithLosses,
		},
	} {
		v := &verdict.Facts{Outcome: c.row}
		table := Table{Metric: "accuracy", Rows: []Row{{Label: "a", Cells: []Cell{{}, {Verdict: v}}}}}
		if c.mean != none {
			table.Over = []Over{{Learner: "nn", DataSets: 10, Columns: []OverColumn{{}, {Outcome: c.mean}}}}
		}
		r := &Report{Columns: []Column{{}, {}}, Tables: []Table{table}, Gate: Gate{
			FailOn:   []string{lost},
			Offences: c.offences, Over: c.over,
		}}
		assert.Equal(t, c.want, r.State(), c.name)
		r.Status = 2
		assert.Empty(t, r.State(), "%s, and not everything could be judged", c.name)
		r.Status, r.Gate.FailOn = 0, nil
		assert.Empty(t, r.State(), "%s, without a gate", c.name)
	}
}
