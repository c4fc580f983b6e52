package print

import (
	"encoding/csv"
	"encoding/json"
	"io"

	"github.com/learnbench/learnbench/cmd/learnstat/internal/report"
	"github.com/learnbench/learnbench/learntest/unit"
)

// writeCSV writes the grids of a report, with an empty line between them: the names of the columns, and
// a line for each comparison and so on. Names are escaped as in a text, so that they are no lines, controls of a
// terminal or commands of a runner of jobs.
func writeCSV(w io.Writer, r *report.Report, _ Options) error {
	for i, g := range grids(r) {
		if i > 0 {
			if _, err := io.WriteString(w, "\n"); err != nil {
				return err
			}
		}
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
		if err := out.Error(); err != nil {
			return err
		}
	}
	return nil
}

// writeJSON writes the report itself. Read back, it gives every other format.
func writeJSON(w io.Writer, r *report.Report, _ Options) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "\t")
	return e.Encode(r)
}
