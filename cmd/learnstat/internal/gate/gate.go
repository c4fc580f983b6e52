// Package gate holds a report against what must not be, and against what must be.
package gate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/learnbench/learnbench/cmd/learnstat/internal/report"
	"github.com/learnbench/learnbench/cmd/learnstat/internal/view"
	"github.com/learnbench/learnbench/learntest/stat/adjust"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// Rules are what the flags say.
type Rules struct {
	FailOn  FailOn
	Require Require
	Adjust  adjust.Method // of improved and regressed
	Waivers []Waiver
}

// NonInferior reports whether of comparisons in a metric no more is required than that the candidate
// is not worse by the margin.
func (g *Rules) NonInferior(metric string) bool {
	is := false
	for _, q := range g.Require {
		if q.metric == "" || q.metric == metric {
			if q.what != nonInferior {
				return false
			}
			is = true
		}
	}
	return is
}

// Strict reports whether there is a gate at all.
func (g *Rules) Strict() bool { return len(g.FailOn) > 0 || len(g.Require) > 0 }

// What a gate may fail on beside the outcomes of verdicts.
const notImproved = "not-improved"

// FailOn is a flag: what a gate fails on.
type FailOn []string

// String returns the names.
func (f *FailOn) String() string { return strings.Join(*f, ",") }

// Set adds the names of a list.
func (f *FailOn) Set(list string) error {
	names := []string{notImproved}
	for _, o := range verdict.Outcomes() {
		names = append(names, o.String())
	}
	for name := range strings.SplitSeq(list, ",") {
		name = strings.TrimSpace(name)
		if !slices.Contains(names, name) {
			slices.Sort(names)
			return fmt.Errorf("no outcome is called %q; the outcomes are %s", name, strings.Join(names, ", "))
		}
		if !slices.Contains(*f, name) {
			*f = append(*f, name)
		}
	}
	return nil
}

// What can be required.
const (
	improved     = "improved"
	regressed    = "regressed"
	equivalent   = "equivalent"
	inconclusive = "inconclusive"
	nonInferior  = report.NonInferior
	invalid      = "invalid"
)

// Require is a flag: what every comparison must show.
type Require []requirement

type requirement struct{ what, metric string }

// String returns the list.
func (r *Require) String() string {
	items := make([]string, len(*r))
	for i, q := range *r {
		items[i] = q.String()
	}
	return strings.Join(items, ",")
}

func (q requirement) String() string {
	if q.metric == "" {
		return q.what
	}
	return q.what + ":" + q.metric
}

// Set adds the items of a list.
func (r *Require) Set(list string) error {
	for item := range strings.SplitSeq(list, ",") {
		var q requirement
		q.what, q.metric, _ = strings.Cut(strings.TrimSpace(item), ":")
		if !slices.Contains([]string{improved, equivalent, nonInferior}, q.what) {
			return fmt.Errorf("%q cannot be required; what can is %s, %s and %s, of all metrics or of one, as in %s:accuracy", q.what, improved, equivalent, nonInferior, improved)
		}
		*r = append(*r, q)
	}
	return nil
}

// Judge holds the report against the rules and fills in its Gate. The problems are why the
// gate could not fail, or not hold, whatever the results were.
func (g *Rules) Judge(r *report.Report) []error {
	r.Gate = report.Gate{FailOn: append([]string{}, g.FailOn...), Require: []string{}, Adjusted: g.adjusted(), Offences: []report.Offence{}, SparedAt: []report.Offence{}}
	for _, q := range g.Require {
		r.Gate.Require = append(r.Gate.Require, q.String())
	}
	problems := g.cannot(r)
	for i := range r.Tables {
		t := &r.Tables[i]
		for j := range t.Rows {
			for k := range t.Rows[j].Cells {
				switch c, at := &t.Rows[j].Cells[k], (report.Offence{Table: i, Row: j, Column: k}); {
				case c.Judged():
					g.hold(r, t, c.Verdict, at)
				case c.Verdict != nil && slices.Contains(g.FailOn, invalid):
					at.Why = invalid // the status is that of what could not be judged all the same
					r.Gate.Offences = append(r.Gate.Offences, at)
				}
			}
		}
	}
	r.Gate.Spared = len(r.Gate.SparedAt)
	r.Gate.Undecided = g.undecided(r)
	return append(problems, g.waive(r)...)
}

