// Package view is a report in words: tables of texts with titles, notes and the sentences that
// say what was found. A format lays that out and escapes it; nothing here is escaped.
package print

import (
	"fmt"
	"slices"

	"github.com/learnbench/learnbench/cmd/learnstat/internal/report"
	"github.com/learnbench/learnbench/internal/texttab"
	"github.com/learnbench/learnbench/learntest/unit"
)

// A Document is a report in words.
type Document struct {
	Result    string   // what the exit status says, in a line
	Undecided string   // what a gate lets pass that it could not decide, in a line
	Problems  []string // why something could not be judged
	Header    []string // lines, of which those that begin with a space continue the one before
	Tables    []Table
	Notes     []string
}

// A Table has a label and texts in each row.
type Table struct {
	Title  string   // with the keys
	Keys   []string // lines
	Groups []Group  // the first is that of the labels
	Rows   []Row
	Notes  []string // footnotes, whose marks (texttab.Mark) are in cells
	Below  []string // lines
	Texts  []string // of whole verdicts, of several lines each, that are escaped
}

// A Group is columns with a common title.
type Group struct {
	Title   string
	Columns []Column
}

// A Column has a title and says how it is laid out.
type Column struct {
	Title             string
	Align, TitleAlign texttab.Align
	Spare             int // if above 0, up to Degrees, it is left out where there is no room, those with 1 first
}

// Degrees is how often something can be left out for want of room.
const Degrees = 2

// Without returns the table without the columns that can be spared up to a degree.
func (t *Table) Without(degree int) *Table {
	keep := func(c Column) bool { return c.Spare == 0 || c.Spare > degree }
	less := *t
	less.Groups, less.Rows = nil, make([]Row, len(t.Rows))
	at := 0
	for _, g := range t.Groups {
		group := Group{Title: g.Title}
		for _, c := range g.Columns {
			if keep(c) {
				group.Columns = append(group.Columns, c)
				for i := range t.Rows {
					less.Rows[i].Cells = append(less.Rows[i].Cells, t.Rows[i].Cells[at])
				}
			}
			at++
		}
		less.Groups = append(less.Groups, group)
	}
	return &less
}

// Columns returns the columns of all groups, for a format that has no groups: the title of one
// stands in its first column.
func (t *Table) Columns() []Column {
	var columns []Column
	for _, g := range t.Groups {
		for i, c := range g.Columns {
			if i == 0 && g.Title != "" {
				c.Title = g.Title
			}
			columns = append(columns, c)
		}
	}
	return columns
}

// Footnotes returns the notes with their marks.
func (t *Table) Footnotes() []string {
	notes := make([]string, len(t.Notes))
	for i, text := range t.Notes {
		notes[i] = texttab.Mark(i+1) + " " + text
	}
	return notes
}

// A Row has a cell for each column.
type Row struct {
	Cells []Cell
	Bad   bool // the gate fails on it, or it could not be judged
}

// Texts returns the texts of the cells, each escaped.
func (r *Row) Texts(escape func(string) string) []string {
	texts := make([]string, len(r.Cells))
	for i, c := range r.Cells {
		texts[i] = escape(c.Text)
	}
	return texts
}

// A Cell is a text.
type Cell struct {
	Text  string
	Mood  Mood
	notes []string // to be numbered
}

// number gives the footnotes of the cells their marks. The same text has the same mark.
func (t *Table) number() {
	index := make(map[string]int)
	for i := range t.Rows {
		for j := range t.Rows[i].Cells {
			c := &t.Rows[i].Cells[j]
			var seen []int
			for _, text := range c.notes {
				text = unit.Printable(text)
				if index[text] == 0 {
					t.Notes = append(t.Notes, text)
					index[text] = len(t.Notes)
				}
				if n := index[text]; !slices.Contains(seen, n) {
					seen = append(seen, n)
					c.Text += " " + texttab.Mark(n)
				}
			}
		}
	}
}

// A Mood says whether a text is good news.
type Mood uint8

// The moods.
const (
	Neutral Mood = iota
	Good
	Bad
	Doubtful
)

// A Shape says how comparisons are arranged.
type Shape uint8

// The shapes.
const (
	Wide Shape = iota // as in the report: a row for each row, a group for each column
	Long              // a row for each comparison, the worst first
)

// New returns a report in words.
func New(r *report.Report, s Shape) *Document {
	d := &Document{Result: r.Result(), Undecided: r.Undecided(), Problems: r.Problems, Header: header(r)}
	if r.History != nil {
		d.Tables, d.Notes = historyTables(r), slices.Concat(r.Notes, historyNotes(r))
		return d
	}
	byTable := make([][]report.Ranked, len(r.Tables))
	if s == Long {
		for _, x := range r.Worst() {
			byTable[x.Table] = append(byTable[x.Table], x)
		}
	}
	for i := range r.Tables {
		d.Tables = append(d.Tables, newTable(r, i, s, byTable[i]))
	}
	d.Notes = slices.Concat(r.Notes, family(r), sparse(r))
	return d
}

// family returns the note on false alarms among several comparisons.
func family(r *report.Report) []string {
	n := r.Judged()
	if n < 2 {
		return nil
	}
	if !r.Settings.Adjusts() {
		return []string{fmt.Sprintf("%d comparisons at level %.4g: without any difference, expect up to %.2g false alarms; see -adjust",
			n, r.Settings.Alpha, float64(n)*r.Settings.Alpha)}
	}
	if !slices.ContainsFunc(r.Tables, func(t report.Table) bool { return t.Judged() > 1 }) {
		return nil
	}
	return []string{fmt.Sprintf("%s is p adjusted for the number of comparisons in the table; -fail-on improved and regressed go by it", r.Settings.Adjust)}
}

// sparse returns the note on what is not shown of very many comparisons.
func sparse(r *report.Report) []string {
	if !r.Many() || slices.ContainsFunc(r.Tables, func(t report.Table) bool { return hasCounted(&t) }) {
		return nil
	}
	return []string{fmt.Sprintf("R is not shown of more than %d comparisons; -format csv and json have it, with its interval", report.ManyComparisons)}
}
