package print

import (
	"fmt"
	"strings"
)

// A bounded text takes items for as long as there is room.
type bounded struct {
	strings.Builder
	limit int
}

func (b *bounded) line(text string) { b.WriteString(text + "\n") }

// each writes n items, or as many as there is room for and a line that says how many are missing;
// then an empty line, and what comes after the items in any case.
func (b *bounded) each(n int, write func(i int), missing string, after ...string) {
	for i := range n {
		if b.Len() > b.limit {
			b.line(fmt.Sprintf(missing, n-i))
			break
		}
		write(i)
	}
	b.line("")
	for _, text := range after {
		b.line(text)
	}
}
