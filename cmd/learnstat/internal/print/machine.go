package print

import (
	"encoding/csv"
	"encoding/json"
	"io"

	"github.com/learnbench/learnbench/cmd/learnstat/internal/report"
	"github.com/learnbench/learnbench/learntest/unit"
)

// csvOf writes one grid of a report: the names of the columns, and the lines. One call writes one
// table, as whatever reads CSV expects. Names are escaped as in a text, so that they are no lines,
// controls of a terminal or commands of a runner of jobs.
func csvOf(of func(*report.Report) grid) func(io.Writer, *report.Report, Options) error {
	return func(w io.Writer, r *report.Report, _ Options) error {
		g := of(r)
		out := csv.NewWriter(w)
		if err := out.Write(g.Fields); err != nil {
			return err
		}
		for fields := range g.Lines {
			for i, text := range fields {
				fields[i] = unit.Printable(text)
			}
			if err := out.Write(fields); err != nil {
				return err
			}
		}
		out.Flush()
		return out.Error()
	}
}

// writeJSON writes the report itself. Read back, it gives every other format.
func writeJSON(w io.Writer, r *report.Report, _ Options) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "\t")
	return e.Encode(r)
}
