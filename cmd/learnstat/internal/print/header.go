package print

import (
	"fmt"
	"strings"

	"github.com/learnbench/learnbench/cmd/learnstat/internal/report"
)

const (
	headerWidth = DefaultWidth // where the lines of the header break
	headerLines = 4            // of one key
)

// header returns the lines with what the results share, and that in which they differ. It stays
// short, however many data sets there are. Unless it is full, it has only the data sets that there
// is something to know about.
func header(r *report.Report, full bool) []string {
	var lines []string
	more := 0
	for i, l := range r.Header {
		if l.Key == report.MarginKey && !full && r.State() != "" {
			continue // the first line has it
		}
		first := i
		for first > 0 && r.Header[first-1].Key == l.Key {
			first--
		}
		if i-first >= headerLines {
			more++
		} else {
			line := l.Key + ": " + l.Value
			if len(l.Of) > 0 {
				line += " (" + shortList(l.Of) + ")"
			}
			lines = append(lines, line)
		}
		if more > 0 && (i == len(r.Header)-1 || r.Header[i+1].Key != l.Key) {
			lines = append(lines, fmt.Sprintf("%s: and %d more", l.Key, more))
			more = 0
		}
	}
	var items []string
	between := ","
	for _, d := range r.Data {
		if !full && d.Copies == 0 && !d.ByName {
			continue
		}
		item := d.Name
		if full {
			item = fmt.Sprintf("%s %.12s", d.Name, d.SHA256)
		}
		if d.ByName {
			item += " (by name and size)"
		}
		if full && d.Target != "" {
			item += ", " + d.Target
			between = ";"
		}
		if d.Copies > 0 {
			item += fmt.Sprintf(", %.3g%% of test examples have a copy in training", 100*float64(d.Copies))
			between = ";"
		}
		items = append(items, item)
	}
	if items == nil {
		return lines
	}
	return append(lines, wrap("data: ", items, between)...)
}

// shortList returns the items with commas, the first few if there are many.
func shortList(items []string) string {
	const many = 6
	if more := len(items) - many; more > 1 {
		return strings.Join(items[:many], ", ") + fmt.Sprintf(" and %d more", more)
	}
	return strings.Join(items, ", ")
}

// wrap returns the items, joined by between, in a few lines that are not too long.
func wrap(key string, items []string, between string) []string {
	var lines []string
	line := key
	for i, item := range items {
		if i < len(items)-1 {
			item += between
		}
		if i > 0 && len(line)+1+len(item) > headerWidth {
			if len(lines) == headerLines-1 {
				return append(lines, fmt.Sprintf("%s and %d more", line, len(items)-i))
			}
			lines = append(lines, line)
			line = strings.Repeat(" ", len(key))
		} else if i > 0 {
			line += " "
		}
		line += item
	}
	return append(lines, line)
}
