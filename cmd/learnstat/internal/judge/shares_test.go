package judge

import (
	"fmt"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/cmd/learnstat/internal/input"
	"github.com/learnbench/learnbench/cmd/learnstat/internal/match"
	"github.com/learnbench/learnbench/cmd/learnstat/internal/report"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/stat/across"
	"github.com/learnbench/learnbench/learntest/stat/adjust"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/learnbench/learnbench/learntest/verdict"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A result is a learner on a data set, whose new scores are so much higher than the old ones, and
// differ by some noise.
type result struct {
	data, learner string
	gain, noise   float64
}

// onEach returns a result of a learner on each of n data sets.
func onEach(n int, learner string, gain, noise float64) []result {
	var all []result
	for i := range n {
		all = append(all, result{fmt.Sprintf("d%02d", i), learner, gain + 1e-4*float64(i), noise})
	}
	return all
}

// laidOut returns the layout of results, old and new ones.
func laidOut(t *testing.T, table string, protocols []string, units []unit.Unit,
	results ...result,
) *match.Layout {
	t.Helper()
	var files [2][]*record.Block
	for i, r := range results {
		protocol := protocols[i%len(protocols)]
		for side := range files {
			h := record.Header{
				Data: r.data, Test: "Test" + r.learner, Protocol: protocol, CommitTime: committedAt,
				Commit:     fmt.Sprint(side),
				DataDigest: strings.Repeat("a", 64), SplitDigest: strings.Repeat("b", 64),
			}
			b, err := record.NewBlock(h, []string{r.learner}, units, 40000)
			require.NoError(t, err)
			for cell := range 12 {
				score := 0.5 + 0.01*float64(cell%4)
				if side == 1 {
					score += r.gain + r.noise*float64((cell*5)%12-5)
				}
				values := make([]float64, len(units))
				for k := range values {
					values[k] = score
				}
				require.NoError(t, b.Add(record.Trial{
					Data: r.data, Learner: r.learner, Run: cell/4 + 1,
					Fold: cell%4 + 1, TrainN: 30000, TestN: 10000, Values: values,
				}))
			}
			files[side] = append(files[side], b)
		}
	}
	var sides []*input.Side
	for i, label := range []string{"old", "new"} {
		sides = append(sides, &input.Side{
			Source: input.Source{Key: label, Label: label},
			File:   record.NewFile(files[i]...),
		})
	}
	l, err := match.Arrange(match.Query{
		Filter: "*", Col: match.DefaultCol, Table: table,
		Row: match.RowsBeside(match.DefaultCol, table),
	}, sides)
	require.NoError(t, err)
	require.Empty(t, l.Problems)
	return l
}

var threeByFour = []string{"cv runs=3 folds=4 stratified seed=1 v1"}

// built returns the report on a layout under a gate.
func built(t *testing.T, l *match.Layout, failOn, method string,
	change func(*Options),
) (*report.Report, *Rules) {
	t.Helper()
	g := ruled(t, failOn, "", "")
	g.Adjust = adjust.MustLookup(method)
	o := Options{Adjust: g.Adjust, Gate: g}
	o.Claim.Alpha = 0.05
	if change != nil {
		change(&o)
	}
	r, problems, err := Build(l, o)
	require.NoError(t, err)
	require.Empty(t, problems)
	return r, g
}

// Tests over data sets take a fifth of the level where they can be significant at it, by the design
// alone.
func TestSharesOfTheLevel(t *testing.T) {
	t.Parallel()
	acc := []unit.Unit{accuracy}
	whole, shared := report.Shares{Rows: 0.05}, report.Shares{Rows: 0.04, Over: 0.01}
	both := func(n, m int) []result {
		return append(onEach(n, "nn", -0.01, 0.01),
			onEach(m, "c45", 0.01, 0.01)...)
	}
	for _, c := range []struct {
		name, failOn, method string
		results              []result
		change               func(*Options)
		want                 report.Shares
		over                 string
	}{
		{"seven", regressed, "hommel", onEach(7, "nn", -0.01, 0.01), nil, whole, ""},
		// The least p of seven is 2/128.
		{
			"seven that just can", regressed, "hommel", onEach(7, "nn", -0.01, 0.01),
			func(o *Options) { o.Claim.Alpha = 5.0 / 64 },
			report.Shares{Rows: 4.0 / 64, Over: 1.0 / 64},
			"nn 7 regressed",
		},
		{"eight", regressed, "hommel", onEach(8, "nn", -0.01, 0.01), nil, shared, "nn 8 regressed"},
		{
			"eight, improved", improved, "holm", onEach(8, "nn", -0.01, 0.01), nil, shared,
			"nn 8 regressed",
		},
		{"no gate on differences", inconclusive, "hommel", onEach(8, "nn", -0.01, 0.01), nil, whole, ""},
		{
			"not over data sets", regressed, "hommel", onEach(8, "nn", -0.01, 0.01),
			func(o *Options) { o.Across.Off = true }, whole, "",
		},
		{"two learners", regressed, "hommel", both(8, 8), nil, shared, "nn 8 regressed, c45 8 improved"},
		{
			"two learners, of which one has few", regressed, "hommel", both(8, 7), nil, shared,
			"nn 8 regressed",
		},
		{
			"two learners, and one has few, the other way", regressed, "hommel", both(7, 8), nil, shared,
			"c45 8 improved",
		},
		{"two learners by a method that multiplies", regressed, "bonferroni", both(8, 8), nil, whole, ""},
		{
			"and enough of them", regressed, "bonferroni", both(9, 9), nil, shared,
			"nn 9 regressed, c45 9 improved",
		},
		{"unadjusted", regressed, "none", onEach(6, "nn", -0.01, 0.01), nil, report.Shares{
			Rows: 0.05,
			Over: 0.05,
		}, "nn 6 regressed"},
		{"unadjusted, few", regressed, "none", onEach(5, "nn", -0.01, 0.01), nil, whole, ""},
		{
			"by the sign test", regressed, "hommel", onEach(8, "nn", -0.01, 0.01),
			func(o *Options) { o.Across.Test, _ = across.Lookup("sign") }, shared, "nn 8 regressed",
		},
		{
			"nothing differs", regressed, "hommel", onEach(8, "nn", 0, 0), func(o *Options) {},
			shared, "nn 8 ",
		},
	} {
		r, _ := built(t, laidOut(t, "", threeByFour, acc, c.results...), c.failOn, c.method, c.change)
		assert.InDelta(t, c.want.Rows, r.Settings.Shares.Rows, 1e-12, c.name)
		assert.InDelta(t, c.want.Over, r.Settings.Shares.Over, 1e-12, c.name)
		var over []string
		for _, o := range r.Gate.Over {
			over = append(over, fmt.Sprintf("%s %d %s", o.Learner, o.DataSets, o.Outcome))
			assert.Equal(t, 1, o.Column)
			assert.Equal(t, "accuracy", o.Metric)
			assert.False(t, o.AdjustedP.IsNaN())
		}
		if c.name == "nothing differs" {
			assert.Len(t, over, 1)
			continue
		}
		assert.Equal(t, c.over, strings.Join(over, ", "), c.name)
		assert.Equal(t, len(c.over) > 0, strings.Contains(strings.Join(r.Notes, "\n"), "over data sets"),
			c.name)
	}
	// How rows are arranged in tables changes nothing, nor does a second metric but the family.
	results := both(8, 9)
	want, _ := built(t, laidOut(t, "", threeByFour, acc, results...), regressed, "hommel", nil)
	for _, table := range []string{"/learner", "/data"} {
		r, _ := built(t, laidOut(t, table, threeByFour, acc, results...), regressed, "hommel", nil)
		assert.ElementsMatch(t, want.Gate.Over, r.Gate.Over, table)
		assert.Equal(t, want.Settings.Shares, r.Settings.Shares)
	}
	r, _ := built(t, laidOut(t, "", threeByFour, []unit.Unit{accuracy, logloss}, results...),
		regressed, "hommel", nil)
	require.Len(t, r.Gate.Over, 4)
	// One data set under two protocols is no sample of data sets.
	two := []string{threeByFour[0], "cv runs=3 folds=4 stratified seed=2 v1"}
	twice := append(onEach(9, "nn", -0.01, 0.01), onEach(9, "nn", -0.01, 0.01)...)
	r, _ = built(t, laidOut(t, "", two, acc, twice...), regressed, "hommel", nil)
	assert.Zero(t, r.Settings.Shares.Over)
	assert.Empty(t, r.Gate.Over)
}

// The gate fails on a test over data sets at its share of the level, and on the outcome that it is
// for.
func TestGateHoldsTestsOverDataSets(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		failOn, outcome string
		p               unit.Number
		want            string
	}{
		{regressed, regressed, 0.01, regressed},
		{regressed, regressed, 0.0101, ""},
		{regressed, improved, 0.001, ""},
		{improved, improved, 0.001, improved},
		{improved, regressed, 0.001, ""},
		{inconclusive, inconclusive, 0.001, ""},
		{"regressed,inconclusive", inconclusive, 0.001, ""},
		{"regressed,equivalent", equivalent, 0.001, ""},
		{regressed, regressed, unit.NaN(), ""},
	} {
		r := reportOf(row{label: "a", v: sure(inconclusive)})
		r.Settings.Shares = report.Shares{Rows: 0.04, Over: 0.01}
		r.Gate.Over = []report.OverTest{{
			Metric: "accuracy", Learner: "nn",
			OverColumn: report.OverColumn{Outcome: c.outcome}, AdjustedP: c.p,
		}}
		ruled(t, c.failOn, "", "").Hold(r)
		require.Len(t, r.Gate.Over, 1)
		assert.Equal(t, c.want, r.Gate.Over[0].Why, "%+v", c)
	}
	for _, c := range []struct {
		shares report.Shares
		over   int
		want   string
	}{
		{report.Shares{Rows: 0.05}, 3, ""},
		{
			report.Shares{Rows: 0.04, Over: 0.01},
			1,
			"the gate keeps level 0.05: rows have 0.04 of it, and the test over data sets 0.01",
		},
		{
			report.Shares{Rows: 0.04, Over: 0.01},
			2,
			"the gate keeps level 0.05: rows have 0.04 of it, and 2 tests over data sets 0.01",
		},
		{
			report.Shares{Rows: 0.05, Over: 0.05},
			2,
			"2 tests over data sets are part of the gate, at level 0.05",
		},
	} {
		r := &report.Report{Settings: report.Settings{Alpha: 0.05, Shares: c.shares}}
		r.Gate.Over = make([]report.OverTest, c.over)
		assert.Equal(t, c.want, strings.Join(sharesNote(r), "; "))
	}
}

