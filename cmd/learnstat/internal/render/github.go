package render

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/learnbench/learnbench/cmd/learnstat/internal/report"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// annotations is how many of one kind GitHub shows for a step.
const annotations = 10

// GitHub writes workflow commands that annotate a run of GitHub Actions: errors for what the
// gate fails on and what could not be judged, warnings for regressions and what is waived, the
// worst first, and a notice with the result.
func GitHub(w io.Writer, r *report.Report, _ Options) error {
	errors, warnings := slices.Clone(r.Problems), []string(nil)
	for _, x := range worst(r) {
		switch text := sentence(r, &x.Offence); {
		case x.rank == 0:
			errors = append(errors, text)
		case x.rank == 2, x.rank == 3:
			warnings = append(warnings, text)
		}
	}
	var b strings.Builder
	for _, kind := range []struct {
		name  string
		texts []string
	}{{"error", errors}, {"warning", warnings}} {
		for i, text := range kind.texts {
			if more := len(kind.texts) - i; i == annotations-1 && more > 1 {
				text = fmt.Sprintf("and %d more", more)
				fmt.Fprintf(&b, "::%s title=learnstat::%s\n", kind.name, escapeCommand(text))
				break
			}
			fmt.Fprintf(&b, "::%s title=learnstat::%s\n", kind.name, escapeCommand(text))
		}
	}
	fmt.Fprintf(&b, "::notice title=learnstat::%s\n", escapeCommand(strings.Join(append([]string{result(r)}, r.Notes...), "; ")))
	_, err := io.WriteString(w, b.String())
	return err
}

// escapeCommand escapes the message of a workflow command. What is left of a name that would
// be a command of its own cannot begin a line.
func escapeCommand(text string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(verdict.Printable(text))
}
