package verdict

import (
	"strconv"
	"strings"

	"github.com/learnbench/learnbench/learntest/unit"
)

// A Column is a field of a table for machines: numbers are in full precision and in the unit of
// the metric, names are not escaped, and unknown values are empty.
type Column struct {
	Name, Value string // as text
}

// Columns returns the verdict in one line of a table. All verdicts have equal column names.
func (v Verdict) Columns() []Column {
	f := v.Facts()
	f.Full = v.Origin()
	return f.Columns(v.Subject())
}

// Columns returns facts about a subject in one line of a table. All facts have equal column
// names.
func (f *Facts) Columns(s Subject) []Column {
	full, margin, rerun, bayes, second := f.Full, f.Margin, f.Rerun, f.Bayes, f.Second
	nan := unit.NaN()
	repeats, agreeing, copies := nan, nan, nan
	if full == nil {
		full = new(Origin)
	}
	if full.Copies > 0 {
		copies = full.Copies
	}
	if margin == nil {
		margin = &MarginFacts{Value: nan, P: nan}
	}
	if rerun == nil {
		rerun = &RerunFacts{R: nan, Lo: nan, Hi: nan, Agrees: nan}
	} else {
		repeats, agreeing = unit.Number(rerun.Repeats), unit.Number(rerun.Agreeing)
	}
	if bayes == nil {
		bayes = &Regions{nan, nan, nan}
	}
	if second == nil {
		second = &SecondFacts{P: nan, FirstP: nan, Estimate: nan, Lo: nan, Hi: nan, Level: nan}
	}
	l := flat{judged: f.Judged()}
	l.text("metric", s.Metric)
	l.text("data", s.Data)
	l.text("candidate", s.Candidate)
	l.text("baseline", s.Baseline)
	l.text("outcome", f.Outcome)
	l.number("old", s.Old)
	l.number("new", s.New)
	l.number("difference", f.Difference)
	l.number("lo", f.Lo)
	l.number("hi", f.Hi)
	l.number("alpha", s.Alpha)
	l.number("margin", margin.Value)
	l.number("p_margin", margin.P)
	l.found("test", f.Test)
	l.number("statistic", f.Statistic)
	l.number("df", f.DF)
	l.number("df2", f.DF2)
	l.number("p", f.P)
	l.number("p_adjusted", f.AdjustedP)
	l.found("runs", strconv.Itoa(f.Runs))
	l.found("folds", strconv.Itoa(f.Folds))
	l.number("replicability", rerun.R)
	l.number("replicability_lo", rerun.Lo)
	l.number("replicability_hi", rerun.Hi)
	l.number("repeats", repeats)
	l.number("agreeing", agreeing)
	l.number("rerun_agrees", rerun.Agrees)
	l.number("detectable", f.Detectable)
	l.text("protocol", full.Protocol)
	l.text("data_sha256", full.DataSHA256)
	l.text("old_commit", full.BaselineCommit)
	l.text("new_commit", full.Commit)
	l.text("reason", f.Reason)
	l.text("warnings", strings.Join(full.Warnings, "; "))
	l.number("bayes_worse", bayes.Worse)
	l.number("bayes_rope", bayes.Rope)
	l.number("bayes_better", bayes.Better)
	l.text("row", s.Row)
	l.text("column", s.Column)
	l.number("first_p", second.FirstP)
	l.number("second_p", second.P)
	l.found("second_protocol", second.Protocol)
	l.number("second_difference", second.Estimate)
	l.number("second_lo", second.Lo)
	l.number("second_hi", second.Hi)
	l.number("copies", copies)
	f.Items.columns(&l)
	l.text("slice", s.Slice)
	members := ""
	if s.Slice != "" {
		members = strconv.Itoa(s.Members)
	}
	l.text("members", members)
	f.Items.tail(&l)
	single, examples := &ExampleFacts{P: nan}, ""
	if margin.Examples != nil {
		single = margin.Examples
	}
	if single.N > 0 {
		examples = strconv.Itoa(single.N)
	}
	l.found("examples", examples)
	l.number("p_examples", single.P)
	l.found("examples_lacking", single.Lacking)
	weight := ""
	if f.Items != nil {
		weight = f.Items.Weight
	}
	l.found("weight", weight)
	return l.columns
}

// A flat is a line in the making.
type flat struct {
	judged  bool
	columns []Column
}

// text adds the fields of all verdicts.
func (l *flat) text(name, value string) { l.columns = append(l.columns, Column{name, value}) }

// found adds the fields of verdicts that are not invalid.
func (l *flat) found(name, value string) {
	if !l.judged {
		value = ""
	}
	l.text(name, value)
}

// number is found, of a number.
func (l *flat) number(name string, x unit.Number) { l.found(name, x.String()) }

// columns adds the facts to a line of a table; nil adds empty ones.
func (f *ItemFacts) columns(l *flat) {
	count := func(name string, of func() int) {
		text := ""
		if f != nil {
			text = strconv.Itoa(of())
		}
		l.found(name, text)
	}
	count("items", func() int { return f.Items })
	count("clusters", func() int { return f.Clusters })
	icc := unit.NaN()
	if f != nil {
		icc = f.ICC
	}
	l.number("icc", icc)
	count("items_better", func() int { return f.Better })
	count("items_worse", func() int { return f.Worse })
}

// tail adds what later versions have added; nil adds empty columns.
func (f *ItemFacts) tail(l *flat) {
	left, none := "", f == nil
	if none {
		f = new(ItemFacts)
	} else {
		left = strconv.Itoa(f.LeftOut)
	}
	l.found("items_left_out", left)
	l.found("old_version", f.OldVersion)
	l.found("new_version", f.NewVersion)
	l.found("old_recorded", f.OldRecorded.count(none))
	l.found("new_recorded", f.NewRecorded.count(none))
}

// count returns the number of answers, as text; "" if there are no items.
func (r *RecordedFacts) count(none bool) string {
	switch {
	case none:
		return ""
	case r == nil:
		return "0"
	}
	return strconv.Itoa(r.Answers)
}
