package print

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/learnbench/learnbench/cmd/learnstat/internal/report"
	"github.com/learnbench/learnbench/internal/texttab"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// DefaultWidth is how wide tables are where nothing says how wide they may be, so that the same
// results are the same text everywhere.
const DefaultWidth = 80

// manyRows is from how many rows on the lines about all of them stand above, where the first screen
// has them.
const manyRows = 15

// leastName is how much of a name there must be room for before a column goes.
const leastName = 12

// A fitting says what of a table there is room for.
type fitting struct {
	words bool     // for all rows; otherwise only where they matter
	names int      // how wide a name may be; longer names have numbers
	drop  []string // columns
}

// dropped are the columns that can go, the first ones first.
var dropped = []string{"old", "R", "interval", "p"}

// fit returns the table in the given width, with the lines below it.
func (g *glance) fit(width int) (t *sheet, legend []string, f fitting) {
	longest := 0
	for i := range g.rows {
		longest = max(longest, texttab.Width(unit.Printable(g.name(&g.rows[i].comparison))))
	}
	tries := []fitting{{words: true, names: longest}, {names: longest}}
	for n := range len(dropped) + 1 {
		tries = append(tries, fitting{names: -1, drop: dropped[:n]})
	}
	for i, try := range tries {
		if try.names < 0 {
			try.names = 0
			least, _ := g.sheet(try)
			try.names = min(longest, width-layOut(least, false).Width()+len(fmt.Sprintf("(%d)",
				len(g.rows))))
			if try.names < min(leastName, longest) && i < len(tries)-1 {
				continue
			}
		}
		t, legend = g.sheet(try)
		if f = try; layOut(t, false).Width() <= width {
			try.words = true
			if all, same := g.sheet(try); layOut(all, false).Width() <= width {
				return all, same, try
			}
			break
		}
	}
	return t, legend, f
}

// sheet returns the table in a form, and the legend of its names.
func (g *glance) sheet(f fitting) (*sheet, []string) {
	base, candidate := g.baseTitles()
	p, adjusted := "p", g.r.Adjusts()
	if adjusted {
		p = "adj p"
	}
	columns := []struct {
		key string
		column
		text func(i int, c *report.Comparison) string
	}{
		{"old", right(base), func(_ int, c *report.Comparison) string { return g.mean(c.Base.Mean) }},
		{"", right(candidate), func(_ int, c *report.Comparison) string { return g.mean(c.Cell.Mean) }},
		{"", right("change"), func(_ int, c *report.Comparison) string {
			return strings.TrimSuffix(g.unit.FormatDifference(float64(c.Difference)), " points")
		}},
		{"interval", right(fmt.Sprintf("%.4g%% interval", 100*g.r.Settings.IntervalLevel())), nil},
		{"p", right(p), func(_ int, c *report.Comparison) string {
			if adjusted {
				return shortP(float64(c.AdjustedP))
			}
			return shortP(float64(c.P))
		}},
		{"R", right("R"), func(_ int, c *report.Comparison) string { return shortRerun(c.Rerun) }},
	}
	intervals := g.interval()
	columns[3].text = func(i int, _ *report.Comparison) string { return intervals[i] }
	if g.r.Many() && !hasCounted(g.t) {
		columns = columns[:5]
	}
	t := &sheet{Groups: []group{{Columns: []column{{Title: ""}}}}, Rows: make([]line, len(g.rows))}
	of := &t.Groups[0].Columns
	names, legend := g.names(f.names)
	for i := range g.rows {
		t.Rows[i].Cells = []cell{{Text: g.rows[i].mark + " " + names[i]}}
	}
	for _, col := range columns {
		if slices.Contains(f.drop, col.key) {
			continue
		}
		texts, any := make([]string, len(g.rows)), false
		for i := range g.rows {
			if c := &g.rows[i].comparison; c.Judged() {
				texts[i] = col.text(i, c)
				any = any || texts[i] != ""
			}
		}
		if !any {
			continue
		}
		*of = append(*of, col.column)
		for i := range g.rows {
			t.Rows[i].Cells = append(t.Rows[i].Cells, cell{Text: texts[i]})
		}
	}
	*of = append(*of, column{Title: ""})
	for i := range g.rows {
		r := &g.rows[i]
		last := cell{notes: r.notes}
		if f.words || r.matters {
			last.Text = r.word
		}
		cells := append(t.Rows[i].Cells, last)
		mood := moods[r.comparison.Outcome]
		if !r.comparison.Judged() {
			mood = doubtful
		} else if r.mark == fails {
			mood = bad
		}
		cells[0].Mood, cells[len(cells)-1].Mood = mood, mood
		t.Rows[i].Cells = cells
	}
	t.number()
	for i := range t.Rows {
		cells := t.Rows[i].Cells
		cells[len(cells)-1].Text = strings.TrimPrefix(cells[len(cells)-1].Text, " ")
	}
	return t, legend
}

