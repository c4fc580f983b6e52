package match

import "fmt"

// absences finds the results that are not compared because a column lacks them.
type absences struct {
	*arrangement
	told  map[[2]string]bool
	alone map[aloneKey]*alone
	order []aloneKey

	dataIn     map[dataKey]bool // that columns have, in any metric; nil before the first missing cell
	learnersIn map[learnerKey]bool
}

// A dataKey is a data set in a column, given by its number.
type dataKey struct {
	column int
	data   string
}

// A learnerKey is a learner on a data set in a column.
type learnerKey struct {
	dataKey
	learner string
}

// index finds out which data sets and learners the columns have.
func (w *absences) index() {
	w.dataIn, w.learnersIn = make(map[dataKey]bool), make(map[learnerKey]bool)
	for _, row := range w.rows {
		for column, entries := range *row {
			for i := range entries {
				k := dataKey{column, entries[i].data}
				w.dataIn[k], w.learnersIn[learnerKey{k, entries[i].learner}] = true, true
			}
		}
	}
}

// An aloneKey is a metric and the column that has it where others do not.
type aloneKey struct {
	metric string
	column int
}

// alone are the rows of a metric that just one column has.
type alone struct {
	first *Cell
	rows  int
}

// keep reports whether a row is to be judged: whether the first column and another one have
// something to compare. It records the missing cells.
func (w *absences) keep(t *Table, row *Row) bool {
	has, cells := -1, 0
	for i, c := range row.Cells {
		if c == nil {
			continue
		}
		cells++
		if has < 0 && c.has(t.Metric) {
			has = i
		}
	}
	if has < 0 {
		return false // of a metric that was asked for, there is nothing here
	}
	for i, c := range row.Cells {
		if c == nil {
			w.missing(t, row, has, i)
		}
	}
	return row.Cells[0] != nil && cells > 1 || w.query.History
}

// missing records a cell that a column lacks and another one has.
func (w *absences) missing(t *Table, row *Row, has, lacks int) {
	c := row.Cells[has]
	if w.query.HasBaseline {
		w.only(t.Metric, c, has)
		return
	}
	if w.dataIn == nil {
		w.index()
	}
	index, what := w.columns[w.keys[lacks]], row.Label
	k := dataKey{index.number, c.Data}
	switch {
	case !w.dataIn[k]:
		what = "data set " + c.Data
	case !w.learnersIn[learnerKey{k, c.Learner}]:
		if w.query.Row == DefaultRow {
			what = fmt.Sprintf("learner %s on data set %s", c.Learner, c.Data)
		}
	case !index.several && !(&Cell{
		File: index.side.File, Data: c.Data,
		Learner: c.Learner,
	}).has(t.Metric):
		w.only(t.Metric, c, has)
		return
	}
	where := w.Columns[lacks].Label
	if !index.several && w.query.Col == DefaultCol {
		where = index.side.Paths[0]
	}
	if key := [2]string{what, where}; !w.told[key] {
		w.told[key] = true
		w.leaveOut(!w.query.Lenient, c.Pos(), fmt.Sprintf("%s is not in %s", what, where), "")
	}
}

// only records a metric that a column has for a row, and another one has not.
func (w *absences) only(metric string, c *Cell, column int) {
	k := aloneKey{metric, column}
	if w.alone[k] == nil {
		w.alone[k] = &alone{first: c}
		w.order = append(w.order, k)
	}
	w.alone[k].rows++
}

// report adds the recorded metrics.
func (w *absences) report() {
	for _, k := range w.order {
		of := w.alone[k]
		what := of.first.String()
		if n := of.rows - 1; n > 0 {
			what += fmt.Sprintf(" and %d more", n)
		}
		why := "it is in " + w.Columns[k.column].Label + " only"
		if w.query.HasBaseline {
			why = "just one of the learners has it"
		}
		w.leaveOut(w.query.Strict, of.first.Pos(), fmt.Sprintf("%s is not compared for %s: %s",
			k.metric, what, why),
			"store it for both, or choose the metrics with -metric")
	}
}
