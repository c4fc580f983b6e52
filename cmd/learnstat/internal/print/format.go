// Package render prints reports. A format is a function that writes one, and takes nothing
// but what is in it: what it prints in words it has from package view.
package print

import (
	"io"

	"github.com/learnbench/learnbench/cmd/learnstat/internal/report"
)

// A Format is a way to print a report.
type Format struct {
	Name string
	Doc  string

	// Full says that it shows what report.Full and the intervals of reruns have.
	Full bool

	// Verbose says that it can show the texts of all verdicts.
	Verbose bool

	// Notes says that the notes of the report are part of the output.
	Notes bool

	Write func(w io.Writer, r *report.Report, o Options) error
}

// Options are about where the output goes.
type Options struct {
	Color bool
	Width int // of a terminal; 0 if it does not matter
}

// Formats returns all formats, the default first.
func Formats() []Format {
	return []Format{
		{Name: "text", Doc: "tables for people", Verbose: true, Notes: true, Write: Text},
		{Name: "csv", Doc: "a line for each comparison, with numbers in full precision", Full: true, Write: CSV},
		{Name: "json", Doc: "all that the others are made from", Full: true, Verbose: true, Notes: true, Write: JSON},
		{Name: "markdown", Doc: "tables for a summary or a comment, what the gate fails on first", Notes: true, Write: Markdown},
		{Name: "github", Doc: "annotations for GitHub Actions", Notes: true, Write: GitHub},
	}
}
