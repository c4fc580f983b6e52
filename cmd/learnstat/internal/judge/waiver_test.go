package judge

import (
	"fmt"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/cmd/learnstat/internal/report"
	"github.com/learnbench/learnbench/internal/cli"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A waived loss over data sets is one that is waived, and needs the times of all commits.
func TestWaiversOfLossesOverDataSets(t *testing.T) {
	t.Parallel()
	hold := func(outcome, waiver string, times ...string) (*report.Report, []error) {
		var rows []row
		for _, at := range times {
			rows = append(rows, row{label: "d" + at, v: sure(inconclusive), time: at})
		}
		r := reportOf(rows...)
		r.Settings.Shares = report.Shares{Rows: 0.04, Over: 0.01}
		for i := range r.Tables[0].Rows {
			r.Tables[0].Rows[i].Cells[1].Learner = "nn"
		}
		column := report.OverColumn{Mean: 0.4, Difference: -0.1, Outcome: outcome}
		r.Gate.Over = []report.OverTest{{
			Metric: "accuracy", Learner: "nn", Column: 1, DataSets: 2,
			OverColumn: column, AdjustedP: 0.01,
		}}
		r.Tables[0].Over = []report.Over{{
			Learner: "nn", DataSets: 2,
			Columns: []report.OverColumn{{}, column},
		}}
		problems := ruled(t, outcome, "", waiver).Hold(r)
		r.Status = Status(r, problems)
		return r, problems
	}
	const waiver = `"nn over 2 data sets" accuracy ceiling=-20% expires=2027-02-28 why=known`
	r, problems := hold(regressed, waiver, "2027-01-01T00:00:00Z", committedAt)
	require.Empty(t, problems)
	assert.Equal(t, cli.Clean, r.Status)
	assert.Equal(t, report.PassesWithWaived, r.State())
	assert.Equal(t, "known up to -10.00 points until 2027-02-28", r.Gate.Over[0].Waived)
	assert.Equal(t, report.PassesWithWaived, r.Summary()[0])
	assert.Contains(t, r.Summary()[1], "accuracy of nn over 2 data sets is regressed (")
	errors, warnings := r.Annotations()
	assert.Empty(t, errors)
	assert.Contains(t, strings.Join(warnings, "\n"), "waived: known")

	r, _ = hold(regressed, "", committedAt, committedAt)
	assert.Equal(t, cli.Failed, r.Status)
	assert.Equal(t, report.Fails, r.State())
	for _, times := range [][]string{
		{"2027-03-01T00:00:00Z", "2027-01-01T00:00:00Z"},
		{"2027-01-01T00:00:00Z", "2027-03-01T00:00:00Z"},
	} {
		r, problems = hold(regressed, waiver, times...)
		assert.Contains(t, errorsOf(problems), "has expired", "the last commit counts")
		assert.Equal(t, 1, r.Gate.OverFails())
	}
	_, problems = hold(regressed, waiver, committedAt, "yesterday")
	assert.Contains(t, errorsOf(problems),
		`the time "yesterday" of the commit of nn over 2 data sets is none`)
	_, problems = hold(improved, waiver, committedAt, committedAt)
	assert.Contains(t, errorsOf(problems), "the waiver is not needed", "an improvement is no loss")
}

// Always the most frequent class, or a model that is wrong everywhere, keeps no ceiling.
func TestCeilingsThatTheMajorityKeepsAreRefused(t *testing.T) {
	t.Parallel()
	hold := func(ceiling string, allow bool, scores ...float64) (*report.Report, string) {
		r := reportOf(row{label: "a", v: sure(regressed)}, row{label: "b", v: sure(regressed)}) // from .5 to .4
		for i := range r.Tables[0].Rows {
			c := &r.Tables[0].Rows[i].Cells[1]
			if c.Learner, c.Verdict.Difference = "nn", -0.1; scores != nil {
				c.Majority = new(unit.Number(scores[i]))
			}
		}
		column := report.OverColumn{Mean: 0.4, Difference: -0.1, Outcome: regressed}
		r.Settings.Shares = report.Shares{Rows: 0.04, Over: 0.01}
		r.Gate.Over = []report.OverTest{{
			Metric: "accuracy", Learner: "nn", Column: 1, DataSets: 2,
			OverColumn: column, AdjustedP: 0.01,
		}}
		waivers := ""
		for _, name := range []string{"a", "b", `"nn over 2 data sets"`} {
			waivers += name + " accuracy ceiling=" + ceiling + " expires=2027-02-28 why=known\n"
		}
		g := ruled(t, regressed, "", waivers)
		g.AllowMajority = allow
		return r, errorsOf(g.Hold(r))
	}
	_, problems := hold("-20pp", false, 0.25, 0.2)
	assert.Empty(t, problems)
	_, problems = hold("-20pp", false)
	assert.Empty(t, problems, "the majority is not known")
	const refused = "ceiling %s of accuracy would let a model pass that always predicts the most frequent class, which scores %s (-allow-majority, if that is meant)"
	r, problems := hold("-20pp", false, 0.31, 0.28)
	assert.Equal(t, "w.txt:1: "+fmt.Sprintf(refused, "-20pp", "31.00%"), problems,
		"in the mean, 29.5% are a loss of 20.5 points")
	assert.Equal(t, 1, r.Gate.Fails())
	assert.Equal(t, 0, r.Gate.OverFails())
	_, problems = hold("-20pp", false, 0.35, 0.27)
	assert.Equal(t, "w.txt:1: "+fmt.Sprintf(refused, "-20pp",
		"35.00%")+"\nw.txt:3: "+fmt.Sprintf(refused, "-20pp", "31.00%"), problems)
	_, problems = hold("-40%", false, 0.3, 0.1)
	assert.Equal(t, "w.txt:1: "+fmt.Sprintf(refused, "-40%", "30.00%"), problems, "just as much")
	r, problems = hold("-49pp", true, 0.35, 0.27)
	assert.Empty(t, problems)
	assert.Zero(t, r.Gate.Fails()+r.Gate.OverFails())
	_, problems = hold("-50pp", true, 0.35, 0.27)
	assert.Contains(t, problems, "w.txt:2: ceiling -50pp of accuracy would let a model pass that is wrong everywhere, which scores 0.00%")
}
