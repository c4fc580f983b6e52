package copies

import (
	"encoding/binary"
	"fmt"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/internal/canonical"
)

// Texts returns texts of examples. A missing value equals another one, and -0 equals 0. The class
// of a row does not count, nor do its weight and its group, which are no columns.
func Texts[X any](example func(i int) X) Text {
	tables := layouts{of: make(map[*dataset.Table]*layout), known: make(map[string]uint32)}
	return func(i int, buf []byte) ([]byte, error) {
		x := example(i)
		if row, ok := any(x).(dataset.Row); ok {
			return tables.append(buf, row), nil
		}
		return canonical.AppendKey(buf, x)
	}
}

// layouts tell tables with different attributes apart.
type layouts struct {
	of    map[*dataset.Table]*layout
	known map[string]uint32 // layouts by their attributes
	table *dataset.Table    // the last one
	last  *layout           // of it
}

// A layout has the columns of a table, from which the texts of its rows are made.
type layout struct {
	number  uint32 // tables with the same attributes share it
	codes   [][]int32
	numbers [][]float64
}

// append appends the number of a table's layout and the values of the row.
func (l *layouts) append(buf []byte, r dataset.Row) []byte {
	if r.Table != l.table {
		l.table, l.last = r.Table, l.layout(r.Table)
	}
	buf = binary.LittleEndian.AppendUint32(append(buf, 'r'), l.last.number) // other encodings begin with other letters
	for _, codes := range l.last.codes {
		buf = binary.LittleEndian.AppendUint32(buf, uint32(codes[r.Index]))
	}
	for _, numbers := range l.last.numbers {
		buf = binary.LittleEndian.AppendUint64(buf, canonical.Bits(numbers[r.Index]))
	}
	return buf
}

func (l *layouts) layout(t *dataset.Table) *layout {
	if known, ok := l.of[t]; ok {
		return known
	}
	n := new(layout)
	text := fmt.Sprint(t.ClassIndex())
	for j := range t.NumAttributes() {
		a := t.Attribute(j)
		text += fmt.Sprintf(" %q %v %q", a.Name, a.Kind, a.Values)
		switch {
		case j == t.ClassIndex():
		case a.Kind == dataset.Nominal:
			n.codes = append(n.codes, t.Codes(j))
		default:
			n.numbers = append(n.numbers, t.Numbers(j))
		}
	}
	number, ok := l.known[text]
	if !ok {
		number = uint32(len(l.known))
		l.known[text] = number
	}
	n.number = number
	l.of[t] = n
	return n
}