// Tables in one metric are pooled, unless data sets are in several.
func TestPooledTables(t *testing.T) {
	t.Parallel()
	table := func(metric string, measured bool, data ...string) report.Table {
		x := report.Table{Metric: metric}
		if measured {
			x.Unit = report.NewUnit(accuracy)
		}
		for _, d := range data {
			cell := report.Cell{Data: d, Learner: "nn", Verdict: &verdict.Facts{}}
			x.Rows = append(x.Rows, report.Row{Label: d, Cells: []report.Cell{cell, cell}})
		}
		return x
	}
	shape := func(tables []report.Table) (all []string) {
		for _, x := range pooled(tables) {
			text := x.Metric
			for _, r := range x.Rows {
				text += " " + r.Label
			}
			if x.Unit == nil {
				text += ", no unit"
			}
			all = append(all, text)
		}
		return all
	}
	assert.Equal(t, []string{"m a b c d", "n a"},
		shape([]report.Table{
			table("m", false, "a"), table("n", true, "a"), table("m", true, "b", "c"),
			table("m", true, "d"),
		}))
	assert.Equal(t, []string{"m a", "m b a", "n a"},
		shape([]report.Table{table("m", true, "a"), table("n", true, "a"), table("m", true, "b", "a")}))
	assert.Equal(t, []string{"m a, no unit"}, shape([]report.Table{table("m", false, "a")}))
	assert.Empty(t, pooled(nil))
	group := groups(&report.Table{Rows: pooled([]report.Table{table("m", true, "a", "b")})[0].Rows})
	require.Len(t, group, 1)
	assert.True(t, group[0].isSample())
	one := groups(&report.Table{Rows: table("m", true, "a").Rows})
	assert.False(t, one[0].isSample(), "one data set")
	assert.False(t, groups(&report.Table{Rows: table("m", true, "a", "b", "a").Rows})[0].isSample(),
		"twice")
}

