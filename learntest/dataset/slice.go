package dataset

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A Slice is a part of the examples of a data set of which the scores are to be known apart, such
// as the patients of one clinic.
type Slice struct {
	Name string // as in "clinic=A"
	Rows []int  // indices of its examples, ascending
}

// maxSlices is the number of values that a column may have whose values are slices.
const maxSlices = 20

// SlicesOf returns a slice NAME=VALUE for each different text of a column, in the order of the
// texts. Texts that stand for a missing value are empty, and are the slice "NAME=?".
//
// The error wraps [ErrTable] if there are more than 20 values, or a text is not UTF-8.
func SlicesOf(column string, texts []string) ([]Slice, error) {
	rows := make(map[string][]int)
	var values []string
	for i, v := range texts {
		if rows[v] == nil {
			if len(values) == maxSlices {
				return nil, fmt.Errorf("%w: column %q has more than %d values, too many for slices: make a column of fewer, as of ages below and above 60", ErrTable, column, maxSlices)
			}
			if !utf8.ValidString(v) {
				return nil, fmt.Errorf("%w: row %d: value %q of column %q is not UTF-8", ErrTable, i, v, column)
			}
			values = append(values, v)
		}
		rows[v] = append(rows[v], i)
	}
	slices.Sort(values)
	of := make([]Slice, len(values))
	for k, v := range values {
		of[k] = Slice{Name: column + "=" + v, Rows: rows[v]}
		if v == "" {
			of[k].Name = column + "=?"
		}
	}
	return of, nil
}

// WithSlice returns a copy of the table, with the same columns, in which each value of a nominal
// column, or of the groups, is a slice besides the slices that there are: the scores on its rows
// are known apart. Of a column with numbers, a bound such as "age>=60" makes one slice, by >=, <=,
// > or <, in which missing numbers are not.
//
// The error wraps [ErrTable] if there is no such column, if it has numbers and there is no bound,
// if it has more than 20 values, or if no number is in the bound.
func (t *Table) WithSlice(column string) (*Table, error) {
	fail := func(format string, args ...any) (*Table, error) {
		return nil, fmt.Errorf("%w %q: %s", ErrTable, t.name, fmt.Sprintf(format, args...))
	}
	texts := t.groups
	if column != t.groupName || t.groups == nil {
		j := slices.IndexFunc(t.cols, func(c Column) bool { return c.Name == column })
		if j < 0 {
			if s, err := bounded(t, column); err != nil {
				return fail("%v", err)
			} else if s.Rows != nil {
				return withSlices(t, s)
			}
			names := make([]string, len(t.cols))
			for i := range t.cols {
				names[i] = t.cols[i].Name
			}
			return fail("there is no column %q whose values could be slices: it has %s", column,
				someNames(names))
		}
		c := &t.cols[j]
		if c.Kind == Numeric {
			return fail("column %q has numbers, which are no slices: give a bound, as in %q, or make a nominal column of them", column, column+">=60")
		}
		texts = make([]string, t.n)
		for i, code := range c.Codes {
			if code >= 0 {
				texts[i] = c.Values[code]
			}
		}
	}
	of, err := SlicesOf(column, texts)
	if err != nil {
		return nil, err
	}
	for _, s := range t.slices {
		if strings.HasPrefix(s.Name, column+"=") {
			return fail("the values of column %q are slices already", column)
		}
	}
	return withSlices(t, of...)
}

// withSlices returns a copy of the table with more slices.
func withSlices(t *Table, of ...Slice) (*Table, error) {
	for _, s := range of {
		if slices.ContainsFunc(t.slices, func(have Slice) bool { return have.Name == s.Name }) {
			return nil, fmt.Errorf("%w %q: slice %q is there already", ErrTable, t.name, s.Name)
		}
	}
	return &Table{
		name: t.name, cols: t.cols, class: t.class, n: t.n, weights: t.weights, file: t.file,
		membership: membership{t.groupName, t.groups, slices.Concat(t.slices, of)},
	}, nil
}

// bounded returns the slice of the rows whose number is in a bound such as "age>=60". It has no
// rows if the text is no bound of a column.
func bounded(t *Table, text string) (s Slice, err error) {
	at := strings.IndexAny(text, "<>")
	if at < 0 {
		return s, nil
	}
	op, limit := text[at:at+1], text[at+1:]
	if rest, ok := strings.CutPrefix(limit, "="); ok {
		op, limit = op+"=", rest
	}
	column := strings.TrimSpace(text[:at])
	j := slices.IndexFunc(t.cols, func(c Column) bool { return c.Name == column })
	switch {
	case j < 0:
		return s, nil
	case t.cols[j].Kind != Numeric:
		return s, fmt.Errorf("column %q has no numbers, and no bound", column)
	}
	bound, err := strconv.ParseFloat(strings.TrimSpace(limit), 64)
	if err != nil || math.IsNaN(bound) {
		return s, fmt.Errorf("%q is no number that could bound column %q", limit, column)
	}
	s.Name = column + op + strings.TrimSpace(limit)
	for i, x := range t.cols[j].Numbers {
		if op[0] == '>' && x > bound || op[0] == '<' && x < bound || len(op) > 1 && x == bound {
			s.Rows = append(s.Rows, i)
		}
	}
	if s.Rows == nil {
		return s, fmt.Errorf("no row has %s", s.Name)
	}
	return s, nil
}

// Slices returns the slices that [Table.WithSlice] and [ReadOptions].Slices have made.
func (m *membership) Slices() []Slice { return m.slices }
