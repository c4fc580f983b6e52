package print

import (
	"io"
	"strings"

	"github.com/learnbench/learnbench/cmd/learnstat/internal/report"
	"github.com/learnbench/learnbench/internal/texttab"
)

// Marker is the first line of the markdown, by which a comment is found that is to be replaced.
const Marker = "<!-- learnstat -->"

const markdownLimit = 1<<20 - 1<<16 // GitHub takes a summary of 1 MiB

// Markdown writes the result, what could not be judged, and the tables with the worst comparisons
// first, as many as there is room for.
func Markdown(w io.Writer, r *report.Report, _ Options) error {
	d := New(r, Long)
	b := bounded{limit: markdownLimit / 4}
	b.line(Marker + "\n### learnstat: " + escapeMarkdown(d.Result) + "\n")
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
			b.line(map[bool]string{false: "- ", true: "  "}[i > 0 && item != items[i]] + escapeMarkdown(item))
		}, "- and %d more", after...)
	}
}

func (b *bounded) markdownTable(t *Table) {
	head, rule := "|", "|"
	for _, c := range t.Columns() {
		head += " " + escapeMarkdown(c.Title) + " |"
		rule += map[texttab.Align]string{texttab.Left: "---|", texttab.Right: "--:|", texttab.Center: ":-:|"}[c.Align]
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
