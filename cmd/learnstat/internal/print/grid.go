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

// Grids returns the segments of a history, or the comparisons, and the results over data sets: the
// columns, their ranks, pairs of them, whether all perform alike, and how well repetitions agree.
// Those without a line are left out, but for the first.
func grids(r *report.Report) []grid {
	if r.History != nil {
		return []grid{historyGrid(r)}
	}
	grids := []grid{comparisons(r)}
	for _, g := range []grid{overGrid(r), rankGrid(r), pairGrid(r), alikeGrid(r), consistencyGrid(r)} {
		for range g.Lines {
			grids = append(grids, g)
			break
		}
	}
	return grids
}

// comparisons is the grid with a line for each comparison.
func comparisons(r *report.Report) grid {
	var g grid
	for _, c := range new(verdict.Facts).Columns(verdict.Subject{}) {
		g.Fields = append(g.Fields, c.Name)
	}
	g.Lines = func(yield func([]string) bool) {
		fields := make([]string, len(g.Fields))
		for c := range r.All() {
			columns := c.Columns(verdict.Subject{
				Metric: c.Table.Metric, Data: c.Cell.Data, Candidate: c.Cell.Learner, Baseline: c.Base.Learner, Old: c.Base.Mean, New: c.Cell.Mean,
				Alpha: unit.Number(r.Settings.Alpha), Row: c.Row.Label, Column: r.Columns[c.At.Column].Label,
			})
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
