package print

import (
	"fmt"
	"strings"

	"github.com/learnbench/learnbench/cmd/learnstat/internal/report"
	"github.com/learnbench/learnbench/internal/texttab"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// widestHead is how wide the title of a learner in a matrix may be; longer ones are numbers, with a
// legend.
const widestHead = 9

// matrix returns the changes of all rows, data sets by learners, in the place of rows in which
// nothing was shown; nil if the table is short.
func (g *glance) matrix(width int) []string {
	m := report.MatrixOf(g.r, g.index)
	if m == nil {
		return nil
	}
	marks := make(map[report.At]string)
	var rows []glanceRow
	for _, row := range g.rows {
		marks[row.At] = row.mark
		g.used[row.mark] = true
		if o := row.comparison.Outcome; row.matters || o == verdict.Regressed.String() ||
			o == verdict.Improved.String() {
			rows = append(rows, row)
		}
	}
	g.rows, g.used[equal] = rows, g.used[equal] || len(marks) < len(m.Rows)*len(m.Columns)
	lines := []string{"all changes (-v has their intervals):"}
	heads := make([]string, len(m.Columns))
	var legend []string
	for j, name := range m.Columns {
		if heads[j] = name; texttab.Width(unit.Printable(name)) > widestHead {
			legend = append(legend, fmt.Sprintf("(%d) %s", len(legend)+1, name))
			heads[j] = fmt.Sprintf("(%d)", len(legend))
		}
	}
	for first := 0; first < len(heads); {
		table, next := g.block(m, heads, marks, first, width)
		lines = append(lines, strings.Split(strings.TrimSuffix(table, "\n"), "\n")...)
		first = next
	}
	return append(lines, legend...)
}

// block returns as many columns of a matrix as there is room for, at least one, and the first
// column that is left.
func (g *glance) block(m *report.Matrix, heads []string, marks map[report.At]string, first,
	width int,
) (string, int) {
	text := ""
	for next := first + 1; ; next++ {
		columns := []texttab.Column{{}}
		for _, h := range heads[first:next] {
			columns = append(columns, texttab.Column{
				Title: unit.Printable(h), Align: texttab.Right,
				TitleAlign: texttab.Right,
			})
		}
		t := texttab.New(texttab.Group{Columns: columns})
		for i, name := range m.Rows {
			cells := []string{unit.Printable(name)}
			for j := first; j < next; j++ {
				cells = append(cells, g.matrixCell(m.Cells[i][j], marks))
			}
			t.Row(cells...)
		}
		if next > first+1 && t.Width() > width {
			return text, next - 1
		}
		if text = t.String(); next == len(heads) {
			return text, next
		}
	}
}

// matrixCell is the change of a comparison with its mark.
func (g *glance) matrixCell(c *report.Comparison, marks map[report.At]string) string {
	switch {
	case c == nil:
		return ""
	case marks[c.At] == "":
		return equal
	case !c.Judged():
		return marks[c.At]
	}
	return strings.TrimSuffix(g.unit.FormatDifference(float64(c.Difference)), " points") +
		" " + marks[c.At]
}
