package report

import (
	"strings"
	"testing"

	"github.com/learnbench/learnbench/learntest/verdict"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
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

// A cost that grew within the ratio that was allowed for it is no loss; any other row is.
func TestGrowthWithinItsRatioIsNoLoss(t *testing.T) {
	t.Parallel()
	const lost = "regressed"
	build := func() *Report {
		cells := func() []Cell {
			return []Cell{{}, {Learner: "nn", Verdict: &verdict.Facts{Outcome: lost}}}
		}
		return &Report{
			Columns: []Column{{}, {}},
			Tables: []Table{{
				Keys: []Line{{Key: "pkg", Value: "p"}}, Metric: "usd",
				Rows: []Row{{Label: "a/nn", Cells: cells()}, {Label: "b/nn", Cells: cells()}},
				Over: []Over{{
					Learner: "nn", DataSets: 2, Columns: []OverColumn{{}, {Outcome: lost}},
				}},
			}},
			Gate: Gate{Ratios: []Ratio{
				{Time: "usd", Within: true, Row: "pkg: p a/nn"},
				{Time: "usd", Within: true, Row: "pkg: p b/nn"},
			}},
		}
	}
	require.Equal(t, Passes, build().State())
	over := OverTest{
		Metric: "usd", Learner: "nn", Column: 1, DataSets: 2, OverColumn: OverColumn{Outcome: lost},
	}
	r := build()
	r.Gate.Over = []OverTest{over}
	require.Equal(t, Passes, r.State(), "the test is of the gate, too")
	r = build()
	r.Tables = append(r.Tables, build().Tables...)
	r.Tables[1].Keys[0].Value = "q"
	for _, x := range r.Gate.Ratios {
		x.Row = "pkg: q " + strings.TrimPrefix(x.Row, "pkg: p ")
		r.Gate.Ratios = append(r.Gate.Ratios, x)
	}
	require.Equal(t, Passes, r.State(), "each table has its means")
	for name, change := range map[string]func(r *Report){
		"a limit of another metric":   func(r *Report) { r.Gate.Ratios[0].Time = "fit-sec" },
		"a limit of another row":      func(r *Report) { r.Gate.Ratios[0].Row = "pkg: p c/nn" },
		"a limit of another column":   func(r *Report) { r.Gate.Ratios[0].Row += " in new.txt" },
		"a limit of another table":    func(r *Report) { r.Gate.Ratios[0].Row = "pkg: q a/nn" },
		"no limit":                    func(r *Report) { r.Gate.Ratios = r.Gate.Ratios[1:] },
		"a slice":                     func(r *Report) { r.Tables[0].Rows[0].Slice = &Slice{Name: "x=a"} },
		"a metric without a limit":    func(r *Report) { r.Tables[0].Metric = "accuracy" },
		"a mean of further data sets": func(r *Report) { r.Tables[0].Over[0].DataSets = 3 },
		"a mean of another learner":   func(r *Report) { r.Tables[0].Over[0].Learner = "c45" },
		"a test of further data sets": func(r *Report) {
			r.Gate.Over = []OverTest{over}
			r.Gate.Over[0].DataSets = 3
		},
	} {
		r := build()
		change(r)
		require.Equal(t, PassesWithLosses, r.State(), name)
	}
	r = build()
	r.Columns = []Column{{}, {Label: "new"}, {}}
	for j := range r.Tables[0].Rows {
		r.Tables[0].Rows[j].Cells = append(r.Tables[0].Rows[j].Cells, Cell{})
		r.Gate.Ratios[j].Row += " in new"
	}
	require.Equal(t, Passes, r.State(), "of several columns, each has its own ratios")
	r = build()
	r.Gate.Ratios[1].Within = false
	require.Equal(t, Fails, r.State())
}

// Losses are named without the costs that are allowed.
func TestLossesAreNamedWithoutGrowthThatIsAllowed(t *testing.T) {
	t.Parallel()
	const lost = "regressed"
	table := func(metric string) Table {
		return Table{
			Metric: metric,
			Unit:   &Unit{},
			Rows: []Row{{
				Label: "a/nn",
				Cells: []Cell{{}, {Learner: "nn", Verdict: &verdict.Facts{Outcome: lost}}},
			}},
			Over: []Over{{Learner: "nn", DataSets: 1, Columns: []OverColumn{{}, {Outcome: lost}}}},
		}
	}
	r := &Report{
		Columns: []Column{{}, {}},
		Tables:  []Table{table("usd"), table("accuracy")},
		Gate: Gate{Ratios: []Ratio{
			{Time: "usd", Within: true, Row: "a/nn"},
		}},
	}
	lines := strings.Join(r.Summary(), "\n")
	require.Contains(t, lines, "1 regressed comparison: accuracy of a/nn")
	require.Contains(t, lines, "accuracy of nn over 1 data sets")
	require.NotContains(t, lines, "usd")
}
