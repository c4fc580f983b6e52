package render

import (
	"fmt"
	"strings"

	"github.com/learnbench/learnbench/cmd/learnstat/internal/report"
	"github.com/learnbench/learnbench/learntest/verdict"
)

const (
	headerWidth = 100 // where the lines of the header break
	headerLines = 4   // of one key
)

// writeHeader writes what the results share, and that in which they differ. It stays short,
// however many data sets there are.
func writeHeader(b *strings.Builder, r *report.Report) {
	more := 0
	for i, l := range r.Header {
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
			b.WriteString(verdict.Printable(line) + "\n")
		}
		if more > 0 && (i == len(r.Header)-1 || r.Header[i+1].Key != l.Key) {
			fmt.Fprintf(b, "%s: and %d more\n", l.Key, more)
			more = 0
		}
	}
	items := make([]string, len(r.Data))
	for i, d := range r.Data {
		items[i] = fmt.Sprintf("%s %.12s", d.Name, d.SHA256)
	}
	wrap(b, "data: ", items)
}

// shortList returns the items with commas, the first few if there are many.
func shortList(items []string) string {
	const many = 6
	if more := len(items) - many; more > 1 {
		return strings.Join(items[:many], ", ") + fmt.Sprintf(" and %d more", more)
	}
	return strings.Join(items, ", ")
}

// wrap writes the items, separated by commas, in a few lines that are not too long.
func wrap(b *strings.Builder, key string, items []string) {
	line, lines := key, 1
	for i, item := range items {
		if i < len(items)-1 {
			item += ","
		}
		if i > 0 && len(line)+1+len(item) > headerWidth {
			if lines == headerLines {
				b.WriteString(verdict.Printable(fmt.Sprintf("%s and %d more", line, len(items)-i)) + "\n")
				return
			}
			b.WriteString(verdict.Printable(line) + "\n")
			line = strings.Repeat(" ", len(key))
			lines++
		} else if i > 0 {
			line += " "
		}
		line += item
	}
	b.WriteString(verdict.Printable(line) + "\n")
}
