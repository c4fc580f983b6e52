package print

import (
	"fmt"
	"slices"
	"strings"

	"github.com/learnbench/learnbench/cmd/learnstat/internal/report"
	"github.com/learnbench/learnbench/internal/texttab"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// A glance is a table that is read at a glance: a row for each comparison, the ones that matter
// most first. Facts that all rows share stand once above or below them.
type glance struct {
	r     *report.Report
	index int // of the table
	t     *report.Table
	unit  unit.Unit
	rows  []glanceRow
	alike map[string][]*report.Comparison // rows with equal scores, by the note that says so
	notes []string                        // of every row
	used  map[string]bool                 // marks without words, beside the marks of rows

	columns []int                        // of the report that have anything in the table
	gate    map[overKey]*report.OverTest // tests over data sets that the gate fails on, or would
}

// A glanceRow is one comparison in words.
type glanceRow struct {
	report.Ranked
	comparison report.Comparison
	mark, word string
	notes      []string
	matters    bool // the gate fails on it, a waiver lets it pass, or it could not be judged
}

// identical is the note on rows without any difference.
const identical = "all scores are equal"

// The marks of rows.
const (
	fails   = "✗"
	unknown = "?"
	excused = "w"
	worse   = "▼"
	gains   = "▲"
	shown   = "✓"
	equal   = "="
	unsure  = "~"
)

// marks are the marks of verdicts.
var marks = map[string]string{
	verdict.Regressed.String(): worse, verdict.Improved.String(): gains, verdict.Same.String(): equal,
	verdict.Inconclusive.String(): unsure,
}

// An overKey says which test over data sets it is.
type overKey struct {
	learner          string
	column, dataSets int
}

func newGlance(r *report.Report, i int, worst []report.Ranked) *glance {
	g := &glance{
		r: r, index: i, t: &r.Tables[i], unit: r.Tables[i].Measure(),
		alike: make(map[string][]*report.Comparison), used: make(map[string]bool),
	}
	g.notes, g.columns, g.gate = common(g.t), filled(r, g.t), make(map[overKey]*report.OverTest)
	for i := range r.Gate.Over {
		if x := &r.Gate.Over[i]; x.Metric == g.t.Metric && x.Why != "" {
			g.gate[overKey{x.Learner, x.Column, x.DataSets}] = x
		}
	}
	g.rows = make([]glanceRow, 0, len(worst))
	for _, x := range worst {
		row := glanceRow{Ranked: x, comparison: r.Comparison(x.At)}
		c := &row.comparison
		row.notes = slices.DeleteFunc(brief(c),
			func(n string) bool { return slices.Contains(g.notes, n) })
		if c.Judged() && c.Identical && x.Why == "" && len(row.notes) == 1 {
			g.alike[row.notes[0]] = append(g.alike[row.notes[0]], c)
			continue
		}
		row.mark, row.word = g.mark(&row)
		row.matters = x.Why != "" || !c.Judged()
		if x.Waived != "" {
			row.notes = append(row.notes, "waived: "+x.Waived)
		}
		g.rows = append(g.rows, row)
	}
	return g
}

// brief returns the notes on a comparison without numbers, which would make them differ from row to
// row. The full table has them.
func brief(c *report.Comparison) []string {
	var notes []string
	for _, n := range c.Notes {
		if strings.HasPrefix(n, "less than the margin apart: ") {
			continue
		}
		n, _, _ = strings.Cut(n, ": the interval is ")
		notes = append(notes, n)
	}
	return notes
}

// common returns the notes that all comparisons of a table have.
func common(t *report.Table) []string {
	var notes []string
	n, differ := 0, false
	for c := range t.All() {
		differ = differ || !c.Identical
		if n++; n == 1 {
			notes = brief(&c)
			continue
		}
		own := brief(&c)
		notes = slices.DeleteFunc(notes, func(x string) bool { return !slices.Contains(own, x) })
	}
	if n < 2 || !differ {
		return nil
	}
	return notes
}

// mark returns mark and word of a row.
func (g *glance) mark(row *glanceRow) (mark, word string) {
	c := &row.comparison
	switch {
	case !c.Judged():
		return unknown, c.Outcome
	case row.Waived != "":
		return excused, "waived"
	case row.Why != "":
		return fails, c.Words(row.Why, g.r.Settings.Tail)
	}
	mark = marks[c.Outcome]
	if g.t.Asked != "" && (mark == equal || mark == unsure) {
		mark = shown
	}
	return mark, c.Outcome
}

// caption says what all rows share: metric, columns, numbers of runs and folds, and the test.
func (g *glance) caption() []string {
	text := g.t.Metric
	if g.unit.IsFraction() {
		text += " in %"
	}
	var candidates []string
	for _, i := range g.columns[1:] {
		candidates = append(candidates, g.r.Columns[i].Title)
	}
	text += ": " + g.r.Columns[0].Title + " → "
	var sizes, tests []string
	for c := range g.t.All() {
		if c.Judged() && c.Row.Slice == nil { // slices of items have sizes of their own
			sizes, tests = addNew(sizes, c.Size()), addNew(tests, c.Test)
		}
	}
	candidates[0] = text + candidates[0]
	if sizes == nil {
		return candidates
	}
	return append(candidates, "n = "+strings.Join(sizes, " or "), strings.Join(tests, " or "))
}

func addNew(list []string, text string) []string {
	if slices.Contains(list, text) {
		return list
	}
	return append(list, text)
}

// name is the label of a row, with its column where there are several.
func (g *glance) name(c *report.Comparison) string {
	if len(g.r.Columns) > 2 {
		return c.Row.Label + " " + g.r.Columns[c.At.Column].Label
	}
	return c.Row.Label
}

// below returns the lines below the rows: equal scores, data sets together, what the marks mean.
func (g *glance) below(width int, words bool) []string {
	var lines []string
	for _, note := range sortedKeys(g.alike) {
		rows := g.alike[note]
		of := "1 row"
		if n := len(rows); n > 1 {
			of = fmt.Sprintf("%d rows", n)
		}
		if note == identical {
			of += " with identical scores: "
		} else {
			of += ", " + note + ": "
		}
		lines = append(lines, lineUp("  "+of, g.folded(rows), width)...)
	}
	for i := range g.t.Over {
		lines = append(lines, g.over(&g.t.Over[i], width)...)
	}
	if legend := g.legend(words); legend != "" {
		lines = append(lines, legend)
	}
	for _, n := range g.notes {
		lines = append(lines, "all rows: "+n)
	}
	return append(lines, below(g.r, g.t)...)
}

// folded names rows: */learner stands for all rows of a learner.
func (g *glance) folded(rows []*report.Comparison) []string {
	of, all := make(map[string]int), make(map[string]int)
	for c := range g.t.All() {
		all[c.Cell.Learner]++
	}
	for _, c := range rows {
		of[c.Cell.Learner]++
	}
	var names []string
	for _, c := range rows {
		name, learner := g.name(c), c.Cell.Learner
		if of[learner] > 1 && of[learner] == all[learner] && c.Row.Label == c.Cell.Data+"/"+learner {
			name = "*/" + learner
		}
		names = addNew(names, name)
	}
	return names
}

// over returns the lines on a learner over data sets, and notes their marks for the legend. Where
// nothing differs, its rows have said so.
func (g *glance) over(o *report.Over, width int) []string {
	var lines []string
	for _, k := range g.columns[1:] {
		c := &o.Columns[k]
		if c.Better+c.Worse == 0 && c.Outcome == verdict.Same.String() {
			continue
		}
		mark := g.overMark(o, k)
		g.used[mark] = true
		name := fmt.Sprintf("%s %s over %d data sets", mark, o.Learner, o.DataSets)
		if len(g.r.Columns) > 2 {
			name += " " + g.r.Columns[k].Label
		}
		p := fmt.Sprintf("p %s (%s)", shortP(float64(c.P)), o.Test)
		var notes []string
		for _, n := range c.Notes {
			if strings.HasPrefix(n, "few data sets") {
				p = "too few to test"
			} else {
				notes = append(notes, n)
			}
		}
		change := strings.TrimSuffix(g.unit.FormatDifference(float64(c.Difference)), " points")
		items := append([]string{change, fmt.Sprintf("better on %d", c.Better), fmt.Sprintf("worse on %d",
			c.Worse), p}, notes...)
		lines = append(lines, lineUp(name+": ", items, width)...)
	}
	return lines
}

// overMark is the mark of a column over data sets.
func (g *glance) overMark(o *report.Over, column int) string {
	switch x := g.gate[overKey{o.Learner, column, o.DataSets}]; {
	case x == nil:
		return marks[o.Columns[column].Outcome]
	case x.Waived != "":
		return excused
	}
	return fails
}

// legend says what the marks mean that no words stand beside.
func (g *glance) legend(words bool) string {
	var items []string
	for _, m := range []struct {
		mark, text string
		word       bool
	}{
		{fails, "the gate fails on it", false},
		{worse, verdict.Regressed.String(), true},
		{gains, verdict.Improved.String(), true},
		{shown, g.t.Asked, false},
		{equal, verdict.Same.String(), true},
		{unsure, verdict.Inconclusive.String(), true},
	} {
		own := slices.ContainsFunc(g.rows, func(r glanceRow) bool { return r.mark == m.mark })
		if g.used[m.mark] || own && !(m.word && words) {
			items = append(items, m.mark+" "+m.text)
		}
	}
	if len(items) == 1 && strings.HasPrefix(items[0], fails) {
		return "" // the first line says it
	}
	return strings.Join(items, "  ")
}

// baseTitles are the titles of the two columns of means: of files, or of learners.
func (g *glance) baseTitles() (base, candidate string) {
	for _, r := range g.rows {
		if r.comparison.Base.Learner != r.comparison.Cell.Learner {
			return "base", "cand."
		}
	}
	return "old", "new"
}

// interval returns the two ends of an interval, aligned.
func (g *glance) interval() []string {
	ends := make([][2]string, len(g.rows))
	var widths [2]int
	for i := range g.rows {
		c := &g.rows[i].comparison
		if !c.Judged() {
			continue
		}
		ends[i][0], ends[i][1], _ = strings.Cut(formatInterval(g.unit, c.Facts), " to ")
		for k := range widths {
			widths[k] = max(widths[k], texttab.Width(ends[i][k]))
		}
	}
	texts := make([]string, len(ends))
	for i, e := range ends {
		if e[0] != "" {
			texts[i] = fmt.Sprintf("%*s %*s", widths[0], e[0], widths[1], e[1])
		}
	}
	return texts
}
