package print

import (
	"fmt"
	"strings"

	"github.com/learnbench/learnbench/learntest/unit"
)

// escapeMarkdown escapes a text for any place in a table or a list: what markdown or HTML give
// a meaning to is a character reference, and in an at sign an empty comment keeps names from
// being called.
func escapeMarkdown(text string) string {
	var b strings.Builder
	text = unit.Printable(text)
	for i, r := range text {
		switch {
		case r == ':' && strings.HasPrefix(text[i:], ": "): // it begins no link and no emoji
			b.WriteRune(r)
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

// escapeCommand escapes the message of a workflow command. The rest of a name that would be a
// command of its own cannot begin a line.
func escapeCommand(text string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(unit.Printable(text))
}
