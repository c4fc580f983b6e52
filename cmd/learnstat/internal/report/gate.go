package report

import (
	"fmt"
	"strings"

	"github.com/learnbench/learnbench/learntest/unit"
)

// A Gate says what the report is held against, and what came of it.
type Gate struct {
	FailOn   []string  `json:"fail_on"`
	Require  []string  `json:"require"`
	Adjusted bool      `json:"adjusted"` // improved and regressed go by the adjusted p
	Offences []Offence `json:"offences"`
	Spared   int       `json:"spared"`    // comparisons that only the adjustment keeps from being an offence
	SparedAt []Offence `json:"spared_at"` // which

	// Undecided are the comparisons that a gate on regressions lets pass although they may be a loss.
	Undecided []Undecided `json:"undecided"`
}

// Not stands before the name of what is required in why a comparison is an offence.
const Not = "not "

// NonInferior is the name of the requirement that a candidate is not worse by the margin.
const NonInferior = "non-inferior"

// An Undecided is a comparison that is no offence, since nothing was shown of it.
type Undecided struct {
	At
	Loss Number `json:"loss"` // at the worse end of the interval, in the unit of the metric; NaN if there is none
}

// An Offence is a comparison that the gate fails on.
type Offence struct {
	At
	Why    string `json:"why"`              // the name of what the gate fails on, or what is required
	Waived string `json:"waived,omitempty"` // why it is let pass all the same
}

// Strict reports whether there is a gate at all.
func (g *Gate) Strict() bool { return len(g.FailOn)+len(g.Require) > 0 }

// Fails returns the number of offences that were not waived.
func (g *Gate) Fails() int {
	n := 0
	for _, o := range g.Offences {
		if o.Waived == "" {
			n++
		}
	}
	return n
}

// Decisive returns the offence that counts of each comparison that has any: one that is waived only
// if all are.
func (g *Gate) Decisive() map[At]Offence {
	decisive := make(map[At]Offence)
	for _, o := range g.Offences {
		if have, ok := decisive[o.At]; !ok || have.Waived != "" {
			decisive[o.At] = o
		}
	}
	return decisive
}

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

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
