package print

import (
	"strings"

	"github.com/learnbench/learnbench/internal/texttab"
	"github.com/learnbench/learnbench/learntest/unit"
)

// further begins the lines that continue a text.
const further = "    "

// broken returns a text in lines of a width, or of a word that is wider. Spaces at its beginning
// stay. No line begins with what a runner of jobs would take for a command.
func broken(text string, width int) []string {
	text = unit.Printable(text)
	if texttab.Width(text) <= width {
		return []string{text}
	}
	var lines []string
	words := strings.TrimLeft(text, " ")
	line := text[:len(text)-len(words)]
	for i, word := range strings.Split(words, " ") { // names may have further spaces
		switch {
		case i == 0:
			line += word
		case texttab.Width(line)+1+texttab.Width(word) > width:
			lines = append(lines, line)
			line = unit.Printable(further + word)
		default:
			line += " " + word
		}
	}
	return append(lines, line)
}

// wrapNotes wraps the notes below a table, which are its last lines.
func wrapNotes(table string, notes, width int) string {
	lines := strings.Split(strings.TrimSuffix(table, "\n"), "\n")
	first := len(lines) - notes
	out := lines[:first:first]
	for _, note := range lines[first:] {
		out = append(out, broken(note, width)...)
	}
	return strings.Join(out, "\n") + "\n"
}
