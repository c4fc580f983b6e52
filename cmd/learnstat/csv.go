package main

import (
	"encoding/csv"
	"math"
	"strconv"
	"strings"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// A csvColumn is a column of the CSV output. Text columns are filled for all rows,
// numbers only for those that were judged.
type csvColumn struct {
	name   string
	text   func(r *row) string
	number func(v *verdict.Verdict) float64
}

func csvColumns() []csvColumn {
	number := func(name string, f func(v *verdict.Verdict) float64) csvColumn {
		return csvColumn{name: name, number: f}
	}
	text := func(name string, f func(r *row) string) csvColumn { return csvColumn{name: name, text: f} }
	replicability := func(f func(r *verdict.Rerun) float64) func(*verdict.Verdict) float64 {
		return func(v *verdict.Verdict) float64 {
			if v.Rerun == nil {
				return math.NaN()
			}
			return f(v.Rerun)
		}
	}
	return []csvColumn{
		text("metric", func(r *row) string { return r.metric }),
		text("data", func(r *row) string { return r.data }),
		text("candidate", func(r *row) string { return r.candidate }),
		text("baseline", func(r *row) string { return r.baseline }),
		text("outcome", func(r *row) string { return r.v.Outcome.String() }),
		number("old", func(v *verdict.Verdict) float64 { return v.BaselineMean }),
		number("new", func(v *verdict.Verdict) float64 { return v.CandidateMean }),
		number("difference", func(v *verdict.Verdict) float64 { return v.Estimate }),
		number("lo", func(v *verdict.Verdict) float64 { return v.Difference.Lo }),
		number("hi", func(v *verdict.Verdict) float64 { return v.Difference.Hi }),
		number("alpha", func(v *verdict.Verdict) float64 { return v.Claim.Alpha }),
		number("margin", func(v *verdict.Verdict) float64 {
			if v.Claim.Margin == 0 {
				return math.NaN()
			}
			return v.Claim.Margin
		}),
		number("p_margin", func(v *verdict.Verdict) float64 {
			if v.Claim.Margin == 0 {
				return math.NaN()
			}
			return max(v.Above.P, v.Below.P)
		}),
		text("test", func(r *row) string { return r.v.Difference.Result.Test }),
		number("statistic", func(v *verdict.Verdict) float64 { return v.Difference.Result.Statistic }),
		number("df", func(v *verdict.Verdict) float64 { return v.Difference.Result.DF }),
		number("df2", func(v *verdict.Verdict) float64 { return v.Difference.Result.DF2 }),
		number("p", func(v *verdict.Verdict) float64 { return v.Difference.Result.P }),
		text("p_adjusted", func(r *row) string {
			if !r.judged() {
				return ""
			}
			return formatNumber(r.p())
		}),
		number("runs", func(v *verdict.Verdict) float64 { return float64(v.Runs) }),
		number("folds", func(v *verdict.Verdict) float64 { return float64(v.Folds) }),
		number("replicability", replicability(func(r *verdict.Rerun) float64 { return r.R })),
		number("replicability_lo", replicability(func(r *verdict.Rerun) float64 { return r.Lo })),
		number("replicability_hi", replicability(func(r *verdict.Rerun) float64 { return r.Hi })),
		number("repeats", replicability(func(r *verdict.Rerun) float64 { return float64(r.Repeats) })),
		number("agreeing", replicability(func(r *verdict.Rerun) float64 { return float64(r.Agreeing) })),
		number("rerun_agrees", replicability(func(r *verdict.Rerun) float64 { return r.P })),
		number("detectable", func(v *verdict.Verdict) float64 { return v.Detectable }),
		text("protocol", func(r *row) string { return head(r.v.CandidateHeader).Protocol }),
		text("data_sha256", func(r *row) string { return head(r.v.CandidateHeader).DataDigest }),
		text("old_commit", func(r *row) string { return head(r.v.BaselineHeader).Commit }),
		text("new_commit", func(r *row) string { return head(r.v.CandidateHeader).Commit }),
		text("reason", func(r *row) string { return r.v.Reason }),
		text("warnings", func(r *row) string {
			var texts []string
			for _, w := range r.v.Warnings {
				texts = append(texts, w.Error())
			}
			return strings.Join(texts, "; ")
		}),
	}
}

// head returns the header, or an empty one if there is none.
func head(h *record.Header) record.Header {
	if h == nil {
		return record.Header{}
	}
	return *h
}

// renderCSV returns a line with the names of the columns and one for each row.
func renderCSV(r *report) string {
	var b strings.Builder
	w := csv.NewWriter(&b)
	columns := csvColumns()
	fields := make([]string, len(columns))
	for i, c := range columns {
		fields[i] = c.name
	}
	w.Write(fields) // a strings.Builder does not fail
	for _, row := range r.rows {
		for i, c := range columns {
			switch {
			case c.text != nil:
				fields[i] = c.text(row)
			case row.judged():
				fields[i] = formatNumber(c.number(&row.v))
			default:
				fields[i] = ""
			}
		}
		w.Write(fields)
	}
	w.Flush()
	return b.String()
}

// formatNumber returns the shortest decimal number that reads back as x, or
// nothing for NaN.
func formatNumber(x float64) string {
	x += 0 // not -0
	if math.IsNaN(x) {
		return ""
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}
