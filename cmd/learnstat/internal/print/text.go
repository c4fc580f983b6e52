package print

import (
	"io"
	"strings"

	"github.com/learnbench/learnbench/cmd/learnstat/internal/report"
	"github.com/learnbench/learnbench/learntest/unit"
)

// Text writes the header, the tables and the notes, or nothing if nothing was judged.
func Text(w io.Writer, r *report.Report, o Options) error {
	if r.Empty() {
		return nil
	}
	var b strings.Builder
	lines := func(texts []string) {
		for _, text := range texts {
			b.WriteString(unit.Printable(text) + "\n")
		}
	}
	d := New(r, Wide)
	lines(d.Header)
	for i := range d.Tables {
		t := &d.Tables[i]
		if i > 0 {
			b.WriteByte('\n')
		}
		lines(t.Keys)
		b.WriteString(fitted(t, o))
		lines(t.Below)
		for _, text := range t.Texts {
			b.WriteString("\n" + text)
		}
	}
	if r.Settings.Verbose && len(d.Notes) > 0 {
		b.WriteByte('\n')
	}
	lines(d.Notes)
	_, err := io.WriteString(w, b.String())
	return err
}
