package report

import (
	"fmt"
	"strings"

	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// Summary returns lines that name every offence, each in a line of its own, and say what the
// adjustment has spared; nothing if there is nothing to say.
func (r *Report) Summary() []string {
	g := &r.Gate
	var offences, waived []string
	for _, o := range g.Offences {
		text := clauses{r}.describe(o)
		if o.Waived != "" {
			waived = append(waived, text+", waived: "+o.Waived)
		} else {
			offences = append(offences, text)
		}
	}
	for i := range g.Over {
		switch o := &g.Over[i]; {
		case o.Waived != "":
			waived = append(waived, r.SentenceOver(o))
		case o.Why != "":
			offences = append(offences, r.SentenceOver(o))
		}
	}
	for _, x := range g.Ratios {
		if !x.Within {
			offences = append(offences, x.Sentence)
		}
	}
	var lines []string
	more := ""
	if offences != nil {
		failing := clauses{r}.failing(func(n int) string {
			return fmt.Sprintf("%s of %d",
				count(n, "comparison"), r.Comparisons())
		})
		lines, more = append(lines, Fails+" on "+failing+clauses{r}.margins(", with a margin of ")),
			"more "
		lines = append(lines, offences...)
	}
	state := r.State()
	if state == PassesWithLosses || state == PassesWithWaived {
		lines = append(lines, state+clauses{r}.margins(", with a margin of "))
	}
	lines = append(lines, waived...)
	if g.Spared > 0 {
		are := "are"
		if g.Spared == 1 {
			are = "is"
		}
		lines = append(lines, fmt.Sprintf("%s %s significant by p alone, and not after the %s adjustment for all comparisons%s: %s; with -adjust none the gate fails on that",
			count(g.Spared, more+"comparison"), are, r.Settings.Adjust, r.Settings.atLevel(),
			clauses{r}.describeFirst(g.SparedAt)))
	}
	if state == PassesWithLosses {
		lines = append(lines, clauses{r}.passing()...)
	}
	return lines
}

// atLevel names the level of rows if it is not the level of all.
func (s *Settings) atLevel() string {
	if s.RowLevel() == s.Alpha {
		return ""
	}
	return fmt.Sprintf(" at level %.4g", s.RowLevel())
}

// passing says that the gate asks for something else than regressed comparisons that are neither an
// offence nor spared.
func (r clauses) passing() []string {
	var texts []string
	offences, lost := r.Gate.Decisive(), verdict.Regressed.String()
	for _, o := range r.Gate.SparedAt {
		offences[o.At] = o
	}
	var at []Offence
	for c := range r.All() {
		_, known := offences[c.At]
		if c.Outcome == lost && !known && !allowed(r.Report, c.Table, c.Row, c.At.Column) {
			at = append(at, Offence{At: c.At, Why: lost})
		}
	}
	if at != nil {
		texts = append(texts, "the gate does not fail on "+count(len(at),
			"regressed comparison")+": "+r.describeFirst(at))
	}
	for i := range r.Tables {
		t := &r.Tables[i]
		for j := range t.Over {
			o := &t.Over[j]
			for k := 1; k < len(o.Columns); k++ {
				if x := r.overTest(t.Metric, o, k); o.Columns[k].Outcome == lost && x.Waived == "" &&
					!allowedOver(r.Report, r.Tables[i:i+1], t.Metric, o.Learner, k, o.DataSets) {
					texts = append(texts, r.SentenceOver(x)+" by its own p")
				}
			}
		}
	}
	return texts
}

// describeFirst names the first few comparisons.
func (r clauses) describeFirst(at []Offence) string {
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

// describe names the comparison of an offence and its outcome.
func (r clauses) describe(o Offence) string {
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
	return fmt.Sprintf("%s%s (%s, %s)", text, o.Why,
		c.Table.Measure().FormatDifference(float64(c.Difference)), p)
}
