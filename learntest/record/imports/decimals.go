package imports

import (
	"fmt"
	"regexp"
	"strings"
)

// decimals are how a file writes numbers.
type decimals struct {
	commas bool // may be there, since they do not separate columns
	mark   byte // '.' or ','; 0 before the first number that has one
	line   int  // of that number
}

// commaNumber is a number with a decimal comma.
var commaNumber = regexp.MustCompile(`^[-+]?\d*,\d+([eE][-+]?\d+)?$`)

// plain returns a number with a point in place of a decimal comma, and any other text unchanged. A
// file that has both may mean thousands by one of them.
func (t *table) plain(text string) (string, error) {
	at := strings.IndexAny(text, ".,")
	if !t.decimals.commas || at < 0 || text[at] == ',' && !commaNumber.MatchString(text) {
		return text, nil
	}
	d, mark := &t.decimals, text[at]
	if d.mark == 0 {
		d.mark, d.line = mark, t.line
	}
	if d.mark != mark {
		return "", fmt.Errorf("%s has a decimal %s, but a number in line %d has a %s: write all of them alike", excerpt(text), nameOf(mark), d.line, nameOf(d.mark))
	}
	if mark == ',' {
		t.c.assumed.add("decimals have a comma")
	}
	return strings.Replace(text, ",", ".", 1), nil
}

func nameOf(mark byte) string {
	if mark == ',' {
		return "comma"
	}
	return "point"
}
