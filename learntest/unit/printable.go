package unit

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Printable returns a text that is safe to print on a terminal. Names and paths come from
// files that anybody may have written. A newline in a name would forge a line of the
// output, an escape sequence would rewrite lines that are already there, and a
// bidirectional control would reverse their order.
//
// Printable escapes every character that is not graphic, that has no width of its own, or
// that controls the direction of text, such as \u000a or \U000e0001, and every byte that is
// not UTF-8, such as \x9b. It leaves all other characters unchanged, backslashes too, so
// that Printable(Printable(s)) is Printable(s).
//
// Continuous integration systems run commands that they find in lines of output; a name
// must not become one. In "::" at the beginning Printable escapes the first colon as
// \u003a, and in "##[", "##vso[" and "##teamcity[" anywhere the second number sign as
// \u0023.
func Printable(s string) string { return disarm(escape(s)) }

// disarm escapes the commands of CI runners. GitHub's runner looks for :: behind any white
// space at the beginning of a line, and for ##[ anywhere in it.
func disarm(s string) string {
	if rest := strings.TrimLeftFunc(s, unicode.IsSpace); strings.HasPrefix(rest, "::") {
		s = s[:len(s)-len(rest)] + `\u003a` + rest[1:]
	}
	if !strings.Contains(s, "##") {
		return s
	}
	return commands.Replace(s)
}

var commands = strings.NewReplacer("##[", `#\u0023[`, "##vso[", `#\u0023vso[`, "##teamcity[",
	`#\u0023teamcity[`)

// escape returns a text with escapes in place of invisible characters.
func escape(s string) string {
	if isPlain(s) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case visible(r):
			b.WriteRune(r)
		case r > 0xffff:
			fmt.Fprintf(&b, `\U%08x`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
		i += n
	}
	return b.String()
}

// isPlain reports whether there is nothing to escape, as in almost all texts.
func isPlain(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' {
			return false
		}
	}
	return true
}

// visible reports whether a character is visible and changes nothing around it. The
// controls of direction and the joiners are not graphic to begin with; fillers and
// variation selectors are letters and marks to Unicode.
func visible(r rune) bool {
	return unicode.IsGraphic(r) && !unicode.In(r, unicode.Other_Default_Ignorable_Code_Point,
		unicode.Variation_Selector)
}
