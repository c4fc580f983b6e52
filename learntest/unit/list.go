package unit

import (
	"fmt"
	"strconv"
	"strings"
)

// SplitList splits a list at commas outside of parentheses. Commas inside belong to a name,
// as in nn(k=5,weighting=inverse).
func SplitList(list string) []string {
	var items []string
	depth, start := 0, 0
	for i, c := range list {
		switch {
		case c == '(':
			depth++
		case c == ')':
			depth--
		case c == ',' && depth <= 0:
			items = append(items, strings.TrimSpace(list[start:i]))
			start = i + 1
		}
	}
	return append(items, strings.TrimSpace(list[start:]))
}

// Quoted formats names for a message; of many names it shows the first few.
func Quoted(list []string) string {
	const many = 30
	q := make([]string, 0, min(len(list), many))
	for _, s := range list[:min(len(list), many)] {
		q = append(q, strconv.Quote(s))
	}
	text := strings.Join(q, ", ")
	if more := len(list) - many; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}
