package judge

import (
	"slices"

	"github.com/learnbench/learnbench/cmd/learnstat/internal/report"
	"github.com/learnbench/learnbench/internal/cli"
	"github.com/learnbench/learnbench/learntest/stat/adjust"
	"github.com/learnbench/learnbench/learntest/unit"
)

// Rules are what the flags say.
type Rules struct {
	FailOn  FailOn
	Require Require
	Adjust  adjust.Method // of improved and regressed
	Waivers []Waiver

	// AllowMajority lets waivers have ceilings that always predicting the most frequent class
	// keeps.
	AllowMajority bool
}

// asks returns the requirement on comparisons in a metric, of several requirements the strictest:
// "" if nothing is.
func (g *Rules) asks(metric string) string {
	metric, _ = unit.CutSlice(metric)
	for _, what := range []string{improved, equivalent, nonInferior} {
		if g != nil && slices.ContainsFunc(g.Require, func(q requirement) bool {
			return q.what == what &&
				q.of(metric)
		}) {
			return what
		}
	}
	return ""
}

// Strict reports whether there is a gate at all.
func (g *Rules) Strict() bool { return len(g.FailOn) > 0 || len(g.Require) > 0 }

// Hold holds the report against the rules and fills in its Gate. The problems are why the
// gate could not fail, or not hold, whatever the results were.
func (g *Rules) Hold(r *report.Report) []error {
	r.Gate = report.Gate{
		Over: append([]report.OverTest{}, r.Gate.Over...), FailOn: append([]string{},
			g.FailOn...), Require: []string{}, Adjusted: g.adjusted(), Offences: []report.Offence{},
		SparedAt: []report.Offence{},
	}
	for _, q := range g.Require {
		r.Gate.Require = append(r.Gate.Require, q.String())
	}
	problems := g.cannot(r)
	for c := range r.All() {
		switch {
		case c.Judged():
			g.hold(r, &c)
		case slices.Contains(g.FailOn, invalid): // the exit status is Unjudged nevertheless
			r.Gate.Offences = append(r.Gate.Offences, report.Offence{At: c.At, Why: invalid})
		}
	}
	g.holdOver(r)
	r.Gate.Spared = len(r.Gate.SparedAt)
	r.Gate.Undecided = g.undecided(r)
	return append(problems, g.waive(r)...)
}

func (g *Rules) adjusted() bool { return g.Adjust.Adjust != nil && g.Adjust.Name != "none" }

// hold adds the offences of a comparison.
func (g *Rules) hold(r *report.Report, c *report.Comparison) {
	offend := func(to *[]report.Offence, why string) {
		*to = append(*to,
			report.Offence{At: c.At, Why: why})
	}
	for _, name := range g.FailOn {
		switch {
		case name == notImproved:
			if c.Outcome != improved {
				offend(&r.Gate.Offences, name)
			}
		case c.Outcome != name:
		case g.adjusted() && (name == regressed || name == improved) &&
			!(float64(c.AdjustedP) <= r.Settings.RowLevel()):
			offend(&r.Gate.SparedAt, name)
		default:
			offend(&r.Gate.Offences, name)
		}
	}
	for _, q := range g.Require {
		if q.of(c.Table.Metric) && !q.met(c) {
			offend(&r.Gate.Offences, report.Not+q.what)
		}
	}
}

// Status returns the exit status. What could not be judged comes before what the gate fails on, and
// waived offences are none.
func Status(r *report.Report, problems []error) int {
	switch {
	case len(problems) > 0 || r.Empty():
		return cli.Unjudged
	case r.Gate.Fails()+r.Gate.OverFails()+r.Gate.RatioFails() > 0:
		return cli.Failed
	}
	return cli.Clean
}
