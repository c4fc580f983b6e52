package print

import (
	"fmt"
	"slices"

	"github.com/learnbench/learnbench/cmd/learnstat/internal/report"
	"github.com/learnbench/learnbench/internal/texttab"
	"github.com/learnbench/learnbench/learntest/unit"
)

// A field is a column beside the mean of a candidate. Where there is no verdict, all but the last
// are empty.
type field struct {
	Column
	cell func(v *report.Verdict) Cell
	over func(o *report.Over, c *report.OverColumn) Cell // over data sets; nil if there is nothing
}

// A tableView is a table in the making.
type tableView struct {
	r       *report.Report
	t       *report.Table
	unit    unit.Unit
	columns []int // of the report that have anything in the table
	fields  []field
	long    bool
}

func newTable(r *report.Report, i int, s Shape, worst []report.Ranked) Table {
	v := &tableView{r: r, t: &r.Tables[i], unit: r.Tables[i].Measure(), long: s == Long}
	v.columns, v.fields = filled(r, v.t), v.newFields()
	table := Table{Title: v.t.Metric, Groups: v.groups()}
	for _, k := range v.t.Keys {
		table.Keys = append(table.Keys, k.Key+": "+k.Value)
		table.Title += ", " + k.Key + ": " + k.Value
	}
	if v.long {
		v.longRows(&table, worst)
	} else {
		v.rows(&table)
	}
	v.overRows(&table)
	table.number()
	table.Below = below(r, v.t)
	for c := range v.t.All() {
		if r.Settings.Verbose && c.Full != nil {
			table.Texts = append(table.Texts, c.Full.Text)
		}
	}
	return table
}

