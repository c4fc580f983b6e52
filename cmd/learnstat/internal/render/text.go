package render

import (
	"io"
	"strings"

	"github.com/learnbench/learnbench/cmd/learnstat/internal/report"
	"github.com/learnbench/learnbench/cmd/learnstat/internal/view"
	"github.com/learnbench/learnbench/internal/texttab"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// Text writes the header, the tables and the notes, or nothing if nothing was judged.
func Text(w io.Writer, r *report.Report, o Options) error {
	if r.Empty() {
		return nil
	}
	var b strings.Builder
	lines := func(texts []string) {
		for _, text := range texts {
			b.WriteString(verdict.Printable(text) + "\n")
		}
	}
	d := view.New(r, view.Wide)
	lines(d.Header)
	for i := range d.Tables {
		t := &d.Tables[i]
		if i > 0 {
			b.WriteByte('\n')
		}
		lines(t.Keys)
		b.WriteString(fitted(t, o))
		lines(t.Below)
		for _, text := range t.Texts {
			b.WriteString("\n" + text)
		}
	}
	if r.Settings.Verbose && len(d.Notes) > 0 {
		b.WriteByte('\n')
	}
	lines(d.Notes)
	_, err := io.WriteString(w, b.String())
	return err
}

// fitted lays out a table so that it fits the terminal, if it can: what can be spared is left out
// of one that is too wide.
func fitted(t *view.Table, o Options) string {
	table := layOut(t, o.Color)
	for degree := 1; degree <= view.Degrees && o.Width > 0 && table.Width() > o.Width; degree++ {
		table = layOut(t.Without(degree), o.Color)
		table.Note("columns that the terminal has no room for are left out; -format csv has them all")
	}
	return table.String()
}

// sgr are the colors of moods.
var sgr = map[view.Mood]string{view.Good: "32", view.Bad: "31", view.Doubtful: "33"}

func layOut(t *view.Table, color bool) *texttab.Table {
	var groups []texttab.Group
	for _, g := range t.Groups {
		group := texttab.Group{Title: verdict.Printable(g.Title)}
		for _, c := range g.Columns {
			group.Columns = append(group.Columns, texttab.Column{Title: verdict.Printable(c.Title), Align: c.Align, TitleAlign: c.TitleAlign})
		}
		groups = append(groups, group)
	}
	table := texttab.New(groups...)
	for _, text := range t.Notes {
		table.Note(verdict.Printable(text)) // its mark is in the cells
	}
	for _, row := range t.Rows {
		cells := make([]string, len(row.Cells))
		for i, c := range row.Cells {
			cells[i] = verdict.Printable(c.Text)
		}
		table.Row(cells...)
		for i, c := range row.Cells {
			if color && c.Mood != view.Neutral {
				table.Color(i, sgr[c.Mood])
			}
		}
	}
	return table
}