// Rows that could not be judged are in no test over data sets, and named with their cause; the
// levels stay.
func TestRowsThatCannotBeJudged(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		spoiled int
		over    string
	}{{0, "nn 9"}, {1, "nn 8"}, {2, ""}, {9, ""}} {
		l := laidOut(t, "", threeByFour, []unit.Unit{accuracy}, onEach(9, "nn", -0.01, 0.01)...)
		for _, row := range l.Tables[0].Rows[:c.spoiled] {
			for _, b := range row.Cells[1].File.Blocks() {
				if b.Header.Data == row.Cells[1].Data {
					b.Header.DataDigest = strings.Repeat("c", 64)
				}
			}
		}
		g := ruled(t, regressed, "", "")
		o := Options{Adjust: g.Adjust, Gate: g}
		o.Claim.Alpha = 0.05
		r, problems, err := Build(l, o)
		require.NoError(t, err)
		assert.Len(t, problems, c.spoiled)
		for i, row := range r.Tables[0].Rows {
			v := row.Cells[1].Verdict
			assert.Equal(t, i >= c.spoiled, v.Judged())
			if !v.Judged() {
				assert.Contains(t, v.Reason, "data-sha256")
			}
		}
		over := ""
		for _, o := range r.Gate.Over {
			over = fmt.Sprintf("%s %d", o.Learner, o.DataSets)
		}
		assert.Equal(t, c.over, over)
		assert.InDelta(t, 0.04, r.Settings.RowLevel(), 1e-12)
		assert.Equal(t, c.spoiled == 9, r.Tables[0].Unit == nil)
		assert.Equal(t, c.spoiled == 9, r.Empty())
	}
}

