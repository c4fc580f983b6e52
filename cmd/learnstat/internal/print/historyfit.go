package print

import (
	"fmt"
	"strings"

	"github.com/learnbench/learnbench/cmd/learnstat/internal/report"
	"github.com/learnbench/learnbench/internal/texttab"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// A historyForm says what of a history there is room for.
type historyForm struct {
	bars, p bool
	names   int // how wide a name may be; longer names have numbers; 0 for any
}

// historyForms are tried from the first on, after the table with all columns.
var historyForms = []historyForm{
	{true, true, 0},
	{false, true, 0},
	{false, true, 24},
	{false, true, 20},
	{false, true, 18},
	{false, true, 16},
	{false, true, 15},
	{false, true, 14},
	{false, true, leastName},
	{false, false, leastName},
	{false, false, 1},
}

// historyText returns the table of histories: with all columns if there is room for them, else with
// marks instead of verdicts, and what the marks and numbers mean below it.
func historyText(r *report.Report, t *sheet, i int, o Options) string {
	width := o.columns()
	if all := layOut(t, o.Color); all.Width() <= width {
		return all.String()
	}
	v := newHistoryView(r, i)
	left := "intervals"
	if v.commits {
		left += ", commits"
	}
	var short *sheet
	var legend []string
	for _, f := range historyForms {
		if short, legend = v.short(f); layOut(short, o.Color).Width() <= width ||
			f == historyForms[len(historyForms)-1] {
			if !f.p {
				left += ", p"
			}
			break
		}
	}
	if r.History.Pinned {
		legend = append(legend, "reference: "+report.HistoryReference(r))
	}
	legend = append(legend, v.marks(), "no room for "+left+": see -width, -html or -format csv")
	var b strings.Builder
	b.WriteString(layOut(short, o.Color).String())
	for _, text := range legend {
		if text != "" {
			b.WriteString(unit.Printable(text) + "\n")
		}
	}
	return b.String()
}

// short returns the table in a form, and the legend of its names.
func (v *historyView) short(f historyForm) (t *sheet, legend []string) {
	numbers := make(map[string]string)
	name := func(long string) string {
		if f.names == 0 || texttab.Width(unit.Printable(long)) <= f.names {
			return long
		}
		if numbers[long] == "" {
			numbers[long] = fmt.Sprintf("(%d)", len(legend)+1)
			legend = append(legend, numbers[long]+" "+long)
		}
		return numbers[long]
	}
	p := f.p
	pTitle := "p"
	if v.adjust {
		pTitle = "adj p"
	}
	metric := v.t.Metric
	if v.unit.IsFraction() {
		metric += " in %"
	}
	reference := "first"
	if v.r.History.Pinned {
		reference = "reference"
	}
	columns := []column{{}, {Title: "files"}, right(metric)}
	if f.bars {
		columns = append([]column{{}, {}}, columns[1:]...)
	}
	for _, from := range []string{"change", "from " + reference} {
		columns = append(columns, right(from))
		if p {
			columns = append(columns, right(pTitle))
		}
	}
	t = &sheet{Groups: []group{{Columns: append(columns, column{})}}}
	for i := range v.t.Tracks {
		track := &v.t.Tracks[i]
		bars := sparkline(v.history(track))
		for _, l := range v.t.Lines(v.r, track) {
			cells := []cell{{Text: name(track.Label)}}
			if f.bars {
				cells, bars = append(cells, cell{Text: bars}), ""
			}
			cells = append(cells, cell{Text: name(l.Files)}, cell{Text: strings.TrimSuffix(l.Mean, "%")})
			var notes []string
			for _, c := range []report.Change{l.Previous, l.Reference} {
				texts := v.shortChange(c)
				if cells = append(cells, texts[0]); p {
					cells = append(cells, texts[1])
				}
				if c.Judged() {
					notes = append(notes, c.Notes...)
				}
			}
			t.Rows = append(t.Rows, line{Cells: append(cells, cell{notes: notes})})
		}
	}
	t.number()
	return t, legend
}

// shortChange returns mark and difference, and p.
func (v *historyView) shortChange(c report.Change) [2]cell {
	switch {
	case c.Facts == nil:
		return [2]cell{}
	case !c.Judged():
		return [2]cell{{Text: unknown, Mood: doubtful}}
	}
	p := c.P
	if v.adjust {
		p = c.AdjustedP
	}
	text := marks[c.Outcome] + " " + strings.TrimSuffix(c.Difference, " points")
	return [2]cell{{Text: text, Mood: moods[c.Outcome]}, {Text: shortP(float64(p))}}
}

// marks says what the marks mean.
func (v *historyView) marks() string {
	used := make(map[string]bool)
	for i := range v.t.Tracks {
		for _, s := range v.t.Tracks[i].Segments {
			for _, w := range []*verdict.Facts{s.Previous, s.Reference} {
				if w != nil {
					used[w.Outcome] = true
				}
			}
		}
	}
	var items []string
	for _, o := range []verdict.Outcome{
		verdict.Regressed, verdict.Improved, verdict.Same,
		verdict.Inconclusive,
	} {
		if used[o.String()] {
			items = append(items, marks[o.String()]+" "+o.String())
		}
	}
	if used[verdict.Invalid.String()] {
		items = append(items, unknown+" "+verdict.Invalid.String())
	}
	return strings.Join(items, "  ")
}
