// Package print prints reports. A format is a function that writes one, from the report alone: as
// grids of numbers for machines, or as a document of sheets, tables in words that nothing is
// escaped in, which a format lays out and escapes.
package print

import (
	"io"

	"github.com/learnbench/learnbench/cmd/learnstat/internal/report"
)

// A Format is a way to print a report.
type Format struct {
	Name string
	Doc  string

	// Full says that it shows what verdict.Origin and the intervals of reruns have.
	Full bool

	// Verbose says that it can show the texts of all verdicts.
	Verbose bool

	// Notes says that the notes of the report are part of the output.
	Notes bool

	Write func(w io.Writer, r *report.Report, o Options) error
}

// Formats returns all formats, the default first.
func Formats() []Format {
	return []Format{
		{Name: "text", Doc: "tables for people", Verbose: true, Notes: true, Write: writeText},
		{
			Name: "csv", Doc: "a line for each comparison, with numbers in full precision", Full: true,
			Write: csvOf(comparisonGrid),
		},
		{Name: "csv-over", Doc: "a line for each column over data sets", Write: csvOf(overGrid)},
		{Name: "csv-ranks", Doc: "its rank, with Friedman's test", Write: csvOf(rankGrid)},
		{Name: "csv-pairs", Doc: "a line for each pair of columns", Write: csvOf(pairGrid)},
		{
			Name: "csv-alike", Doc: "a line for each column, with the test of -over",
			Write: csvOf(alikeGrid),
		},
		{Name: "csv-hierarchical", Doc: "a line for each column and data set, with the test of -over hierarchical", Write: csvOf(hierarchicalGrid)},
		{
			Name: "csv-repeats", Doc: "a line for each table, on how well repetitions agree",
			Write: csvOf(consistencyGrid),
		},
		{
			Name: "json", Doc: "all that the others are made from", Full: true, Verbose: true, Notes: true,
			Write: writeJSON,
		},
		{
			Name: "markdown", Doc: "tables for a summary or a comment, what the gate fails on first",
			Notes: true, Write: writeMarkdown,
		},
		{Name: "github", Doc: "annotations for GitHub Actions", Notes: true, Write: writeGitHub},
	}
}
