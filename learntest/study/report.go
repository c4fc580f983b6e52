package study

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// A Report has the tables of a study.
type Report struct {
	Tables []Table // in the order in which they are to be read
}

// A Table is a part of a report.
type Table struct {
	Title   string     // its heading
	Notes   []string   // paragraphs above the rows
	Columns []string   // the first is of labels, the others of figures
	Rows    [][]string // cells in the text of the report
}

// String returns the report as Markdown.
func (r *Report) String() string {
	parts := make([]string, len(r.Tables))
	for i := range r.Tables {
		parts[i] = r.Tables[i].String()
	}
	return strings.Join(parts, "\n")
}

// Add adds a row, with figures formatted as a whole.
func (t *Table) Add(cells ...string) { t.Rows = append(t.Rows, cells) }

// String returns the table as Markdown, with columns of equal width.
func (t *Table) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "## %s\n\n", t.Title)
	for _, n := range t.Notes {
		fmt.Fprintf(&b, "%s\n\n", n)
	}
	width := make([]int, len(t.Columns))
	for _, row := range append([][]string{t.Columns}, t.Rows...) {
		for i, cell := range row {
			width[i] = max(width[i], 3, utf8.RuneCountInString(cell))
		}
	}
	line := func(cell func(i int) string) {
		for i := range t.Columns {
			fmt.Fprintf(&b, "| %s ", cell(i))
		}
		b.WriteString("|\n")
	}
	row := func(cells []string) {
		line(func(i int) string {
			pad := strings.Repeat(" ", width[i]-utf8.RuneCountInString(cells[i]))
			if i == 0 {
				return cells[i] + pad
			}
			return pad + cells[i]
		})
	}
	row(t.Columns)
	line(func(i int) string {
		if i == 0 {
			return strings.Repeat("-", width[i])
		}
		return strings.Repeat("-", width[i]-1) + ":"
	})
	for _, r := range t.Rows {
		row(r)
	}
	return b.String()
}
