package report

import (
	"fmt"
	"strings"

	"github.com/learnbench/learnbench/learntest/unit"
)

// Summary returns a line that names every offence, or says what the adjustment has spared;
// nothing if there is nothing to say.
func (r *Report) Summary() string {
	g := &r.Gate
	var offences, waived []string
	for _, o := range g.Offences {
		text := r.describe(o)
		if o.Waived != "" {
			waived = append(waived, text+", waived: "+o.Waived)
		} else {
			offences = append(offences, text)
		}
	}
	var parts []string
	more := ""
	if offences != nil {
		parts = append(parts, fmt.Sprintf("the gate fails on %s of %d: %s", count(len(offences), "comparison"), r.Comparisons(), strings.Join(offences, "; ")))
		more = "more "
	}
	if waived != nil {
		parts = append(parts, strings.Join(waived, "; "))
	}
	if g.Spared > 0 {
		are := "are"
		if g.Spared == 1 {
			are = "is"
		}
		parts = append(parts, fmt.Sprintf("%s %s significant by p alone, and not after the %s adjustment for the comparisons of a table: %s; with -adjust none the gate fails on that",
			count(g.Spared, more+"comparison"), are, r.Settings.Adjust, r.describeFirst(g.SparedAt)))
	}
	return strings.Join(parts, "; ")
}

// describeFirst names the first few comparisons.
func (r *Report) describeFirst(at []Offence) string {
	const most = 3
	var texts []string
	for _, o := range at[:min(len(at), most)] {
		texts = append(texts, r.describe(o))
	}
	if more := len(at) - most; more > 0 {
		texts = append(texts, fmt.Sprintf("%d more", more))
	}
	return strings.Join(texts, ", ")
}

// describe names the comparison of an offence and what it is.
func (r *Report) describe(o Offence) string {
	c := r.Comparison(o.At)
	text := c.Table.Metric + " of " + c.Row.Label
	if len(r.Columns) > 2 {
		text += " in " + r.Columns[o.Column].Label
	}
	text += " is "
	if !c.Judged() {
		return text + o.Why
	}
	if s := r.shortfall(o); s != "" {
		return text + s
	}
	p := "p = " + unit.FormatP(float64(c.P))
	if !c.AdjustedP.IsNaN() && c.AdjustedP != c.P {
		p += ", " + r.Settings.Adjust + " " + unit.FormatP(float64(c.AdjustedP))
	}
	return fmt.Sprintf("%s%s (%s, %s)", text, o.Why, c.Table.Measure().FormatDifference(float64(c.Difference)), p)
}
