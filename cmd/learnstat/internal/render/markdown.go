package render

import (
	"fmt"
	"io"
	"strings"

	"github.com/learnbench/learnbench/cmd/learnstat/internal/report"
	"github.com/learnbench/learnbench/cmd/learnstat/internal/view"
	"github.com/learnbench/learnbench/internal/texttab"
)

const (
	// Marker is the first line of the markdown, by which a comment is found that is to be
	// replaced.
	Marker = "<!-- learnstat -->"

	// markdownLimit is how long the markdown may be: GitHub takes a summary of 1 MiB.
	markdownLimit = 1<<20 - 1<<16
)

// Markdown writes the result, what could not be judged, and the tables with the worst comparisons
// first, as many as there is room for.
func Markdown(w io.Writer, r *report.Report, _ Options) error {
	d := view.New(r, view.Long)
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n### learnstat: %s\n\n", Marker, escapeMarkdown(d.Result))
	if len(d.Problems) > 0 {
		b.WriteString("**Could not be judged**\n\n")
		markdownList(&b, d.Problems, markdownLimit/4)
	}
	for i := range d.Tables {
		markdownTable(&b, &d.Tables[i])
	}
	if notes := append(d.Notes, d.Header...); b.Len() < markdownLimit && len(notes) > 0 {
		b.WriteString("<sub>\n\n")
		markdownList(&b, notes, markdownLimit)
		b.WriteString("</sub>\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// markdownList writes items, up to a length of all. One that begins with a space continues the
// one before.
func markdownList(b *strings.Builder, items []string, limit int) {
	for i, item := range items {
		if b.Len() > limit {
			fmt.Fprintf(b, "- and %d more\n", len(items)-i)
			break
		}
		bullet := "- "
		if i > 0 && strings.HasPrefix(item, " ") {
			bullet, item = "  ", strings.TrimLeft(item, " ")
		}
		b.WriteString(bullet + escapeMarkdown(item) + "\n")
	}
	b.WriteByte('\n')
}

// markdownTable writes a table, and its footnotes below it.
func markdownTable(b *strings.Builder, t *view.Table) {
	var head, rule, below []string
	for _, g := range t.Groups {
		for i, c := range g.Columns {
			if i == 0 && g.Title != "" {
				c.Title = g.Title
			}
			head = append(head, escapeMarkdown(c.Title))
			rule = append(rule, map[texttab.Align]string{texttab.Left: "---", texttab.Right: "--:"}[c.Align])
		}
	}
	fmt.Fprintf(b, "**%s**\n\n| %s |\n|%s|\n", escapeMarkdown(t.Title), strings.Join(head, " | "), strings.Join(rule, "|"))
	for n, row := range t.Rows {
		if b.Len() > markdownLimit {
			fmt.Fprintf(b, "\nand %d more\n", len(t.Rows)-n)
			break
		}
		texts := make([]string, len(row.Cells))
		for i, c := range row.Cells {
			texts[i] = escapeMarkdown(c.Text)
		}
		if last := len(texts) - 1; row.Bad {
			texts[last] = "**" + texts[last] + "** ❌"
		}
		fmt.Fprintf(b, "| %s |\n", strings.Join(texts, " | "))
	}
	b.WriteByte('\n')
	for i, text := range t.Notes {
		below = append(below, texttab.Mark(i+1)+" "+text)
	}
	if below = append(below, t.Below...); len(below) > 0 {
		markdownList(b, below, markdownLimit)
	}
}
