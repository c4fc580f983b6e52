package print

import (
	"iter"

	"github.com/learnbench/learnbench/cmd/learnstat/internal/report"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// A Grid is a table for machines: numbers are in full precision and in the unit of the metric,
// names are unescaped, and unknown values are empty.
type grid struct {
	Fields []string
	Lines  iter.Seq[[]string] // each of which is good until the next
}

// comparisonGrid has a line for each comparison, or for each segment of a history.
func comparisonGrid(r *report.Report) grid {
	if r.History != nil {
		return historyGrid(r)
	}
	return comparisons(r)
}

// comparisons is the grid with a line for each comparison.
func comparisons(r *report.Report) grid {
	var g grid
	for _, c := range new(verdict.Facts).Columns(verdict.Subject{}) {
		g.Fields = append(g.Fields, c.Name)
	}
	g.Lines = func(yield func([]string) bool) {
		fields := make([]string, len(g.Fields))
		for c := range r.Shown() {
			s := verdict.Subject{
				Metric: c.Table.Metric, Data: c.Cell.Data, Candidate: c.Cell.Learner, Baseline: c.Base.Learner,
				Old: c.Base.Mean, New: c.Cell.Mean,
				Alpha: unit.Number(r.Settings.Alpha), Row: c.Row.Label, Column: r.Columns[c.At.Column].Label,
			}
			if of := c.Row.Slice; of != nil {
				s.Slice, s.Members = of.Name, of.Members
			}
			columns := c.Columns(s)
			for i, x := range columns {
				fields[i] = x.Value
			}
			if !yield(fields) {
				return
			}
		}
	}
	return g
}
