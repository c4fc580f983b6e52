package judge

import (
	"errors"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/cmd/learnstat/internal/report"
	"github.com/learnbench/learnbench/internal/cli"
	"github.com/learnbench/learnbench/learntest/stat/adjust"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/learnbench/learnbench/learntest/verdict"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A row is a comparison in a report of two columns, in accuracy unless another metric is given.
type row struct {
	label, metric string
	v             verdict.Facts
	time          string // of the commit
}

const committedAt = "2027-02-28T23:59:59Z"

// reportOf returns a report with the rows, in a table for each metric.
func reportOf(rows ...row) *report.Report {
	r := &report.Report{
		Columns:  []report.Column{{Label: "old"}, {Label: "new"}},
		Settings: report.Settings{Alpha: 0.05, Adjust: "holm", Tail: "both"},
	}
	units := map[string]unit.Unit{"accuracy": accuracy, "logloss": logloss}
	tables := make(map[string]int)
	for _, x := range rows {
		if x.metric == "" {
			x.metric = "accuracy"
		}
		at, ok := tables[x.metric]
		if !ok {
			at = len(r.Tables)
			tables[x.metric] = at
			r.Tables = append(r.Tables, report.Table{
				Metric: x.metric,
				Unit:   report.NewUnit(units[x.metric]),
			})
		}
		if x.time == "" {
			x.time = committedAt
		}
		r.Tables[at].Rows = append(r.Tables[at].Rows, report.Row{
			Label: x.label,
			Cells: []report.Cell{{Mean: 0.5}, {Mean: 0.4, CommitTime: x.time, Verdict: &x.v}},
		})
	}
	return r
}

// sure returns a verdict with an outcome that no adjustment changes.
func sure(outcome string) verdict.Facts { return verdict.Facts{Outcome: outcome, Test: "t"} }

// intervalOf returns an inconclusive verdict with an interval.
func intervalOf(lo, hi unit.Number) verdict.Facts {
	return verdict.Facts{Outcome: inconclusive, P: 0.5, AdjustedP: 0.5, Lo: lo, Hi: hi}
}

// ruled returns rules, which adjust by Holm's method.
func ruled(t *testing.T, failOn, require_, waivers string) *Rules {
	t.Helper()
	g := &Rules{Adjust: adjust.MustLookup("holm")}
	if failOn != "" {
		require.NoError(t, g.FailOn.Set(failOn))
	}
	if require_ != "" {
		require.NoError(t, g.Require.Set(require_))
	}
	var err error
	g.Waivers, err = ReadWaivers(strings.NewReader(waivers), "w.txt")
	require.NoError(t, err)
	return g
}

// offences returns what each offence is on and why, and which are waived.
func offences(r *report.Report, list []report.Offence) []string {
	all := []string{}
	for _, o := range list {
		text := r.Comparison(o.At).Row.Label + " " + o.Why
		if o.Waived != "" {
			text += ", waived"
		}
		all = append(all, text)
	}
	return all
}

func errorsOf(errs []error) string {
	if err := errors.Join(errs...); err != nil {
		return err.Error()
	}
	return ""
}

// everyOutcome is a row of each.
func everyOutcome() []row {
	var rows []row
	for _, outcome := range []string{improved, regressed, equivalent, inconclusive, invalid} {
		rows = append(rows, row{label: outcome, v: sure(outcome)})
	}
	return rows
}

func TestGateFailsOnEachOutcome(t *testing.T) {
	t.Parallel()
	for failOn, want := range map[string][]string{
		improved: {"improved improved"}, regressed: {"regressed regressed"},
		equivalent:   {"equivalent equivalent"},
		inconclusive: {"inconclusive inconclusive"}, invalid: {"invalid invalid"},
		notImproved: {
			"regressed not-improved", "equivalent not-improved",
			"inconclusive not-improved",
		},
		"regressed,equivalent": {"regressed regressed", "equivalent equivalent"},
		// A row may offend twice.
		"not-improved,regressed": {
			"regressed not-improved", "regressed regressed",
			"equivalent not-improved", "inconclusive not-improved",
		},
	} {
		r := reportOf(everyOutcome()...)
		problems := ruled(t, failOn, "", "").Hold(r)
		assert.Empty(t, problems, failOn)
		assert.Equal(t, want, offences(r, r.Gate.Offences), failOn)
		assert.Equal(t, strings.Split(failOn, ","), r.Gate.FailOn)
		assert.Equal(t, cli.Failed, Status(r, problems), failOn)
	}
}

func TestGateRequiresOfEveryRow(t *testing.T) {
	t.Parallel()
	margin := func(within, nonInferior bool) *verdict.MarginFacts {
		return &verdict.MarginFacts{Value: 0.02, Within: within, NonInferior: nonInferior}
	}
	rows := []row{
		{label: "gain", v: verdict.Facts{Outcome: improved, Margin: margin(false, true)}},
		{label: "near", v: verdict.Facts{Outcome: equivalent, Margin: margin(true, true)}},
		{label: "wide", v: verdict.Facts{Outcome: inconclusive, Margin: margin(false, false)}},
		{label: "copy", v: verdict.Facts{Outcome: equivalent, Identical: true, Margin: margin(false, false)}}, // too few examples for the margin
		{label: "torn", v: verdict.Facts{Outcome: invalid}},
		{label: "loss", metric: "logloss", v: verdict.Facts{
			Outcome: regressed,
			Margin:  margin(false, false),
		}},
	}
	for what, want := range map[string][]string{
		"improved": {
			"near not improved", "wide not improved",
			"copy not improved", "loss not improved",
		},
		"equivalent": {
			"gain not equivalent", "wide not equivalent",
			"copy not equivalent", "loss not equivalent",
		},
		"non-inferior": {
			"wide not non-inferior", "copy not non-inferior",
			"loss not non-inferior",
		},
		"non-inferior:logloss": {"loss not non-inferior"},
		"improved:accuracy,equivalent:accuracy": {
			"gain not equivalent", "near not improved",
			"wide not improved", "wide not equivalent", "copy not improved", "copy not equivalent",
		},
	} {
		r := reportOf(rows...)
		problems := ruled(t, "", what, "").Hold(r)
		assert.Empty(t, problems, what)
		assert.Equal(t, want, offences(r, r.Gate.Offences), what)
		assert.Equal(t, strings.Split(what, ","), r.Gate.Require)
		assert.Empty(t, r.Gate.Undecided, what)
	}
}

func TestGateNeedsAMarginForWhatItRequires(t *testing.T) {
	t.Parallel()
	rows := []row{
		{label: "copy", v: verdict.Facts{Outcome: equivalent, Identical: true}},
		{label: "a", v: verdict.Facts{Outcome: inconclusive}},
	}
	for _, what := range []string{equivalent, nonInferior} {
		problems := errorsOf(ruled(t, "", what, "").Hold(reportOf(rows...)))
		assert.Contains(t, problems, "accuracy has no margin, without which nothing is "+what)
		assert.Equal(t, problems, errorsOf(ruled(t, "", "improved,"+what, "").Hold(reportOf(rows...))),
			"an improvement needs none, whatever else is required")
		assert.Contains(t, errorsOf(ruled(t, "", what, "").Hold(reportOf(rows[0]))),
			"accuracy has no margin", "equal scores need one, too")
		rows[1].v.Outcome = invalid
		assert.Empty(t, ruled(t, "", what, "").Hold(reportOf(rows[1])),
			"what could not be judged needs none")
		rows[1].v.Outcome = inconclusive
	}
	assert.Contains(t, errorsOf(ruled(t, "", "improved:logloss", "").Hold(reportOf(rows...))),
		"-require improved:logloss: there is no comparison in logloss")
	assert.Contains(t, errorsOf(ruled(t, "", "improved:acuracy", "").Hold(reportOf(rows...))),
		"; did you mean accuracy?")
}

// Improved and regressed alone use the adjusted p.
func TestGateGoesByTheAdjustedP(t *testing.T) {
	t.Parallel()
	var rows []row
	for _, outcome := range []string{improved, regressed, equivalent} {
		for label, p := range map[string]unit.Number{"at": 0.05, "above": 0.051} {
			rows = append(rows, row{label: outcome + " " + label, v: verdict.Facts{
				Outcome: outcome, P: 0.01,
				AdjustedP: p,
			}})
		}
	}
	r := reportOf(rows...)
	g := ruled(t, "improved,regressed,equivalent", "", "")
	require.Empty(t, g.Hold(r))
	assert.ElementsMatch(t, []string{
		"improved at improved", "regressed at regressed",
		"equivalent at equivalent", "equivalent above equivalent",
	}, offences(r, r.Gate.Offences))
	assert.ElementsMatch(t, []string{"improved above improved", "regressed above regressed"},
		offences(r, r.Gate.SparedAt))
	assert.Equal(t, 2, r.Gate.Spared)
	assert.True(t, r.Gate.Adjusted)
	g.Adjust = adjust.MustLookup("none")
	require.Empty(t, g.Hold(r))
	assert.Len(t, r.Gate.Offences, len(rows), "by p alone")
	assert.Zero(t, r.Gate.Spared)
	assert.False(t, r.Gate.Adjusted)

	// Where tests over data sets have a share of the level, rows have the rest.
	r = reportOf(row{label: "at", v: verdict.Facts{Outcome: regressed, P: 0.01, AdjustedP: 0.04}},
		row{label: "above", v: verdict.Facts{Outcome: regressed, P: 0.01, AdjustedP: 0.041}})
	r.Settings.Shares = report.Shares{Rows: 0.04, Over: 0.01}
	require.Empty(t, ruled(t, regressed, "", "").Hold(r))
	assert.Equal(t, []string{"at regressed"}, offences(r, r.Gate.Offences))
	assert.Equal(t, []string{"above regressed"}, offences(r, r.Gate.SparedAt))
}

func TestWaiversLetRegressionsPass(t *testing.T) {
	t.Parallel()
	worse := func(by unit.Number) verdict.Facts {
		return verdict.Facts{
			Outcome:    regressed,
			Difference: by,
		}
	}
	const until = ` expires=2027-02-28 why=known`
	for _, c := range []struct {
		name    string
		rows    []row
		waivers string
		want    []string
		problem string // "" if there is none
	}{
		{
			"at the ceiling",
			[]row{{label: "a", v: worse(-0.02)}},
			"a accuracy ceiling=-2pp" + until,
			[]string{"a regressed, waived"},
			"",
		},
		{
			"beyond it",
			[]row{{label: "a", v: worse(-0.0201)}},
			"a accuracy ceiling=-2pp" + until,
			[]string{"a regressed"},
			"",
		},
		{"percent of the baseline", []row{{label: "a", v: worse(-0.1)}}, "a accuracy ceiling=-20%" +
			until, []string{"a regressed, waived"}, ""},
		{
			"lower is better",
			[]row{{label: "a", metric: "logloss", v: worse(0.3)}},
			"a logloss ceiling=0.3" + until,
			[]string{"a regressed, waived"},
			"",
		},
		{
			"lower is better, beyond",
			[]row{{label: "a", metric: "logloss", v: worse(0.31)}},
			"a logloss ceiling=0.3" + until,
			[]string{"a regressed"},
			"",
		},
		{
			"a gain as ceiling",
			[]row{{label: "a", v: worse(-0.01)}},
			"a accuracy ceiling=2pp" + until,
			[]string{"a regressed"},
			"ceiling 2pp is no regression in accuracy, of which higher is better",
		},
		{
			"a gain as ceiling, lower is better",
			[]row{{label: "a", metric: "logloss", v: worse(0.1)}},
			"a logloss ceiling=-0.3" + until,
			[]string{"a regressed"},
			"of which lower is better",
		},
		{"another metric of the row", []row{{label: "a", v: worse(-0.01)}, {
			label: "a", metric: "logloss",
			v: worse(0.01),
		}}, "a accuracy ceiling=-2pp" + until, []string{
			"a regressed, waived",
			"a regressed",
		}, ""},
		{
			"another row",
			[]row{{label: "a", v: worse(-0.01)}, {label: "b", v: worse(-0.01)}},
			"a accuracy ceiling=-2pp" + until,
			[]string{"a regressed, waived", "b regressed"},
			"",
		},
		{
			"the day after",
			[]row{{label: "a", v: worse(-0.01), time: "2027-03-01T00:00:00Z"}},
			"a accuracy ceiling=-2pp" + until,
			[]string{"a regressed"},
			"w.txt:1: the waiver of accuracy of a has expired",
		},
		{"no time", []row{{label: "a", v: worse(-0.01), time: "yesterday"}}, "a accuracy ceiling=-2pp" +
			until, []string{"a regressed"}, `w.txt:1: the time "yesterday" of the commit of a is none`},
		{
			"not needed",
			[]row{{label: "a", v: sure(improved)}},
			"a accuracy ceiling=-2pp" + until,
			[]string{},
			"w.txt:1: the waiver is not needed: accuracy of a is no regression",
		},
		{
			"unused",
			[]row{{label: "a", v: sure(improved)}},
			"b accuracy ceiling=-2pp" + until,
			[]string{},
			"w.txt:1: the waiver is unused: there is no comparison of b in accuracy",
		},
		{
			"unused in that metric",
			[]row{{label: "a", v: sure(improved)}},
			"a logloss ceiling=2" + until,
			[]string{},
			"w.txt:1: the waiver is unused: there is no comparison of a in logloss",
		},
	} {
		r := reportOf(c.rows...)
		problems := ruled(t, regressed, "", c.waivers).Hold(r)
		assert.Equal(t, c.want, offences(r, r.Gate.Offences), c.name)
		if c.problem == "" {
			assert.Empty(t, problems, c.name)
		} else {
			assert.Contains(t, errorsOf(problems), c.problem, c.name)
		}
	}
	r := reportOf(row{label: "a", v: worse(-0.01)})
	r.Tables[0].Rows[0].Cells[1].CommitTime = ""
	assert.Contains(t, errorsOf(ruled(t, regressed, "", "a accuracy ceiling=-2pp"+until).Hold(r)),
		"the results of a do not have the time of their commit")
	assert.Equal(t, 1, r.Gate.Fails())
}

// A waiver is for a loss under any gate, in points or in percent.
func TestWaiversAreForEveryLoss(t *testing.T) {
	t.Parallel()
	const until = " expires=2027-02-28 why=known"
	lost := verdict.Facts{
		Outcome: inconclusive, Difference: -0.01,
		Margin: &verdict.MarginFacts{Value: 0.005},
	}
	gained := lost
	gained.Difference = 0.01
	for _, c := range []struct {
		v       verdict.Facts
		metric  string
		require string
		ceiling string
		status  int
	}{
		{lost, "accuracy", nonInferior, "-2pp", cli.Clean},
		{lost, "accuracy", equivalent, "-2pp", cli.Clean},
		{lost, "accuracy", improved, "-2pp", cli.Clean},
		{lost, "accuracy", nonInferior, "-0.9pp", cli.Failed},
		{lost, "accuracy", nonInferior, "-2%", cli.Clean},
		{lost, "accuracy", nonInferior, "-2", cli.Unjudged},
		{lost, "accuracy", nonInferior, "-0.02", cli.Unjudged},
		{gained, "accuracy", equivalent, "-2pp", cli.Unjudged}, // that it is better is no loss
		{lost, "logloss", equivalent, "0.02", cli.Unjudged},
		{gained, "logloss", equivalent, "0.02", cli.Clean},
		{gained, "logloss", nonInferior, "0.009", cli.Failed},
	} {
		r := reportOf(row{label: "a", metric: c.metric, v: c.v})
		r.Status = Status(r, ruled(t, "", c.require, "a "+c.metric+" ceiling="+c.ceiling+until).Hold(r))
		assert.Equal(t, c.status, r.Status, "%s %s %s %v", c.metric, c.require, c.ceiling, c.v.Difference)
		if c.status == cli.Clean {
			assert.Equal(t, report.PassesWithWaived, r.State())
		}
	}
	// A candidate shown to lose less than a margin is not shown to be equivalent.
	r := reportOf(row{label: "a", v: verdict.Facts{
		Outcome: inconclusive,
		Margin:  &verdict.MarginFacts{Value: 0.005, NonInferior: true},
	}})
	assert.Equal(t, cli.Failed, Status(r, ruled(t, "", equivalent, "").Hold(r)))
	assert.Equal(t, cli.Clean, Status(r, ruled(t, "", nonInferior, "").Hold(r)))
}

// A comparison that offends in two ways is one comparison.
func TestComparisonsThatFailAreCountedOnce(t *testing.T) {
	t.Parallel()
	lost := verdict.Facts{
		Outcome: regressed, Difference: -0.01,
		Margin: &verdict.MarginFacts{Value: 0.005},
	}
	r := reportOf(row{label: "a", v: lost}, row{label: "b", v: lost},
		row{label: "c", v: verdict.Facts{Outcome: improved}})
	problems := ruled(t, "regressed,not-improved", "", "").Hold(r)
	require.Empty(t, problems)
	require.Len(t, r.Gate.Offences, 4)
	assert.Equal(t, 2, r.Gate.Fails())
	r.Status = Status(r, problems)
	assert.Equal(t, "GATE FAILS on 2 of 3 comparisons", report.Headline(r)[0])
}

// A waiver is for a loss: another offence in the comparison counts, and is the one shown.
func TestWaiversHideNoOtherOffence(t *testing.T) {
	t.Parallel()
	lost := verdict.Facts{
		Outcome: regressed, Difference: -0.01,
		Margin: &verdict.MarginFacts{Value: 0.005},
	}
	const waiver = "a accuracy ceiling=-2pp expires=2027-02-28 why=known"
	for _, c := range []struct{ failOn, require, why string }{
		{"regressed,not-improved", "", "not-improved"},
		{"not-improved,regressed", "", "not-improved"},
	} {
		r := reportOf(row{label: "a", v: lost})
		problems := ruled(t, c.failOn, c.require, waiver).Hold(r)
		require.Empty(t, problems)
		assert.ElementsMatch(t, []string{"a regressed, waived", "a " + c.why},
			offences(r, r.Gate.Offences))
		assert.Equal(t, 1, r.Gate.Fails())
		assert.Equal(t, c.why, r.Gate.Decisive()[report.At{Column: 1}].Why, "%s %s", c.failOn, c.require)
		assert.Equal(t, cli.Failed, Status(r, problems))
		assert.True(t, r.Worst()[0].Bad())
	}
	r := reportOf(row{label: "a", v: lost})
	problems := ruled(t, regressed, "", waiver).Hold(r)
	assert.Equal(t, "known up to -2.00 points until 2027-02-28",
		r.Gate.Decisive()[report.At{Column: 1}].Waived)
	assert.Equal(t, cli.Clean, Status(r, problems))
	assert.Empty(t, r.Gate.Undecided, "it was decided")
	assert.False(t, r.Worst()[0].Bad())
}

func TestUndecidedMayBeALoss(t *testing.T) {
	t.Parallel()
	spared := verdict.Facts{Outcome: regressed, P: 0.04, AdjustedP: 0.2, Lo: -0.05, Hi: -0.01}
	copied := intervalOf(-0.1, 0.1)
	copied.Identical = true
	rows := []row{
		{label: "either", v: intervalOf(-0.03, 0.04)},
		{label: "gain", v: intervalOf(0, 0.04)},
		{label: "unknown", v: intervalOf(unit.NaN(), unit.NaN())},
		{label: "copy", v: copied},
		{label: "spared", v: spared},
		{label: "shown", v: verdict.Facts{Outcome: regressed, Lo: -0.05, Hi: -0.01}},
		{label: "better", v: verdict.Facts{Outcome: improved, Lo: -0.05, Hi: 0.1}},
		{label: "near", v: verdict.Facts{Outcome: equivalent, Lo: -0.05, Hi: 0.1}},
		{label: "torn", v: verdict.Facts{Outcome: invalid, Lo: -0.05, Hi: 0.1}},
		{label: "either way", metric: "logloss", v: intervalOf(-0.5, 0.25)},
		{label: "gain, too", metric: "logloss", v: intervalOf(-0.5, 0)},
	}
	undecided := func(failOn, require_ string) map[string]unit.Number {
		r := reportOf(rows...)
		ruled(t, failOn, require_, "").Hold(r)
		losses := make(map[string]unit.Number)
		for _, u := range r.Gate.Undecided {
			if losses[r.Comparison(u.At).Row.Label] = u.Loss; u.Loss.IsNaN() {
				losses[r.Comparison(u.At).Row.Label] = -1
			}
		}
		require.Len(t, losses, len(r.Gate.Undecided))
		return losses
	}
	all := map[string]unit.Number{"either": 0.03, "unknown": -1, "spared": 0.05, "either way": 0.25}
	assert.Equal(t, all, undecided(regressed, ""))
	assert.Equal(t, map[string]unit.Number{"either way": 0.25},
		undecided(regressed, "improved:accuracy"), "a requirement decides")
	assert.Empty(t, undecided(regressed, nonInferior))
	assert.Empty(t, undecided(improved, ""), "it is no gate on regressions")
	assert.Equal(t, map[string]unit.Number{"spared": 0.05}, undecided("regressed,inconclusive", ""),
		"what offends is decided")
}

func TestExitStatus(t *testing.T) {
	t.Parallel()
	problem := []error{errors.New("a file is missing")}
	for _, c := range []struct {
		name     string
		report   *report.Report
		failOn   string
		problems []error
		want     int
	}{
		{"clean", reportOf(row{label: "a", v: sure(improved)}), regressed, nil, cli.Clean},
		{"no gate", reportOf(row{label: "a", v: sure(regressed)}), "", nil, cli.Clean},
		{"failed", reportOf(row{label: "a", v: sure(regressed)}), regressed, nil, cli.Failed},
		{
			"spared", reportOf(row{label: "a", v: verdict.Facts{Outcome: regressed, AdjustedP: 0.2}}),
			regressed, nil, cli.Clean,
		},
		{"a problem", reportOf(row{label: "a", v: sure(improved)}), regressed, problem, cli.Unjudged},
		{
			"failed, and a problem", reportOf(row{label: "a", v: sure(regressed)}), regressed, problem,
			cli.Unjudged,
		},
		{"nothing judged", reportOf(row{label: "a", v: sure(invalid)}), "", nil, cli.Unjudged},
		{
			"nothing judged, which is an offence", reportOf(row{label: "a", v: sure(invalid)}), invalid, nil,
			cli.Unjudged,
		},
		{"nothing", reportOf(), "", nil, cli.Unjudged},
		{"a history", &report.Report{History: &report.History{Tables: []report.HistoryTable{{Tracks: []report.Track{{Segments: make([]report.Segment, 1)}}}}}}, "", nil, cli.Clean},
		{"an empty history", &report.Report{History: &report.History{}}, "", nil, cli.Unjudged},
	} {
		problems := append(ruled(t, c.failOn, "", "").Hold(c.report), c.problems...)
		assert.Equal(t, c.want, Status(c.report, problems), c.name)
	}
}
