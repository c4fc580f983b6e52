package print

import (
	"iter"
	"strconv"
	"strings"

	"github.com/learnbench/learnbench/cmd/learnstat/internal/report"
	"github.com/learnbench/learnbench/learntest/unit"
)

// A Grid is a table for machines: numbers are in full precision and in the unit of the metric,
// names as they are, and what is not known is empty.
type grid struct {
	Fields []string
	Lines  iter.Seq[[]string] // each of which is good until the next
}

// Grids returns the segments of a history, or the comparisons, and what there is over data sets: the columns, their ranks,
// pairs of them, and how well repetitions agree. Those without a line are left out, but for the
// first.
func grids(r *report.Report) []grid {
	if r.History != nil {
		return []grid{historyGrid(r)}
	}
	grids := []grid{comparisons(r)}
	for _, g := range []grid{overGrid(r), rankGrid(r), pairGrid(r), consistencyGrid(r)} {
		for range g.Lines {
			grids = append(grids, g)
			break
		}
	}
	return grids
}

// A comparison is a comparison.
type comparison struct {
	table  *report.Table
	row    *report.Row
	base   *report.Cell
	cell   *report.Cell
	v      *report.Verdict
	full   report.Full
	column string
}

// A gridColumn is a column of the grid of comparisons. Those that are not always filled are empty
// for what could not be judged.
type gridColumn struct {
	name   string
	always bool
	text   func(r *comparison) string
}

func comparisonColumns(r *report.Report) []gridColumn {
	always := func(name string, f func(r *comparison) string) gridColumn { return gridColumn{name, true, f} }
	text := func(name string, f func(r *comparison) string) gridColumn { return gridColumn{name, false, f} }
	number := func(name string, f func(r *comparison) unit.Number) gridColumn {
		return gridColumn{name, false, func(r *comparison) string { return f(r).String() }}
	}
	verdict := func(name string, f func(v *report.Verdict) unit.Number) gridColumn {
		return gridColumn{name, false, func(r *comparison) string { return f(r.v).String() }}
	}
	margin := func(name string, f func(m *report.Margin) unit.Number) gridColumn {
		return gridColumn{name, false, func(r *comparison) string {
			if r.v.Margin == nil {
				return ""
			}
			return f(r.v.Margin).String()
		}}
	}
	rerun := func(name string, f func(*report.Rerun) unit.Number) gridColumn {
		return gridColumn{name, false, func(r *comparison) string {
			if r.v.Rerun == nil {
				return ""
			}
			return f(r.v.Rerun).String()
		}}
	}
	bayes := func(name string, f func(*report.Regions) unit.Number) gridColumn {
		return gridColumn{name, false, func(r *comparison) string {
			if r.v.Bayes == nil {
				return ""
			}
			return f(r.v.Bayes).String()
		}}
	}
	second := func(name string, f func(*report.Second) string) gridColumn {
		return gridColumn{name, false, func(r *comparison) string {
			if r.v.Second == nil {
				return ""
			}
			return f(r.v.Second)
		}}
	}
	return []gridColumn{
		always("metric", func(r *comparison) string { return r.table.Metric }),
		always("data", func(r *comparison) string { return r.cell.Data }),
		always("candidate", func(r *comparison) string { return r.cell.Learner }),
		always("baseline", func(r *comparison) string { return r.base.Learner }),
		always("outcome", func(r *comparison) string { return r.v.Outcome }),
		number("old", func(r *comparison) unit.Number { return r.base.Mean }),
		number("new", func(r *comparison) unit.Number { return r.cell.Mean }),
		verdict("difference", func(v *report.Verdict) unit.Number { return v.Difference }),
		verdict("lo", func(v *report.Verdict) unit.Number { return v.Lo }),
		verdict("hi", func(v *report.Verdict) unit.Number { return v.Hi }),
		text("alpha", func(*comparison) string { return unit.Number(r.Settings.Alpha).String() }),
		margin("margin", func(m *report.Margin) unit.Number { return m.Value }),
		margin("p_margin", func(m *report.Margin) unit.Number { return m.P }),
		text("test", func(r *comparison) string { return r.v.Test }),
		verdict("statistic", func(v *report.Verdict) unit.Number { return v.Statistic }),
		verdict("df", func(v *report.Verdict) unit.Number { return v.DF }),
		verdict("df2", func(v *report.Verdict) unit.Number { return v.DF2 }),
		verdict("p", func(v *report.Verdict) unit.Number { return v.P }),
		verdict("p_adjusted", func(v *report.Verdict) unit.Number { return v.AdjustedP }),
		text("runs", func(r *comparison) string { return strconv.Itoa(r.v.Runs) }),
		text("folds", func(r *comparison) string { return strconv.Itoa(r.v.Folds) }),
		rerun("replicability", func(r *report.Rerun) unit.Number { return r.R }),
		rerun("replicability_lo", func(r *report.Rerun) unit.Number { return r.Lo }),
		rerun("replicability_hi", func(r *report.Rerun) unit.Number { return r.Hi }),
		rerun("repeats", func(r *report.Rerun) unit.Number { return unit.Number(r.Repeats) }),
		rerun("agreeing", func(r *report.Rerun) unit.Number { return unit.Number(r.Agreeing) }),
		rerun("rerun_agrees", func(r *report.Rerun) unit.Number { return r.Agrees }),
		verdict("detectable", func(v *report.Verdict) unit.Number { return v.Detectable }),
		always("protocol", func(r *comparison) string { return r.full.Protocol }),
		always("data_sha256", func(r *comparison) string { return r.full.DataSHA256 }),
		always("old_commit", func(r *comparison) string { return r.full.BaselineCommit }),
		always("new_commit", func(r *comparison) string { return r.full.Commit }),
		always("reason", func(r *comparison) string { return r.v.Reason }),
		always("warnings", func(r *comparison) string { return strings.Join(r.full.Warnings, "; ") }),
		bayes("bayes_worse", func(r *report.Regions) unit.Number { return r.Worse }),
		bayes("bayes_rope", func(r *report.Regions) unit.Number { return r.Rope }),
		bayes("bayes_better", func(r *report.Regions) unit.Number { return r.Better }),
		always("row", func(r *comparison) string { return r.row.Label }),
		always("column", func(r *comparison) string { return r.column }),
		second("first_p", func(o *report.Second) string { return o.FirstP.String() }),
		second("second_p", func(o *report.Second) string { return o.P.String() }),
		second("second_protocol", func(o *report.Second) string { return o.Protocol }),
	}
}

// comparisons is the grid with a line for each comparison.
func comparisons(r *report.Report) grid {
	columns := comparisonColumns(r)
	g := grid{Fields: make([]string, len(columns))}
	for i, c := range columns {
		g.Fields[i] = c.name
	}
	g.Lines = func(yield func([]string) bool) {
		fields := make([]string, len(columns))
		for i := range r.Tables {
			for j := range r.Tables[i].Rows {
				row := &r.Tables[i].Rows[j]
				for k := range row.Cells {
					cell := &row.Cells[k]
					if cell.Verdict == nil {
						continue
					}
					line := comparison{table: &r.Tables[i], row: row, base: &row.Cells[0], cell: cell, v: cell.Verdict, column: r.Columns[k].Label}
					if line.v.Full != nil {
						line.full = *line.v.Full
					}
					for n, c := range columns {
						fields[n] = ""
						if c.always || cell.Judged() {
							fields[n] = c.text(&line)
						}
					}
					if !yield(fields) {
						return
					}
				}
			}
		}
	}
	return g
}
