package copies

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/internal/canonical"
)

// Keys returns a text for each of n examples that equal ones share: a missing value equals another one, and -0
// equals 0. The class of a row does not count, nor do its weight and its group, which are no columns.
func Keys[X any](n int, example func(i int) X) ([]string, error) {
	keys := make([]string, n)
	tables := layouts{numbers: make(map[*dataset.Table]int), known: make(map[string]int)}
	encoder := canonical.NewEncoder()
	for i := range keys {
		x := example(i)
		if row, ok := any(x).(dataset.Row); ok {
			keys[i] = tables.key(row)
			continue
		}
		var err error
		if keys[i], err = encoder.Key(x); err != nil {
			return nil, fmt.Errorf("example %d: %w", i, err)
		}
	}
	return keys, nil
}

// layouts tell tables with different attributes apart.
type layouts struct {
	last    *dataset.Table
	layout  int // of the last table
	numbers map[*dataset.Table]int
	known   map[string]int // layouts by their attributes
	buf     []byte
}

// key returns the values of a row, behind the layout of its table.
func (l *layouts) key(r dataset.Row) string {
	t := r.Table
	if t != l.last {
		l.last, l.layout = t, l.of(t)
	}
	l.buf = binary.BigEndian.AppendUint32(l.buf[:0], uint32(l.layout))
	for j := range t.NumAttributes() {
		if j == t.ClassIndex() {
			continue
		}
		if codes := t.Codes(j); codes != nil {
			l.buf = binary.BigEndian.AppendUint32(l.buf, uint32(codes[r.Index]))
			continue
		}
		x := t.Numbers(j)[r.Index]
		switch {
		case math.IsNaN(x):
			x = math.NaN()
		case x == 0:
			x = 0 // not -0
		}
		l.buf = binary.BigEndian.AppendUint64(l.buf, math.Float64bits(x))
	}
	return string(l.buf)
}

// of returns the number of the layout of a table.
func (l *layouts) of(t *dataset.Table) int {
	if n, ok := l.numbers[t]; ok {
		return n
	}
	text := fmt.Sprint(t.ClassIndex())
	for j := range t.NumAttributes() {
		a := t.Attribute(j)
		text += fmt.Sprintf(" %q %v %q", a.Name, a.Kind, a.Values)
	}
	n, ok := l.known[text]
	if !ok {
		n = len(l.known)
		l.known[text] = n
	}
	l.numbers[t] = n
	return n
}
