package print

import (
	"io"
	"strings"

	"github.com/learnbench/learnbench/cmd/learnstat/internal/report"
	"github.com/learnbench/learnbench/internal/texttab"
	"github.com/learnbench/learnbench/learntest/unit"
)

// writeText writes what to read first, the header, the tables and the notes, or nothing if nothing
// was judged.
func writeText(w io.Writer, r *report.Report, o Options) error {
	if r.Empty() {
		return nil
	}
	full := r.Settings.Verbose || r.History != nil
	var b strings.Builder
	lines := func(texts []string) {
		for _, text := range texts {
			of := []string{unit.Printable(text)}
			if !full {
				of = broken(text, o.columns())
			}
			b.WriteString(strings.Join(of, "\n") + "\n")
		}
	}
	if r.History == nil {
		lines(report.Headline(r))
	}
	for _, line := range header(r, full) { // names in them can be searched for
		b.WriteString(unit.Printable(line) + "\n")
	}
	if full {
		writeFull(&b, r, o)
	} else {
		for i, of := range byTable(r) {
			if i > 0 {
				b.WriteByte('\n')
			}
			b.WriteString(newGlance(r, i, of).text(o))
		}
	}
	if r.Settings.Items {
		lines(changedItems(r))
	}
	lines(notes(r, full))
	_, err := io.WriteString(w, b.String())
	return err
}

// writeFull writes tables with all columns, and the verdicts in words.
func writeFull(b *strings.Builder, r *report.Report, o Options) {
	lines := func(texts []string) {
		for _, text := range texts {
			b.WriteString(unit.Printable(text) + "\n")
		}
	}
	d := newDocument(r, false)
	for i := range d.Tables {
		t := &d.Tables[i]
		if i > 0 {
			b.WriteByte('\n')
		}
		lines(t.Keys)
		if r.History != nil {
			b.WriteString(historyText(r, t, i, o))
		} else {
			b.WriteString(layOut(t, o.Color).String()) // all columns were asked for
		}
		lines(t.Below)
		for _, text := range t.Texts {
			b.WriteString("\n" + text)
		}
	}
	if r.Settings.Verbose && len(d.Notes) > 0 {
		b.WriteByte('\n')
	}
}

// sgr are the colors of moods.
var sgr = map[mood]string{good: "32", bad: "31", doubtful: "33"}

// layOut lays out a table with all of its columns.
func layOut(t *sheet, color bool) *texttab.Table {
	var groups []texttab.Group
	for _, g := range t.Groups {
		group := texttab.Group{Title: unit.Printable(g.Title)}
		for _, c := range g.Columns {
			group.Columns = append(group.Columns, texttab.Column{
				Title: unit.Printable(c.Title),
				Align: c.Align, TitleAlign: c.TitleAlign,
			})
		}
		groups = append(groups, group)
	}
	table := texttab.New(groups...)
	for _, text := range t.Notes {
		table.Note(unit.Printable(text)) // its mark is in the cells
	}
	for _, row := range t.Rows {
		table.Row(row.Texts(unit.Printable)...)
		for i, c := range row.Cells {
			if color && c.Mood != neutral {
				table.Color(i, sgr[c.Mood])
			}
		}
	}
	return table
}
