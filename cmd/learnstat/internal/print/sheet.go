package print

import (
	"slices"

	"github.com/learnbench/learnbench/internal/texttab"
	"github.com/learnbench/learnbench/learntest/unit"
)

// Options are about where the output goes.
type Options struct {
	Color bool
	Width int // that lines have; 0 for DefaultWidth
}

// columns returns how wide lines are.
func (o Options) columns() int {
	if o.Width == 0 {
		return DefaultWidth
	}
	return o.Width
}

// A sheet is a table in words: a label and texts in each line.
type sheet struct {
	Title  string   // with the keys
	Keys   []string // lines
	Groups []group  // the first has the labels
	Rows   []line
	Notes  []string // footnotes, whose marks (texttab.Mark) are in cells
	Below  []string // lines
	Texts  []string // of whole verdicts, of several lines each, that are escaped
}

// A group is columns with a common title.
type group struct {
	Title   string
	Columns []column
}

// A column has a title and says how it is laid out.
type column struct {
	Title             string
	Align, TitleAlign texttab.Align
}

// Columns returns the columns of all groups, for a format that has no groups: the title of one
// stands in its first column.
func (t *sheet) Columns() []column {
	var columns []column
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
func (t *sheet) Footnotes() []string {
	notes := make([]string, len(t.Notes))
	for i, text := range t.Notes {
		notes[i] = texttab.Mark(i+1) + " " + text
	}
	return notes
}

// A line has a cell for each column.
type line struct {
	Cells []cell
	Bad   bool // the gate fails on it, or it could not be judged
}

// Texts returns the texts of the cells, each escaped.
func (r *line) Texts(escape func(string) string) []string {
	texts := make([]string, len(r.Cells))
	for i, c := range r.Cells {
		texts[i] = escape(c.Text)
	}
	return texts
}

// A cell is a text.
type cell struct {
	Text  string
	Mood  mood
	notes []string // to be numbered
}

// number gives the footnotes of the cells their marks. The same text has the same mark.
func (t *sheet) number() {
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

// A mood says whether a text is good news.
type mood uint8

// The moods.
const (
	neutral mood = iota
	good
	bad
	doubtful
)
