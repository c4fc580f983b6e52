package print

import (
	"github.com/learnbench/learnbench/internal/texttab"
	"github.com/learnbench/learnbench/learntest/unit"
)

// fitted lays out a table so that it fits the terminal, if it can: what can be spared is left out
// of one that is too wide.
func fitted(t *Table, o Options) string {
	table := layOut(t, o.Color)
	for degree := 1; degree <= Degrees && o.Width > 0 && table.Width() > o.Width; degree++ {
		table = layOut(t.Without(degree), o.Color)
		table.Note("columns that the terminal has no room for are left out; -format csv has them all")
	}
	return table.String()
}

// sgr are the colors of moods.
var sgr = map[Mood]string{Good: "32", Bad: "31", Doubtful: "33"}

// layOut lays out a table with all of its columns.
func layOut(t *Table, color bool) *texttab.Table {
	var groups []texttab.Group
	for _, g := range t.Groups {
		group := texttab.Group{Title: unit.Printable(g.Title)}
		for _, c := range g.Columns {
			group.Columns = append(group.Columns, texttab.Column{Title: unit.Printable(c.Title), Align: c.Align, TitleAlign: c.TitleAlign})
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
			if color && c.Mood != Neutral {
				table.Color(i, sgr[c.Mood])
			}
		}
	}
	return table
}