func (g *Rules) adjusted() bool { return g.Adjust.Adjust != nil && g.Adjust.Name != "none" }

// hold adds the offences of a comparison.
func (g *Rules) hold(r *report.Report, t *report.Table, v *report.Verdict, at report.Offence) {
	offend := func(why string) {
		at.Why = why
		r.Gate.Offences = append(r.Gate.Offences, at)
	}
	for _, name := range g.FailOn {
		switch {
		case name == notImproved:
			if v.Outcome != improved {
				offend(name)
			}
		case v.Outcome != name:
		case g.adjusted() && (name == regressed || name == improved) && !(float64(v.AdjustedP) <= r.Settings.Alpha):
			at.Why = name
			r.Gate.SparedAt = append(r.Gate.SparedAt, at)
		default:
			offend(name)
		}
	}
	for _, q := range g.Require {
		if q.metric != "" && q.metric != t.Metric {
			continue
		}
		met := v.Outcome == q.what
		switch {
		case q.what == nonInferior:
			met = v.Identical || v.Margin != nil && v.Margin.NonInferior
		case q.what == equivalent:
			met = v.Identical || v.Margin != nil && v.Margin.Within
		}
		if !met {
			offend(report.Not + q.what)
		}
	}
}

// Failed reports whether there is an offence that was not waived.
func Failed(g *report.Gate) bool {
	return slices.ContainsFunc(g.Offences, func(o report.Offence) bool { return o.Waived == "" })
}

// Summary returns a line that names every offence, or says what the adjustment has spared;
// nothing if there is nothing to say.
func Summary(r *report.Report) string {
	g := &r.Gate
	var offences, waived []string
	for _, o := range g.Offences {
		text := describe(r, &o)
		if o.Waived != "" {
			waived = append(waived, text+", waived: "+o.Waived)
		} else {
			offences = append(offences, text)
		}
	}
	var parts []string
	if offences != nil {
		parts = append(parts, fmt.Sprintf("the gate fails on %s of %d: %s", count(len(offences), "comparison"), r.Comparisons(), strings.Join(offences, "; ")))
	}
	if waived != nil {
		parts = append(parts, strings.Join(waived, "; "))
	}
	if g.Spared > 0 {
		parts = append(parts, fmt.Sprintf("%s significant by p alone, and not after the %s adjustment for the comparisons of a table: %s; with -adjust none the gate fails on that",
			areMore(g.Spared, offences != nil), r.Settings.Adjust, describeFirst(r, g.SparedAt)))
	}
	return strings.Join(parts, "; ")
}

// describeFirst names the first few comparisons.
func describeFirst(r *report.Report, at []report.Offence) string {
	const most = 3
	var texts []string
	for i := range at[:min(len(at), most)] {
		texts = append(texts, describe(r, &at[i]))
	}
	if more := len(at) - most; more > 0 {
		texts = append(texts, fmt.Sprintf("%d more", more))
	}
	return strings.Join(texts, ", ")
}

func areMore(n int, more bool) string {
	text := count(n, "comparison")
	if more {
		text = strings.Replace(text, " ", " more ", 1)
	}
	if n == 1 {
		return text + " is"
	}
	return text + " are"
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// describe names the comparison of an offence and what it is.
func describe(r *report.Report, o *report.Offence) string {
	t := &r.Tables[o.Table]
	row := &t.Rows[o.Row]
	v := row.Cells[o.Column].Verdict
	where := ""
	if len(r.Columns) > 2 {
		where = " in " + r.Columns[o.Column].Label
	}
	if o.Why == invalid {
		return fmt.Sprintf("%s of %s%s is %s", t.Metric, row.Label, where, o.Why)
	}
	if s := view.Shortfall(r, o); s != "" {
		return fmt.Sprintf("%s of %s%s is %s", t.Metric, row.Label, where, s)
	}
	u := t.Unit.Record()
	p := "p = " + verdict.FormatP(float64(v.P))
	if !v.AdjustedP.IsNaN() && v.AdjustedP != v.P {
		p += ", " + r.Settings.Adjust + " " + verdict.FormatP(float64(v.AdjustedP))
	}
	return fmt.Sprintf("%s of %s%s is %s (%s, %s)", t.Metric, row.Label, where, o.Why, verdict.FormatDifference(u, float64(v.Difference)), p)
}
