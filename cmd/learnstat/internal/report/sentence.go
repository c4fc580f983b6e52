package report

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// Result says in a line what the exit status is.
func (r *Report) Result() string {
	text := count(r.Judged(), "comparison")
	if h := r.History; h != nil {
		rows, files := 0, len(r.Columns)
		for _, t := range h.Tables {
			rows += len(t.Tracks)
		}
		if h.Pinned {
			files--
		}
		text = fmt.Sprintf("history of %s over %s, %s", count(rows, "row"), count(files, "file"),
			count(h.Segments(), "segment"))
	}
	text += clauses{r}.margins(" with a margin of ")
	if r.Status > 1 {
		return text + ", and not everything could be judged (exit status 2)"
	}
	switch state := r.State(); state {
	case "":
		return text
	case Fails:
		return fmt.Sprintf("%s, and %s on %s (exit status 1)", text, state,
			clauses{r}.failing(strconv.Itoa))
	default:
		return text + ", and " + state
	}
}

// MarginKey is the key of the lines above the tables that say what the margins are.
const MarginKey = "margin"

// clauses say parts of a report, of which sentences are made.
type clauses struct{ *Report }

// margins returns what the margins are, behind the given text; nothing if there are none.
func (r clauses) margins(before string) string {
	var values []string
	for _, l := range r.Header {
		if l.Key == MarginKey {
			values = append(values, l.Value)
		}
	}
	if values == nil {
		return ""
	}
	return before + strings.Join(values, " and ")
}

// failing says how many comparisons and tests over data sets the gate fails on.
func (r clauses) failing(comparisons func(n int) string) string {
	var parts []string
	if n := r.Gate.Fails(); n > 0 {
		parts = append(parts, comparisons(n))
	}
	if n := r.Gate.OverFails(); n > 0 {
		parts = append(parts, count(n, "test")+" over data sets")
	}
	if n := r.Gate.RatioFails(); n > 0 {
		parts = append(parts, count(n, "ratio"))
	}
	return strings.Join(parts, " and ")
}

// SentenceOver says in a line what a test over data sets of the gate has found.
func (r *Report) SentenceOver(o *OverTest) string {
	text := fmt.Sprintf("%s of %s", o.Metric, o.Label())
	if len(r.Columns) > 2 {
		text += " in " + r.Columns[o.Column].Label
	}
	text += fmt.Sprintf(" is %s (%s, %s, p = %s", o.Outcome,
		r.Measure(o.Metric).FormatDifference(float64(o.Difference)), o.Counts(),
		unit.FormatP(float64(o.P)))
	if r.Settings.Adjusts() && o.AdjustedP != o.P {
		text += ", " + r.Settings.Adjust + " " + unit.FormatP(float64(o.AdjustedP))
	}
	text += ")"
	if o.Waived != "" {
		text += ", waived: " + o.Waived
	}
	return text
}

// Measure returns the unit of a metric that was compared.
func (r *Report) Measure(metric string) unit.Unit {
	var u *Unit
	for i := range r.Tables {
		if t := &r.Tables[i]; t.Metric == metric && t.Unit != nil {
			u = t.Unit
		}
	}
	return measure(metric, u)
}

// Counts says on how many data sets the column is better, and so on.
func (c *OverColumn) Counts() string {
	if c.Same > 0 {
		return fmt.Sprintf("%d better, %d same, %d worse", c.Better, c.Same, c.Worse)
	}
	return fmt.Sprintf("%d better, %d worse", c.Better, c.Worse)
}

// Sentence returns a line on the finding of a comparison, and on the decision of the gate.
func (r *Report) Sentence(o Offence) string {
	c := r.Comparison(o.At)
	text := fmt.Sprintf("%s of %s is %s: ", c.Table.Metric, c.Row.Label, c.Outcome)
	if !c.Judged() {
		return text + c.Reason
	}
	u := c.Table.Measure()
	text += fmt.Sprintf("%s, %s in %s and %s in %s, p = %s", u.FormatDifference(float64(c.Difference)),
		u.FormatScore(float64(c.Base.Mean)), r.Columns[0].Label,
		u.FormatScore(float64(c.Cell.Mean)), r.Columns[o.Column].Label, unit.FormatP(float64(c.P)))
	if r.Adjusts() {
		text += ", " + r.Settings.Adjust + " " + unit.FormatP(float64(c.AdjustedP))
	}
	if o.Waived != "" {
		text += ", waived: " + o.Waived
	}
	if s := (clauses{r}).shortfall(o); s != "" {
		text += "; " + s
	}
	return text
}

// shortfall says what a requirement with a margin was to rule out, with the interval of the test of
// it, which differs from the interval of the difference: its end decides. Of any other offence it
// says nothing.
func (r clauses) shortfall(o Offence) string {
	c := r.Comparison(o.At)
	apart := map[string]string{Not + NonInferior: "worse", Not + verdict.Same.String(): "apart"}[o.Why]
	if c.Margin == nil || apart == "" {
		return ""
	}
	u := c.Table.Measure()
	text := "not shown to be less than " + u.FormatMargin(float64(c.Margin.Value)) + " " + apart
	switch {
	case c.Margin.Reason != "":
		return text + ": " + c.Margin.Reason
	case c.Margin.Lo.IsNaN():
		return text
	}
	return text + fmt.Sprintf(" (%.4g%% interval %s)", 100*(1-2*r.Settings.Alpha),
		u.FormatInterval(float64(c.Margin.Lo), float64(c.Margin.Hi)))
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
