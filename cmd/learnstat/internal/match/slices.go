package match

import (
	"errors"
	"slices"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/unit"
)

// addSlices adds to each row the rows of the slices that a column of it has, right below it.
// That no results have slices is a problem: a gate would judge the whole alone.
func (a *arrangement) addSlices() {
	found := false
	for _, t := range a.Tables {
		var rows []*Row
		for _, r := range t.Rows {
			rows = append(rows, r)
			for _, name := range r.slices(t.Metric) {
				found = true
				rows = append(rows, &Row{
					Label: r.Label + " " + name, Cells: r.Cells, Slice: name,
					Metric: unit.OfSlice(t.Metric, name),
				})
			}
		}
		t.Rows = rows
	}
	if !found && len(a.Tables) > 0 {
		a.Problems = append(a.Problems,
			errors.New("-slices: the compared results have no slices: name columns of the data with learnbench run -slice, or slices in a test, and store the results anew"))
	}
}

// slices returns the names of the slices on which a cell of the row has the metric.
func (r *Row) slices(metric string) []string {
	var names []string
	for _, c := range r.Cells {
		if c == nil {
			continue
		}
		for _, b := range c.File.Blocks() {
			if h := &b.Header; h.Data != c.Data || h.IsSecondOpinion() || !c.only(h) ||
				!slices.Contains(b.Learners, c.Learner) {
				continue
			}
			for _, slice := range slicesOn(b, metric) {
				if !slices.Contains(names, slice) {
					names = append(names, slice)
				}
			}
		}
	}
	return names
}

// slicesOn returns the names of the slices on which a block has the metric.
func slicesOn(b *record.Block, metric string) (names []string) {
	if b.Header.HasItems() && slices.ContainsFunc(b.Units,
		func(u unit.Unit) bool { return u.Name == metric }) {
		for _, s := range record.SlicesOfItems(record.ItemsOf(b)) {
			names = append(names, s.Name)
		}
	}
	for _, u := range b.Columns[len(b.Units):] {
		if of, slice := unit.CutSlice(u.Name); of == metric {
			names = append(names, slice)
		}
	}
	return names
}

// MetricOf returns the metric of a row of the table, which may be of a slice.
func (t *Table) MetricOf(r *Row) string {
	if r.Slice == "" {
		return t.Metric
	}
	return r.Metric
}
