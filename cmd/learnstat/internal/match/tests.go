package match

import (
	"fmt"
	"strings"
)

// A testMatch is the results of one test in each column.
type testMatch struct {
	name    string
	entries []*entry // by column; nil where there is none
}

// matchTests matches results of one learner on one data set by package and test. Results without a
// partner by name are matched if one of them is left in each column that has any: tests get
// renamed.
func matchTests(columns [][]entry) []testMatch {
	var names []testName
	byName := make(map[testName]*testMatch)
	for i := range columns {
		for j := range columns[i] {
			e := &columns[i][j]
			m := byName[e.name]
			if m == nil {
				m = &testMatch{name: e.name.String(), entries: make([]*entry, len(columns))}
				byName[e.name] = m
				names = append(names, e.name)
			}
			m.entries[i] = e
		}
	}
	var matches []testMatch
	var rest []*testMatch // that are in one column only
	for _, n := range names {
		m := byName[n]
		if in := m.columns(); len(in) == 1 {
			rest = append(rest, m)
			continue
		}
		matches = append(matches, *m)
	}
	if len(rest) > 1 && len(rest) <= len(columns) {
		joined := testMatch{name: rest[0].name, entries: make([]*entry, len(columns))}
		unique := true
		for _, m := range rest {
			i := m.columns()[0]
			unique = unique && joined.entries[i] == nil
			joined.entries[i] = m.entries[i]
		}
		if unique {
			return append(matches, joined)
		}
	}
	for _, m := range rest {
		matches = append(matches, *m)
	}
	return matches
}

// columns returns the columns in which there are results.
func (m *testMatch) columns() []int {
	var in []int
	for i, e := range m.entries {
		if e != nil {
			in = append(in, i)
		}
	}
	return in
}

// String returns package and test.
func (t testName) String() string { return strings.TrimSpace(t.pkg + " " + t.test) }

// renames collects results matched under different packages or tests.
type renames struct {
	rows  int
	first string
}

// add takes the results of a row, of which each column has one learner's.
func (r *renames) add(a *arrangement, label string, columns [][]entry) {
	if a.query.HasBaseline || len(columns) < 2 {
		return
	}
	var base *entry
	for i := range columns {
		if len(columns[i]) != 1 {
			if len(columns[i]) > 1 {
				return // a learner of several tests
			}
			continue
		}
		e := &columns[i][0]
		if base == nil {
			base = e
			continue
		}
		if e.name != base.name && e.side != base.side {
			if r.rows == 0 {
				r.first = fmt.Sprintf("%s is of %s in %s and of %s in %s", label, base.name.orNone(),
					base.side.Label, e.name.orNone(), e.side.Label)
			}
			r.rows++
			return
		}
	}
}

func (t testName) orNone() string {
	if s := t.String(); s != "" {
		return s
	}
	return "no test"
}

// String returns a note, or nothing if all was matched by name.
func (r *renames) String() string {
	switch {
	case r.rows == 0:
		return ""
	case r.rows == 1:
		return "another package or test, and compared nevertheless: " + r.first
	}
	return fmt.Sprintf("another package or test, and compared nevertheless: %s, and so for %d other rows", r.first, r.rows-1)
}
