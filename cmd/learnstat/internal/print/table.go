package print

import (
	"fmt"
	"slices"

	"github.com/learnbench/learnbench/cmd/learnstat/internal/report"
	"github.com/learnbench/learnbench/learntest/unit"
)

// A tableView is a table in the making.
type tableView struct {
	r       *report.Report
	t       *report.Table
	unit    unit.Unit
	columns []int // of the report that have anything in the table
	fields  []field
	long    bool
}

func newTable(r *report.Report, i int, long bool, worst []report.Ranked) sheet {
	v := &tableView{r: r, t: &r.Tables[i], unit: r.Tables[i].Measure(), long: long}
	v.columns, v.fields = filled(r, v.t), fieldsOf(r, v.t)
	table := sheet{Title: v.t.Metric, Groups: v.groups()}
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
			return row.Cells[i].Learner != "" || row.Cells[i].Data != "" || row.Cells[i].Verdict != nil ||
				i == 0
		}) {
			columns = append(columns, i)
		}
	}
	return columns
}

// groups returns the columns of the table. The long form of more than two names the column.
func (v *tableView) groups() []group {
	mean := rightColumn(v.t.Metric)
	groups := []group{{Columns: []column{{}}}}
	columns := v.columns
	if v.long {
		columns = columns[:min(2, len(columns))]
	}
	for i, c := range columns {
		g := group{Title: v.r.Columns[c].Title, Columns: []column{mean}}
		if i > 0 {
			if v.long && len(v.columns) > 2 {
				g = group{Columns: []column{{Title: "column"}, mean}}
			}
			for _, f := range v.fields {
				g.Columns = append(g.Columns, f.column)
			}
		}
		groups = append(groups, g)
	}
	return groups
}

func (v *tableView) rows(table *sheet) {
	for i := range v.t.Rows {
		row := &v.t.Rows[i]
		label := row.Label
		if s := row.Slice; s != nil {
			label = fmt.Sprintf("  %s n=%d", s.Name, s.Members)
		}
		cells := []cell{{Text: label}}
		for j, c := range v.columns {
			cells = append(cells, cell{Text: formatMean(v.unit, row.Cells[c].Mean)})
			if j > 0 {
				cells = append(cells, v.verdictCells(&row.Cells[c], row.Slice)...)
			}
		}
		table.Rows = append(table.Rows, line{Cells: cells})
	}
}

// longRows adds a row for each comparison.
func (v *tableView) longRows(table *sheet, comparisons []report.Ranked) {
	for _, x := range comparisons {
		c := v.r.Comparison(x.At)
		cells := []cell{{Text: c.Row.Label}, {Text: formatMean(v.unit, c.Base.Mean)}}
		if len(v.columns) > 2 {
			cells = append(cells, cell{Text: v.r.Columns[x.Column].Label})
		}
		cells = append(cells, cell{Text: formatMean(v.unit, c.Cell.Mean)})
		cells = append(cells, v.verdictCells(c.Cell, nil)...)
		if x.Waived != "" {
			cells[len(cells)-1].Text += ", waived: " + x.Waived
		}
		table.Rows = append(table.Rows, line{cells, x.Bad()})
	}
}

// verdictCells returns what stands beside the mean of a cell.
func (v *tableView) verdictCells(c *report.Cell, slice *report.Slice) []cell {
	cells := make([]cell, len(v.fields))
	last := len(cells) - 1
	if c.Verdict == nil {
		if slice != nil && slice.TooSmall {
			cells[last] = cell{Text: slice.Unjudged(), Mood: doubtful}
		}
		return cells
	}
	if !c.Judged() {
		cells[0].Mood, cells[last] = doubtful, cell{Text: c.Verdict.Outcome, Mood: doubtful}
		return cells
	}
	for i, f := range v.fields {
		cells[i] = f.cell(c.Verdict)
	}
	cells[0].Mood, cells[last].Mood = moods[c.Verdict.Outcome], moods[c.Verdict.Outcome]
	return cells
}

// overRows adds a row for each comparison over data sets; in the long form one for each column.
func (v *tableView) overRows(table *sheet) {
	for i := range v.t.Over {
		over := &v.t.Over[i]
		label := fmt.Sprintf("%s, mean of %d data sets", over.Learner, over.DataSets)
		mean := func(column int) cell { return cell{Text: formatMean(v.unit, over.Columns[column].Mean)} }
		begin := []cell{{Text: label}, mean(0)}
		cells := begin
		for _, c := range v.columns[1:] {
			if v.long {
				cells = slices.Clone(begin)
			}
			if v.long && len(v.columns) > 2 {
				cells = append(cells, cell{Text: v.r.Columns[c].Label})
			}
			cells = append(cells, mean(c))
			for _, f := range v.fields {
				cell := cell{}
				if f.over != nil {
					cell = f.over(over, &over.Columns[c])
				}
				cells = append(cells, cell)
			}
			if v.long {
				table.Rows = append(table.Rows, line{Cells: cells})
			}
		}
		if !v.long {
			table.Rows = append(table.Rows, line{Cells: cells})
		}
	}
}