// A test over data sets has the rows of one learner, metric and column.
func TestFactsOfAllRowsOfALearner(t *testing.T) {
	t.Parallel()
	const early, late = "2027-01-01T00:00:00Z", "2027-02-01T00:00:00Z"
	r := reportOf(row{label: "a", v: sure(regressed), time: late}, row{
		label: "b", v: sure(regressed),
		time: early,
	},
		row{label: "c", v: sure(invalid), time: "never"}, row{
			label: "d", v: sure(regressed),
			time: "2027-03-01T00:00:00Z",
		},
		row{label: "e", metric: "logloss", v: sure(regressed), time: "2027-04-01T00:00:00Z"})
	for i := range r.Tables {
		for j := range r.Tables[i].Rows {
			c := &r.Tables[i].Rows[j].Cells[1]
			c.Learner, c.Majority = "nn", new(unit.Number(0.1*float64(j+1)))
		}
	}
	r.Tables[0].Rows[3].Cells[1].Learner = "c45"
	o := &report.OverTest{Metric: "accuracy", Learner: "nn", Column: 1}
	majority, last := ofAll(r, o)
	assert.InDelta(t, 0.15, float64(majority), 1e-12)
	assert.Equal(t, late, last)
	o.Learner = "c45"
	majority, last = ofAll(r, o)
	assert.InDelta(t, 0.4, float64(majority), 1e-12)
	assert.Equal(t, "2027-03-01T00:00:00Z", last)
	o.Metric = "logloss"
	_, last = ofAll(r, o)
	assert.Empty(t, last)
	o.Learner = "nn"
	_, last = ofAll(r, o)
	assert.Equal(t, "2027-04-01T00:00:00Z", last)
	o.Column = 2
	_, last = ofAll(r, o)
	assert.Empty(t, last)
	r.Tables[0].Rows[1].Cells[1].Majority = nil
	majority, _ = ofAll(r, &report.OverTest{Metric: "accuracy", Learner: "nn", Column: 1})
	assert.True(t, majority.IsNaN())
}
