package match

import "slices"

// slots are what falls into the cells of a row, by the numbers of the columns, of which the last ones
// may lack.
type slots [][]entry

// of returns the slot of a column.
func (s slots) of(column int) []entry {
	if column < len(s) {
		return s[column]
	}
	return nil
}

// add adds an entry to the slot of a column.
func (s *slots) add(column int, e *entry) {
	for len(*s) <= column {
		*s = append(*s, nil)
	}
	(*s)[column] = append((*s)[column], *e)
}

// first returns the first slot with entries. A row has one.
func (s slots) first() []entry {
	return s[slices.IndexFunc(s, func(entries []entry) bool { return len(entries) > 0 })]
}
