package print

import (
	"fmt"
	"io"
	"strings"

	"github.com/learnbench/learnbench/cmd/learnstat/internal/report"
	"github.com/learnbench/learnbench/internal/texttab"
)

// Marker is the first line of the markdown, by which a comment is found that is to be replaced.
const Marker = "<!-- learnstat -->"

const markdownLimit = 1<<20 - 1<<16 // GitHub takes a summary of 1 MiB

// writeMarkdown writes the result, what could not be judged, and the tables with the worst
// comparisons first, as many as there is room for.
func writeMarkdown(w io.Writer, r *report.Report, _ Options) error {
	d := newDocument(r, true)
	b := bounded{limit: markdownLimit / 4}
	b.line(Marker + "\n### learnstat: " + escapeMarkdown(d.Result) + "\n")
	if counts := report.Counts(r); counts != "" {
		b.line(escapeMarkdown(counts) + "\n")
	}
	if d.Undecided != "" {
		b.line(escapeMarkdown(d.Undecided) + "\n")
	}
	b.markdownList("**Could not be judged**\n\n", d.Problems)
	b.limit = markdownLimit
	for i := range d.Tables {
		b.markdownTable(&d.Tables[i])
	}
	if b.Len() < markdownLimit {
		b.markdownList("<sub>\n\n", append(d.Notes, d.Header...), "</sub>")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// markdownList writes items, or nothing if there are none. One that begins with a space continues
// the one before.
func (b *bounded) markdownList(before string, items []string, after ...string) {
	if len(items) > 0 {
		b.WriteString(before)
		b.each(len(items), func(i int) {
			item := strings.TrimLeft(items[i], " ")
			b.line(map[bool]string{false: "- ", true: "  "}[i > 0 && item != items[i]] +
				escapeMarkdown(item))
		}, "- and %d more", after...)
	}
}

func (b *bounded) markdownTable(t *sheet) {
	head, rule := "|", "|"
	for _, c := range t.Columns() {
		head += " " + escapeMarkdown(c.Title) + " |"
		rule += map[texttab.Align]string{
			texttab.Left: "---|", texttab.Right: "--:|",
			texttab.Center: ":-:|",
		}[c.Align]
	}
	b.line("**" + escapeMarkdown(t.Title) + "**\n\n" + head + "\n" + rule)
	b.each(len(t.Rows), func(i int) {
		texts := t.Rows[i].Texts(escapeMarkdown)
		if last := len(texts) - 1; t.Rows[i].Bad {
			texts[last] = "**" + texts[last] + "** ❌"
		}
		b.line("| " + strings.Join(texts, " | ") + " |")
	}, "\nand %d more")
	b.markdownList("", append(t.Footnotes(), t.Below...))
}

// A bounded text takes items for as long as there is room.
type bounded struct {
	strings.Builder
	limit int
}

func (b *bounded) line(text string) { b.WriteString(text + "\n") }

// each writes n items, or as many as there is room for and a line that says how many are missing;
// then an empty line, and what comes after the items in any case.
func (b *bounded) each(n int, write func(i int), missing string, after ...string) {
	for i := range n {
		if b.Len() > b.limit {
			b.line(fmt.Sprintf(missing, n-i))
			break
		}
		write(i)
	}
	b.line("")
	for _, text := range after {
		b.line(text)
	}
}
