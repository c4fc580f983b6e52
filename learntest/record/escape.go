package record

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

const hexDigits = "0123456789abcdef"

// emptyName stands for the empty name. No other name is escaped to it.
const emptyName = "%"

// appendName appends a name in which every byte of a character that is not
// printable, of a space, of '%' and of the characters in special is written
// as %xx.
func appendName(b []byte, name, special string) []byte {
	if name == "" {
		return append(b, emptyName...)
	}
	for i := 0; i < len(name); {
		r, n := utf8.DecodeRuneInString(name[i:])
		if r == ' ' || r == '%' || !printable(r, n) || strings.ContainsRune(special, r) {
			for _, c := range []byte(name[i : i+n]) {
				b = append(b, '%', hexDigits[c>>4], hexDigits[c&15])
			}
		} else {
			b = append(b, name[i:i+n]...)
		}
		i += n
	}
	return b
}

// printable reports whether a character of n bytes is printable, which
// invalid UTF-8 is not.
func printable(r rune, n int) bool {
	return unicode.IsPrint(r) && (r != utf8.RuneError || n > 1)
}

// unescapeName is the inverse of appendName. It takes any character that is
// not an escape for itself.
func unescapeName(s string) (string, error) {
	if s == "" {
		return "", fmt.Errorf("empty name (write %s for it)", emptyName)
	}
	if s == emptyName {
		return "", nil
	}
	if strings.IndexByte(s, '%') < 0 {
		return s, nil
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '%' {
			b.WriteByte(s[i])
			continue
		}
		c, ok := unhex(s[i+1:])
		if !ok {
			return "", fmt.Errorf("%% without two hexadecimal digits in %q", s)
		}
		b.WriteByte(c)
		i += 2
	}
	return b.String(), nil
}

// unhex returns the byte that the first two characters of s are in
// hexadecimal.
func unhex(s string) (byte, bool) {
	if len(s) < 2 {
		return 0, false
	}
	hi := strings.IndexByte(hexDigits, lower(s[0]))
	lo := strings.IndexByte(hexDigits, lower(s[1]))
	return byte(hi<<4 | lo), hi >= 0 && lo >= 0
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// appendText appends the value of a key on one line: backslashes, characters
// that are not printable, and a space at either end are escaped.
func appendText(b []byte, s string) []byte {
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == '\\':
			b = append(b, `\\`...)
		case r == '\n':
			b = append(b, `\n`...)
		case r == '\r':
			b = append(b, `\r`...)
		case r == '\t':
			b = append(b, `\t`...)
		case !printable(r, n), r == ' ' && (i == 0 || i == len(s)-1):
			for _, c := range []byte(s[i : i+n]) {
				b = append(b, '\\', 'x', hexDigits[c>>4], hexDigits[c&15])
			}
		default:
			b = append(b, s[i:i+n]...)
		}
		i += n
	}
	return b
}

// unescapeText is the inverse of appendText.
func unescapeText(s string) (string, error) {
	if strings.IndexByte(s, '\\') < 0 {
		return s, nil
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' {
			b.WriteByte(s[i])
			continue
		}
		i++
		switch {
		case i == len(s):
			return "", fmt.Errorf("unfinished escape in %q", s)
		case s[i] == '\\':
			b.WriteByte('\\')
		case s[i] == 'n':
			b.WriteByte('\n')
		case s[i] == 'r':
			b.WriteByte('\r')
		case s[i] == 't':
			b.WriteByte('\t')
		case s[i] == 'x':
			c, ok := unhex(s[i+1:])
			if !ok {
				return "", fmt.Errorf(`\x without two hexadecimal digits in %q`, s)
			}
			b.WriteByte(c)
			i += 2
		default:
			return "", fmt.Errorf(`unknown escape \%c in %q`, s[i], s)
		}
	}
	return b.String(), nil
}

// maxCause bounds the length of a cause of failure, in bytes.
const maxCause = 1000

// Cause returns the text of a cause of failure as a result file keeps it: not
// empty, and cut, with an ellipsis, to 1000 bytes. Whoever fills in
// [Trial.Err] uses it, so that a trial reads back unchanged.
func Cause(s string) string {
	if s == "" {
		return "unknown cause"
	}
	if len(s) <= maxCause {
		return s
	}
	const ellipsis = "…"
	end := maxCause - len(ellipsis)
	for end > 0 && !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end] + ellipsis
}

// EscapeName returns the name of a data set or a learner as the name of a trial spells it:
// tools for benchmarks know it by this text.
func EscapeName(name string) string { return string(appendName(nil, name, "/=")) }

// excerpt returns the beginning of a line for a message.
func excerpt(text []byte) string {
	const limit = 60
	if len(text) <= limit {
		return string(text)
	}
	return string(text[:limit]) + "…"
}

// UnescapeName returns the name that [EscapeName] has escaped.
func UnescapeName(text string) (string, error) { return unescapeName(text) }