// filled returns the columns that have anything in the table.
func filled(r *report.Report, t *report.Table) []int {
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

// groups returns the columns of the table. The long form of more than two names the column.
func (v *tableView) groups() []Group {
	mean := rightColumn(v.t.Metric)
	groups := []Group{{Columns: []Column{{}}}}
	columns := v.columns
	if v.long {
		columns = columns[:min(2, len(columns))]
	}
	for i, c := range columns {
		g := Group{Title: v.r.Columns[c].Title, Columns: []Column{mean}}
		if i > 0 {
			if v.long && len(v.columns) > 2 {
				g = Group{Columns: []Column{{Title: "column"}, mean}}
			}
			for _, f := range v.fields {
				g.Columns = append(g.Columns, f.Column)
			}
		}
		groups = append(groups, g)
	}
	return groups
}

func (v *tableView) rows(table *Table) {
	for i := range v.t.Rows {
		row := &v.t.Rows[i]
		cells := []Cell{{Text: row.Label}}
		for j, c := range v.columns {
			cells = append(cells, Cell{Text: formatMean(v.unit, row.Cells[c].Mean)})
			if j > 0 {
				cells = append(cells, v.verdictCells(&row.Cells[c])...)
			}
		}
		table.Rows = append(table.Rows, Row{Cells: cells})
	}
}

// longRows adds a row for each comparison.
func (v *tableView) longRows(table *Table, comparisons []report.Ranked) {
	for _, x := range comparisons {
		c := v.r.Comparison(x.At)
		cells := []Cell{{Text: c.Row.Label}, {Text: formatMean(v.unit, c.Base.Mean)}}
		if len(v.columns) > 2 {
			cells = append(cells, Cell{Text: v.r.Columns[x.Column].Label})
		}
		cells = append(cells, Cell{Text: formatMean(v.unit, c.Cell.Mean)})
		cells = append(cells, v.verdictCells(c.Cell)...)
		if x.Waived != "" {
			cells[len(cells)-1].Text += ", waived: " + x.Waived
		}
		table.Rows = append(table.Rows, Row{cells, x.Bad()})
	}
}

// newFields returns what stands beside the mean of a candidate.
func (v *tableView) newFields() []field {
	fields := []field{
		{rightColumn("vs base"), v.difference, func(_ *report.Over, c *report.OverColumn) Cell {
			return Cell{Text: v.unit.FormatDifference(float64(c.Difference))}
		}},
		{intervalColumn(v.r, v.unit), func(w *report.Verdict) Cell { return Cell{Text: formatInterval(v.unit, w)} }, nil},
		{Column{}, func(w *report.Verdict) Cell {
			return Cell{Text: fmt.Sprintf("(p=%s n=%d×%d)", unit.FormatP(float64(w.P)), w.Runs, w.Folds)}
		}, func(o *report.Over, c *report.OverColumn) Cell {
			return Cell{Text: fmt.Sprintf("(p=%s %s)", unit.FormatP(float64(c.P)), o.Test)}
		}},
	}
	if has(v.t, func(w *report.Verdict) bool { return w.Bayes != nil }) {
		fields = append(fields, field{Column{Title: "P(worse rope better)", Align: texttab.Right}, func(w *report.Verdict) Cell { return Cell{Text: formatRegions(w.Bayes)} }, nil})
	}
	if v.r.Adjusts(v.t) {
		fields = append(fields, field{rightColumn(v.r.Settings.Adjust), func(w *report.Verdict) Cell { return Cell{Text: unit.FormatP(float64(w.AdjustedP))} }, nil})
	}
	if rerun, ok := v.rerun(); ok {
		fields = append(fields, rerun)
	}
	return append(fields, field{Column{Title: "verdict"}, outcome, overCounts})
}

// rightColumn is a column of numbers.
func rightColumn(title string) Column {
	return Column{Title: title, Align: texttab.Right, TitleAlign: texttab.Center}
}

// has reports whether a verdict of the table has something.
func has(t *report.Table, what func(*report.Verdict) bool) bool {
	for c := range t.All() {
		if c.Judged() && what(c.Verdict) {
			return true
		}
	}
	return false
}

// level returns that of the intervals: of a one-sided test, the one that goes with it.
func level(r *report.Report) float64 {
	if r.Settings.Tail != "both" {
		return 1 - 2*r.Settings.Alpha
	}
	return 1 - r.Settings.Alpha
}

// verdictCells returns what stands beside the mean of a cell.
func (v *tableView) verdictCells(c *report.Cell) []Cell {
	cells := make([]Cell, len(v.fields))
	if c.Verdict == nil {
		return cells
	}
	last := len(cells) - 1
	if !c.Judged() {
		cells[0].Mood, cells[last] = Doubtful, Cell{Text: c.Verdict.Outcome, Mood: Doubtful}
		return cells
	}
	for i, f := range v.fields {
		cells[i] = f.cell(c.Verdict)
	}
	cells[0].Mood, cells[last].Mood = moods[c.Verdict.Outcome], moods[c.Verdict.Outcome]
	return cells
}

func (v *tableView) difference(w *report.Verdict) Cell {
	if w.Significant == 0 {
		return Cell{Text: "~"}
	}
	return Cell{Text: v.unit.FormatDifference(float64(w.Difference))}
}

func outcome(w *report.Verdict) Cell { return Cell{Text: w.Outcome, notes: w.Notes} }

// wideRerun is how wide an interval of R may be for R to stand alone.
const wideRerun = 0.1

// rerun returns the column with R, unless there is none or there are too many comparisons for it:
// one that is predicted has its interval where that is wide, one that is counted its count.
func (v *tableView) rerun() (field, bool) {
	if v.r.Many() && !hasCounted(v.t) {
		return field{}, false
	}
	title := "R"
	if has(v.t, func(w *report.Verdict) bool { return w.Rerun != nil && wide(w.Rerun) }) {
		title = "R (90% interval)"
	}
	return field{Column{Title: title, TitleAlign: texttab.Center, Spare: 1}, func(w *report.Verdict) Cell { return Cell{Text: formatRerun(w.Rerun)} }, nil}, true
}

// hasCounted reports whether an R of the table is counted, which costs what was asked for.
func hasCounted(t *report.Table) bool {
	return has(t, func(w *report.Verdict) bool { return w.Rerun != nil && w.Rerun.Repeats > 0 })
}

func wide(r *report.Rerun) bool { return r.Repeats == 0 && float64(r.Hi-r.Lo) > wideRerun }

func formatRerun(r *report.Rerun) string {
	switch {
	case r == nil:
		return ""
	case r.Repeats > 0:
		return fmt.Sprintf("%.3f (%d of %d)", float64(r.R), r.Agreeing, r.Repeats)
	case wide(r):
		return fmt.Sprintf("%.3f (%.2f–%.2f)", float64(r.R), float64(r.Lo), float64(r.Hi))
	}
	return fmt.Sprintf("%.3f", float64(r.R))
}

func formatMean(u unit.Unit, x report.Number) string {
	if x.IsNaN() {
		return ""
	}
	return u.FormatScore(float64(x))
}
