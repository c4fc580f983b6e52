package render

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/learnbench/learnbench/cmd/learnstat/internal/report"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/verdict"
)

const (
	// Marker is the first line of the markdown, by which a comment is found that is to be
	// replaced.
	Marker = "<!-- learnstat -->"

	// markdownLimit is how long the markdown may be: GitHub takes a summary of 1 MiB.
	markdownLimit = 1<<20 - 1<<16
)

// Markdown writes the result, what the gate fails on, and a table for each metric with the
// worst comparisons first, as many as there is room for.
func Markdown(w io.Writer, r *report.Report, _ Options) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n### learnstat: %s\n\n", Marker, escapeMarkdown(result(r)))
	list := func(title string, items []string) {
		if len(items) == 0 {
			return
		}
		fmt.Fprintf(&b, "%s\n\n", title)
		for i, item := range items {
			if b.Len() > markdownLimit/4 {
				fmt.Fprintf(&b, "- and %d more\n", len(items)-i)
				break
			}
			fmt.Fprintf(&b, "- %s\n", escapeMarkdown(item))
		}
		b.WriteByte('\n')
	}
	list("**Could not be judged**", r.Problems)
	all := worst(r)
	for i := range r.Tables {
		var rows []ranked
		for _, x := range all {
			if x.Table == i {
				rows = append(rows, x)
			}
		}
		markdownTable(&b, r, i, rows)
	}
	var header []string
	for _, l := range r.Header {
		of := ""
		if len(l.Of) > 0 {
			of = " (" + shortList(l.Of) + ")"
		}
		header = append(header, l.Key+": "+l.Value+of)
	}
	if b.Len() < markdownLimit {
		list("<sub>", slices.Concat(r.Notes, header))
		b.WriteString("</sub>\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// markdownTable writes the comparisons of a table.
func markdownTable(b *strings.Builder, r *report.Report, i int, rows []ranked) {
	t := &r.Tables[i]
	u := record.Unit{Name: t.Metric}
	if t.Unit != nil {
		u = t.Unit.Record()
	}
	title := t.Metric
	for _, k := range t.Keys {
		title += ", " + k.Key + ": " + k.Value
	}
	adjust, several := adjusted(r, t), len(r.Columns) > 2
	head := []string{"", r.Columns[0].Title}
	if several {
		head = append(head, "column")
	}
	head = append(head, candidateTitle(r), "vs base", "interval", "p")
	if adjust {
		head = append(head, r.Settings.Adjust)
	}
	head = append(head, "verdict")
	fmt.Fprintf(b, "**%s**\n\n", escapeMarkdown(title))
	for j, h := range head {
		head[j] = escapeMarkdown(h)
	}
	fmt.Fprintf(b, "| %s |\n|---%s---|\n", strings.Join(head, " | "), strings.Repeat("|--:", len(head)-2)+"|")
	for n, x := range rows {
		if b.Len() > markdownLimit {
			fmt.Fprintf(b, "\nand %d more\n", len(rows)-n)
			break
		}
		row := &t.Rows[x.Row]
		c := &row.Cells[x.Column]
		cells := []string{row.Label, formatMean(u, &row.Cells[0])}
		if several {
			cells = append(cells, r.Columns[x.Column].Label)
		}
		cells = append(cells, formatMean(u, c))
		if v := c.Verdict; c.Judged() {
			cells = append(cells, verdict.FormatDifference(u, float64(v.Difference)), verdict.FormatInterval(u, float64(v.Lo), float64(v.Hi)), verdict.FormatP(float64(v.P)))
			if adjust {
				cells = append(cells, verdict.FormatP(float64(v.AdjustedP)))
			}
		} else {
			cells = append(cells, make([]string, len(head)-len(cells)-1)...)
		}
		outcome := c.Verdict.Outcome
		for j, text := range cells {
			cells[j] = escapeMarkdown(text)
		}
		switch {
		case x.Waived != "":
			outcome += escapeMarkdown(", waived: " + x.Waived)
		case x.rank <= 1:
			outcome = "**" + outcome + "** ❌"
		}
		fmt.Fprintf(b, "| %s | %s |\n", strings.Join(cells, " | "), outcome)
	}
	b.WriteByte('\n')
}

// candidateTitle is that of the column with the candidates' means.
func candidateTitle(r *report.Report) string {
	if len(r.Columns) == 2 {
		return r.Columns[1].Title
	}
	return "mean"
}

// escapeMarkdown escapes a text for any place in a table or a list: what markdown or HTML give
// a meaning to is a character reference, and in an at sign an empty comment keeps names from
// being called.
func escapeMarkdown(text string) string {
	var b strings.Builder
	for _, r := range verdict.Printable(text) {
		switch {
		case r == '@':
			b.WriteString("&#64;<!-- -->")
		case strings.ContainsRune("\\`*_{}[]<>#|~&\"'^:", r):
			fmt.Fprintf(&b, "&#%d;", r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
