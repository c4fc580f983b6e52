package dataset

import (
	"fmt"
	"unicode/utf8"
)

// WithGroups returns a copy of the table, with the same columns, whose rows belong to the
// given groups, one for each row: rows with equal texts are one group. name describes a
// group, such as "patient", and is the name of the groups in an ARFF file. The table keeps
// the slice.
//
// The error wraps [ErrTable] if the number of groups differs from the number of rows, a
// group is not UTF-8, or the name is empty, not UTF-8 or the name of a column.
func (t *Table) WithGroups(name string, groups []string) (*Table, error) {
	if name == "" || !utf8.ValidString(name) {
		return nil, fmt.Errorf("%w %q: the name %q of the groups is empty or not UTF-8", ErrTable, t.name,
			name)
	}
	for j := range t.cols {
		if t.cols[j].Name == name {
			return nil, fmt.Errorf("%w %q: column %d and the groups are both named %q", ErrTable, t.name, j,
				name)
		}
	}
	if len(groups) != t.n {
		return nil, fmt.Errorf("%w %q: %d groups for %d rows", ErrTable, t.name, len(groups), t.n)
	}
	for i, g := range groups {
		if !utf8.ValidString(g) {
			return nil, fmt.Errorf("%w %q: row %d: group %q is not UTF-8", ErrTable, t.name, i, g)
		}
	}
	if groups == nil {
		groups = []string{} // there are groups, if no rows
	}
	return &Table{
		name: t.name, cols: t.cols, class: t.class, n: t.n, weights: t.weights, file: t.file,
		membership: membership{name, groups, t.slices},
	}, nil
}

// Groups returns the group of each row, or nil if there are no groups. Rows of one
// group, such as the measurements of one patient, are alike for reasons that do not carry
// over to others, so that protocols such as split.Groups keep them together. The attribute
// named by [ReadOptions.Group] is not a column.
func (m *membership) Groups() []string { return m.groups }

// A groupColumn collects the groups of the rows of a file.
type groupColumn struct {
	of    []string
	texts map[string]string // so that a group's text is kept once
}

// append appends the group of a row, which it copies.
func (g *groupColumn) append(text []byte, b *budget) error {
	group, ok := g.texts[string(text)]
	if !ok {
		if !utf8.Valid(text) {
			return fmt.Errorf("group %q is not UTF-8: convert the file first", shorten(string(text)))
		}
		if err := b.name(); err != nil {
			return err
		}
		if g.texts == nil {
			g.texts = make(map[string]string)
		}
		group = string(text)
		g.texts[group] = group
	}
	g.of = append(g.of, group)
	return nil
}