// right is a column of numbers with its title above the last digits.
func right(title string) column {
	return column{Title: title, Align: texttab.Right, TitleAlign: texttab.Right}
}

func (g *glance) mean(x unit.Number) string {
	return strings.TrimSuffix(formatMean(g.unit, x),
		"%")
}

// shortRerun is R alone; its interval, or how it was counted, is in the full table.
func shortRerun(r *verdict.RerunFacts) string {
	if r == nil {
		return ""
	}
	value, sign := r.R, ""
	if value.IsNaN() { // where the interval says it all
		value, sign = r.Lo, ">"
	}
	text := strings.TrimPrefix(fmt.Sprintf("%.3f", float64(value)), "0")
	if text == "1.000" {
		return ">.999"
	}
	return sign + text
}

// shortP is p in three decimals; all of it is in the full table.
func shortP(p float64) string {
	if p < 0.001 {
		return "<.001"
	}
	text := unit.FormatP(p)
	if text == "1.000" {
		return "1.00"
	}
	return strings.TrimPrefix(text, "0")
}

// names returns the names of all rows. Learners, or whole names, that are too long are numbers,
// with a legend.
func (g *glance) names(most int) (names, legend []string) {
	numbers := make(map[string]string)
	number := func(long string) string {
		if numbers[long] == "" {
			numbers[long] = fmt.Sprintf("(%d)", len(legend)+1)
			legend = append(legend, numbers[long]+" "+long)
		}
		return numbers[long]
	}
	fits := func(name string) bool { return texttab.Width(unit.Printable(name)) <= most }
	long := make(map[string]bool) // learners, a number for which makes a name short enough
	for i := range g.rows {
		c := &g.rows[i].comparison
		long[c.Cell.Learner] = long[c.Cell.Learner] || !fits(g.name(c)) && fits(c.Cell.Data+"/(00)")
	}
	for i := range g.rows {
		c := &g.rows[i].comparison
		name := g.name(c)
		if learner := c.Cell.Learner; long[learner] && name == c.Cell.Data+"/"+learner &&
			fits(c.Cell.Data+"/(00)") {
			name = c.Cell.Data + "/" + number(learner)
		} else if !fits(name) {
			name = number(name)
		}
		names = append(names, name)
	}
	return names, legend
}

// lineUp returns items in lines of a width.
func lineUp(before string, items []string, width int) []string {
	var lines []string
	line := before
	for i, item := range items {
		item = unit.Printable(item)
		if i < len(items)-1 {
			item += ","
		}
		if i > 0 && texttab.Width(line)+1+texttab.Width(item) > width {
			lines = append(lines, line)
			line = "   "
		}
		if i > 0 {
			line += " "
		}
		line += item
	}
	return append(lines, line)
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// text returns the table with what stands above and below it.
func (g *glance) text(o Options) string {
	width := o.columns()
	var b strings.Builder
	lines := func(texts ...string) {
		for _, text := range texts {
			b.WriteString(strings.Join(broken(text, width), "\n") + "\n")
		}
	}
	for _, k := range g.t.Keys {
		lines(k.Key + ": " + k.Value)
	}
	lines(lineUp("", g.caption(), width)...)
	matrix := g.matrix(width)
	if len(g.rows) == 0 {
		lines(g.below(width, true)...)
		lines(matrix...)
		return b.String()
	}
	t, legend, f := g.fit(width)
	below, after := g.below(width, f.words && matrix == nil), legend
	if len(g.rows)+len(matrix) > manyRows {
		lines(below...)
	} else {
		after = append(after, below...)
	}
	if len(f.drop) > 0 {
		lines(fmt.Sprintf("no room for %s: see -width, or -v for all", strings.Join(f.drop, ", ")))
	}
	b.WriteString(wrapNotes(layOut(t, o.Color).String(), len(t.Notes), width))
	lines(after...)
	lines(matrix...)
	return b.String()
}
