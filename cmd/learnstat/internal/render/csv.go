package render

import (
	"encoding/csv"
	"io"
	"strconv"
	"strings"

	"github.com/learnbench/learnbench/cmd/learnstat/internal/report"
)

// A csvRow is a comparison.
type csvRow struct {
	table  *report.Table
	row    *report.Row
	base   *report.Cell
	cell   *report.Cell
	v      *report.Verdict
	full   report.Full
	column string
}

// A csvColumn is a column of the CSV output. Those that are not always filled are empty for
// comparisons that could not be judged.
type csvColumn struct {
	name   string
	always bool
	text   func(r *csvRow) string
}

func csvColumns(r *report.Report) []csvColumn {
	always := func(name string, f func(r *csvRow) string) csvColumn { return csvColumn{name, true, f} }
	text := func(name string, f func(r *csvRow) string) csvColumn { return csvColumn{name, false, f} }
	number := func(name string, f func(r *csvRow) report.Number) csvColumn {
		return csvColumn{name, false, func(r *csvRow) string { return f(r).String() }}
	}
	verdict := func(name string, f func(v *report.Verdict) report.Number) csvColumn {
		return csvColumn{name, false, func(r *csvRow) string { return f(r.v).String() }}
	}
	margin := func(name string, f func(m *report.Margin) report.Number) csvColumn {
		return csvColumn{name, false, func(r *csvRow) string {
			if r.v.Margin == nil {
				return ""
			}
			return f(r.v.Margin).String()
		}}
	}
	rerun := func(name string, f func(*report.Rerun) report.Number) csvColumn {
		return csvColumn{name, false, func(r *csvRow) string {
			if r.v.Rerun == nil {
				return ""
			}
			return f(r.v.Rerun).String()
		}}
	}
	return []csvColumn{
		always("metric", func(r *csvRow) string { return r.table.Metric }),
		always("data", func(r *csvRow) string { return r.cell.Data }),
		always("candidate", func(r *csvRow) string { return r.cell.Learner }),
		always("baseline", func(r *csvRow) string { return r.base.Learner }),
		always("outcome", func(r *csvRow) string { return r.v.Outcome }),
		number("old", func(r *csvRow) report.Number { return r.base.Mean }),
		number("new", func(r *csvRow) report.Number { return r.cell.Mean }),
		verdict("difference", func(v *report.Verdict) report.Number { return v.Difference }),
		verdict("lo", func(v *report.Verdict) report.Number { return v.Lo }),
		verdict("hi", func(v *report.Verdict) report.Number { return v.Hi }),
		text("alpha", func(*csvRow) string { return report.Number(r.Settings.Alpha).String() }),
		margin("margin", func(m *report.Margin) report.Number { return m.Value }),
		margin("p_margin", func(m *report.Margin) report.Number { return m.P }),
		text("test", func(r *csvRow) string { return r.v.Test }),
		verdict("statistic", func(v *report.Verdict) report.Number { return v.Statistic }),
		verdict("df", func(v *report.Verdict) report.Number { return v.DF }),
		verdict("df2", func(v *report.Verdict) report.Number { return v.DF2 }),
		verdict("p", func(v *report.Verdict) report.Number { return v.P }),
		verdict("p_adjusted", func(v *report.Verdict) report.Number { return v.AdjustedP }),
		text("runs", func(r *csvRow) string { return strconv.Itoa(r.v.Runs) }),
		text("folds", func(r *csvRow) string { return strconv.Itoa(r.v.Folds) }),
		rerun("replicability", func(r *report.Rerun) report.Number { return r.R }),
		rerun("replicability_lo", func(r *report.Rerun) report.Number { return r.Lo }),
		rerun("replicability_hi", func(r *report.Rerun) report.Number { return r.Hi }),
		rerun("repeats", func(r *report.Rerun) report.Number { return report.Number(r.Repeats) }),
		rerun("agreeing", func(r *report.Rerun) report.Number { return report.Number(r.Agreeing) }),
		rerun("rerun_agrees", func(r *report.Rerun) report.Number { return r.Agrees }),
		verdict("detectable", func(v *report.Verdict) report.Number { return v.Detectable }),
		always("protocol", func(r *csvRow) string { return r.full.Protocol }),
		always("data_sha256", func(r *csvRow) string { return r.full.DataSHA256 }),
		always("old_commit", func(r *csvRow) string { return r.full.BaselineCommit }),
		always("new_commit", func(r *csvRow) string { return r.full.Commit }),
		always("reason", func(r *csvRow) string { return r.v.Reason }),
		always("warnings", func(r *csvRow) string { return strings.Join(r.full.Warnings, "; ") }),
		always("row", func(r *csvRow) string { return r.row.Label }),
		always("column", func(r *csvRow) string { return r.column }),
	}
}

// CSV writes a line with the names of the columns and one for each comparison. Names are as
// they are.
func CSV(w io.Writer, r *report.Report, _ Options) error {
	out := csv.NewWriter(w)
	columns := csvColumns(r)
	fields := make([]string, len(columns))
	for i, c := range columns {
		fields[i] = c.name
	}
	if err := out.Write(fields); err != nil {
		return err
	}
	for i := range r.Tables {
		for j := range r.Tables[i].Rows {
			row := &r.Tables[i].Rows[j]
			for k := range row.Cells {
				cell := &row.Cells[k]
				if cell.Verdict == nil {
					continue
				}
				line := csvRow{table: &r.Tables[i], row: row, base: &row.Cells[0], cell: cell, v: cell.Verdict, column: r.Columns[k].Label}
				if line.v.Full != nil {
					line.full = *line.v.Full
				}
				for n, c := range columns {
					fields[n] = ""
					if c.always || cell.Judged() {
						fields[n] = c.text(&line)
					}
				}
				if err := out.Write(fields); err != nil {
					return err
				}
			}
		}
	}
	out.Flush()
	return out.Error()
}
