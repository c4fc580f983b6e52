// Package catalogue finds named values: significance tests, tests of pairs, adjustments,
// metrics, kinds of protocols and data sets.
//
// A package with such a list has a function that returns it, the plural of the values' name,
// and the functions Lookup and MustLookup. Each value is in the file of its topic.
package catalogue

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
)

// maxName is more letters than any name has.
const maxName = 1 << 20

// Lookup returns the value with the given name. The error for any other name wraps unknown,
// such as "unknown test", quotes the name, suggests the nearest one and lists all.
func Lookup[T any](unknown error, values []T, nameOf func(T) string, name string) (T, error) {
	for _, v := range values {
		if nameOf(v) == name {
			return v, nil
		}
	}
	names := make([]string, len(values))
	for i, v := range values {
		names[i] = nameOf(v)
	}
	var none T
	if near, ok := nearest(name, names); ok {
		return none, fmt.Errorf("%w %q: did you mean %s? There are %s", unknown, name, near,
			strings.Join(names, ", "))
	}
	return none, fmt.Errorf("%w %q: there are %s", unknown, name, strings.Join(names, ", "))
}

// Suggest returns the end of an error on an unknown name, as in "; did you mean nn?": empty if no
// name is near, or if the given one is a single letter or a whole sentence.
func Suggest(name string, names []string) string {
	near, ok := nearest(name, names)
	if n := len(letters(name)); !ok || n < 2 || n > 2*len(near) {
		return ""
	}
	if quoted := strconv.Quote(near); quoted != `"`+near+`"` {
		near = quoted // a name in a file may be made to look like something else
	}
	return "; did you mean " + near + "?"
}

// Must returns a value that is known to exist. It panics with the error of the lookup
// otherwise.
func Must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// nearest returns the name that a reader most likely meant: one that contains the given name
// or is contained in it, otherwise one with few typing errors. Case and punctuation do not
// count.
func nearest(name string, names []string) (string, bool) {
	given := letters(name)
	best, least := "", math.MaxInt
	for _, n := range names {
		known := letters(n)
		d := distance(given, known)
		switch {
		case min(len(given), len(known)) > 1 &&
			(strings.Contains(string(known), string(given)) || strings.Contains(string(given),
				string(known))):
		case d <= max(len(given), 3)/3:
			d += maxName // a part of a name says more than a few equal letters
		default:
			continue
		}
		if d < least {
			best, least = n, d
		}
	}
	return best, least < math.MaxInt
}

// letters returns the letters and digits of a name in lower case.
func letters(s string) []rune {
	return []rune(strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, s))
}

// distance returns the smallest number of insertions, deletions and substitutions that turn a
// into b.
func distance(a, b []rune) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i, x := range a {
		diagonal := row[0]
		row[0] = i + 1
		for j, y := range b {
			d := diagonal
			if x != y {
				d++
			}
			diagonal = row[j+1]
			row[j+1] = min(d, diagonal+1, row[j]+1)
		}
	}
	return row[len(b)]
}
