package render

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/learnbench/learnbench/cmd/learnstat/internal/report"
	"github.com/learnbench/learnbench/internal/texttab"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// Text writes the header, a table for each metric and the notes, or nothing if
// nothing was judged.
func Text(w io.Writer, r *report.Report, o Options) error {
	if r.Judged() == 0 {
		return nil
	}
	var b strings.Builder
	writeHeader(&b, r)
	for i := range r.Tables {
		t := &r.Tables[i]
		if i > 0 {
			b.WriteByte('\n')
		}
		for _, k := range t.Keys {
			b.WriteString(verdict.Printable(k.Key+": "+k.Value) + "\n")
		}
		b.WriteString(fitted(r, t, o).String())
		writeOver(&b, r, t)
		if r.Settings.Verbose {
			for _, row := range t.Rows {
				for _, c := range row.Cells {
					if c.Verdict != nil && c.Verdict.Full != nil {
						b.WriteString("\n" + c.Verdict.Full.Text)
					}
				}
			}
		}
	}
	for i, text := range slices.Concat(r.Notes, family(r)) {
		if i == 0 && r.Settings.Verbose {
			b.WriteByte('\n')
		}
		b.WriteString(verdict.Printable(text) + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// fitted lays out a table so that it fits the terminal, if it can: the replicability, and then
// the intervals, are left out of one that is too wide.
func fitted(r *report.Report, t *report.Table, o Options) *texttab.Table {
	var table *texttab.Table
	for _, o.omit = range [...]int{0, 1, 2} {
		if table = textTable(r, t, o); o.Width == 0 || table.Width() <= o.Width {
			break
		}
	}
	if o.omit > 0 {
		table.Note("columns that the terminal has no room for are left out; -format csv has them all")
	}
	return table
}

// textTable lays out a table.
func textTable(r *report.Report, t *report.Table, o Options) *texttab.Table {
	u := record.Unit{Name: t.Metric}
	if t.Unit != nil {
		u = t.Unit.Record()
	}
	columns := tableColumns(r, t)
	groups := []texttab.Group{{Columns: []texttab.Column{{}}}}
	for i, c := range columns {
		g := texttab.Group{Title: verdict.Printable(r.Columns[c].Title), Columns: []texttab.Column{
			{Title: verdict.Printable(t.Metric), Align: texttab.Right, TitleAlign: texttab.Center},
		}}
		if i > 0 {
			g.Columns = append(g.Columns, verdictColumns(r, t, u, o)...)
		}
		groups = append(groups, g)
	}
	table, adjust, bayes := texttab.New(groups...), adjusted(r, t), bayesian(t)
	for i := range t.Rows {
		row := &t.Rows[i]
		cells := []string{verdict.Printable(row.Label)}
		colors := make(map[int]string)
		for j, c := range columns {
			cell := &row.Cells[c]
			cells = append(cells, formatMean(u, cell))
			if j > 0 {
				first := len(cells)
				cells = append(cells, verdictCells(table, u, cell, adjust, bayes, o)...)
				colors[first], colors[len(cells)-1] = color(cell, o), color(cell, o)
			}
		}
		table.Row(cells...)
		for at, sgr := range colors {
			table.Color(at, sgr)
		}
	}
	overRows(table, r, t, u, columns, o)
	return table
}

// tableColumns returns the columns that have anything in the table.
func tableColumns(r *report.Report, t *report.Table) []int {
	var columns []int
	for i := range r.Columns {
		if slices.ContainsFunc(t.Rows, func(row report.Row) bool {
			return row.Cells[i].Learner != "" || row.Cells[i].Data != "" || row.Cells[i].Verdict != nil || i == 0
		}) {
			columns = append(columns, i)
		}
	}
	return columns
}

func verdictColumns(r *report.Report, t *report.Table, u record.Unit, o Options) []texttab.Column {
	level := 1 - r.Settings.Alpha
	if r.Settings.Tail != "both" {
		level -= r.Settings.Alpha // the interval that goes with a one-sided test
	}
	interval := fmt.Sprintf("%.4g%% interval", 100*level)
	if verdict.IsFraction(u) {
		interval += ", points"
	}
	columns := []texttab.Column{{Title: "vs base", Align: texttab.Right, TitleAlign: texttab.Center}}
	if o.omit < 2 {
		columns = append(columns, texttab.Column{Title: interval, Align: texttab.Right, TitleAlign: texttab.Center})
	}
	columns = append(columns, texttab.Column{})
	if bayesian(t) {
		columns = append(columns, texttab.Column{Title: "P(worse rope better)", Align: texttab.Right})
	}
	if adjusted(r, t) {
		columns = append(columns, texttab.Column{Title: r.Settings.Adjust, Align: texttab.Right, TitleAlign: texttab.Center})
	}
	if o.omit < 1 {
		columns = append(columns, texttab.Column{Title: "R", Align: texttab.Right, TitleAlign: texttab.Center})
	}
	return append(columns, texttab.Column{Title: "verdict"})
}

// adjusted reports whether the table has a column for p adjusted for its comparisons.
func adjusted(r *report.Report, t *report.Table) bool {
	return r.Settings.Adjust != noAdjustment && t.Judged() > 1
}

const noAdjustment = "none"

func formatMean(u record.Unit, c *report.Cell) string {
	if c.Mean.IsNaN() {
		return ""
	}
	return verdict.FormatScore(u, float64(c.Mean))
}

// verdictCells returns what stands beside the mean of a cell.
func verdictCells(t *texttab.Table, u record.Unit, c *report.Cell, adjust, bayes bool, o Options) []string {
	v := c.Verdict
	empty := make([]string, 4-o.omit, 6)
	if adjust {
		empty = append(empty, "")
	}
	if bayes {
		empty = append(empty, "")
	}
	switch {
	case v == nil:
		return append(empty, "")
	case !c.Judged():
		return append(empty, v.Outcome)
	}
	difference, interval, replicability := "~", "", ""
	if v.Significant != 0 {
		difference = verdict.FormatDifference(u, float64(v.Difference))
	}
	if !v.Lo.IsNaN() {
		interval = strings.TrimSuffix(verdict.FormatInterval(u, float64(v.Lo), float64(v.Hi)), " points")
	}
	if v.Rerun != nil {
		replicability = fmt.Sprintf("%.3f", float64(v.Rerun.R))
	}
	cells := []string{difference}
	if o.omit < 2 {
		cells = append(cells, interval)
	}
	cells = append(cells, fmt.Sprintf("(p=%s n=%d×%d)", verdict.FormatP(float64(v.P)), v.Runs, v.Folds))
	if bayes {
		cells = append(cells, formatRegions(v.Bayes))
	}
	if adjust {
		cells = append(cells, verdict.FormatP(float64(v.AdjustedP)))
	}
	if o.omit < 1 {
		cells = append(cells, replicability)
	}
	return append(cells, v.Outcome+marks(t, v))
}

// color returns that of a verdict, by what is better for the metric: green, red, or yellow for
// what could not be judged.
func color(c *report.Cell, o Options) string {
	switch {
	case !o.Color || c.Verdict == nil:
		return ""
	case !c.Judged():
		return "33"
	case c.Verdict.Outcome == verdict.Improved.String():
		return "32"
	case c.Verdict.Outcome == verdict.Regressed.String():
		return "31"
	}
	return ""
}

// marks returns the marks of the footnotes of a verdict.
func marks(t *texttab.Table, v *report.Verdict) string {
	var marks []string
	for _, text := range v.Notes {
		if m := t.Note(verdict.Printable(text)); !slices.Contains(marks, m) {
			marks = append(marks, m)
		}
	}
	if marks == nil {
		return ""
	}
	return " " + strings.Join(marks, " ")
}

// family returns the note on false alarms among several comparisons.
func family(r *report.Report) []string {
	n := r.Judged()
	if n < 2 {
		return nil
	}
	if r.Settings.Adjust == noAdjustment {
		return []string{fmt.Sprintf("%d comparisons at level %.4g: without any difference, expect up to %.2g false alarms; see -adjust",
			n, r.Settings.Alpha, float64(n)*r.Settings.Alpha)}
	}
	if !slices.ContainsFunc(r.Tables, func(t report.Table) bool { return t.Judged() > 1 }) {
		return nil
	}
	return []string{fmt.Sprintf("%s is p adjusted for the number of comparisons in the table; -fail-on improved and regressed go by it", r.Settings.Adjust)}
}
