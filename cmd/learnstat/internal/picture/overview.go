package picture

import (
	"slices"
	"strings"

	"github.com/learnbench/learnbench/cmd/learnstat/internal/report"
	"github.com/learnbench/learnbench/internal/htmlreport"
	"github.com/learnbench/learnbench/learntest/unit"
)

// shared takes the facts from the rows that all of them have, of two or more, and returns the facts
// that the header of the page does not have.
func shared(rows []htmlreport.Row, header []report.Line) []htmlreport.Line {
	if len(rows) < 2 {
		return nil
	}
	all := slices.DeleteFunc(slices.Clone(rows[0].Facts), func(l htmlreport.Line) bool {
		return slices.ContainsFunc(rows, func(r htmlreport.Row) bool {
			return !slices.Contains(r.Facts,
				l)
		})
	})
	for i := range rows {
		rows[i].Facts = slices.DeleteFunc(rows[i].Facts,
			func(l htmlreport.Line) bool { return slices.Contains(all, l) })
	}
	return slices.DeleteFunc(all, func(l htmlreport.Line) bool {
		return slices.ContainsFunc(header,
			func(h report.Line) bool { return h.Key == strings.TrimSuffix(l.Key, "s") })
	})
}

// matrix returns the overview of a table with very many comparisons, the rows first that matter
// most; nil if it has few.
func (s *Source) matrix(t int, order []report.Ranked) *htmlreport.Matrix {
	m := report.MatrixOf(s.Report, t)
	if m == nil {
		return nil
	}
	u := s.Report.Tables[t].Measure()
	x := &htmlreport.Matrix{
		About:   "Differences of all rows, which are below.",
		Columns: printable(m.Columns),
	}
	rank := make(map[report.At]int)
	for i, o := range order {
		rank[o.At] = i
	}
	rows := make([]int, len(m.Rows))
	best := make([]int, len(m.Rows))
	for i := range rows {
		rows[i], best[i] = i, len(order)
		for _, c := range m.Cells[i] {
			if c != nil {
				best[i] = min(best[i], rank[c.At])
			}
		}
	}
	slices.SortStableFunc(rows, func(a, b int) int { return best[a] - best[b] })
	for _, i := range rows {
		row := htmlreport.MatrixRow{Label: unit.Printable(m.Rows[i])}
		for _, c := range m.Cells[i] {
			var cell htmlreport.MatrixCell
			if c != nil {
				cell.Outcome, cell.Offends = c.Outcome, s.offends(c.At)
				if c.Judged() {
					cell.Text = strings.TrimSuffix(u.FormatDifference(float64(c.Difference)), " points")
				}
			}
			row.Cells = append(row.Cells, cell)
		}
		x.Rows = append(x.Rows, row)
	}
	return x
}

// digests returns a line on each data set: its digest and the digests of its partitions.
func (s *Source) digests() []htmlreport.Line {
	partitions := make(map[string][]string)
	for c := range s.Report.All() {
		if f := c.Full; f != nil && !slices.Contains(partitions[c.Cell.Data], f.SplitSHA256) {
			partitions[c.Cell.Data] = append(partitions[c.Cell.Data], f.SplitSHA256)
		}
	}
	var lines []htmlreport.Line
	for _, d := range s.Report.Data {
		text := "sha256 " + d.SHA256
		if p := partitions[d.Name]; p != nil {
			text += ", partitions " + strings.Join(p, " and ")
		}
		if d.Target != "" {
			text += ", " + d.Target
		}
		lines = append(lines, htmlreport.Line{Key: unit.Printable(d.Name), Value: unit.Printable(text)})
	}
	return lines
}
