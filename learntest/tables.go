package learntest

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/learnbench/learnbench/learntest/dataset"
)

// tables says of a data set whose examples are rows which tables they are of.
type tables struct {
	all     []*dataset.Table // in the order of their first row
	digests []string         // of all
	alike   error            // why their attributes differ
	direct  bool             // example i is row i of the only one
	own     error            // why the labels are not the tables' own
}

// readTables looks at data whose examples are rows. It returns nil if they are of
// another type.
func readTables[X any, Y comparable](data Data[X, Y]) (*tables, error) {
	rows, ok := any(data).(Data[dataset.Row, Y])
	if !ok {
		return nil, nil
	}
	if t, ok := any(data).(*dataset.Table); ok && t.NumClasses() == 0 {
		return nil, errors.New("the table has no nominal class: name the class attribute when it is read, or use Table.Regression if a number is to be predicted")
	}
	return tablesOf(rows, indices(rows.Len()))
}

// tablesOf looks at the examples that are given by their indices.
func tablesOf[Y comparable](rows Data[dataset.Row, Y], indices []int) (*tables, error) {
	ts := &tables{direct: true}
	known := make(map[*dataset.Table]bool)
	var last *dataset.Table
	for _, i := range indices {
		r := rows.Example(i)
		if r.Table == nil || r.Index < 0 || r.Index >= r.Table.Len() {
			return nil, fmt.Errorf("example %d is no row of a table: Table.Example makes one", i)
		}
		if r.Table != last && !known[r.Table] {
			known[r.Table] = true
			ts.add(r.Table, i)
			if err := showFile(r.Table.File()); err != nil {
				return nil, err
			}
		}
		last = r.Table
		ts.direct = ts.direct && r.Index == i
		if ts.own == nil {
			ts.own = ownLabel(r, rows.Label(i), i)
		}
	}
	ts.direct = ts.direct && len(ts.all) == 1
	return ts, nil
}

// add adds the table of example i.
func (ts *tables) add(t *dataset.Table, i int) {
	if len(ts.all) > 0 && ts.alike == nil && !sameAttributes(ts.all[0], t) {
		ts.alike = fmt.Errorf("example %d is a row of a table with other attributes than the table of example 0", i)
	}
	digest, _ := t.Digest() // its error is always nil
	ts.all = append(ts.all, t)
	ts.digests = append(ts.digests, digest)
}

// ownLabel returns an error unless the label of example i is what its table says.
func ownLabel(r dataset.Row, label any, i int) error {
	own := false
	switch y := label.(type) {
	case int:
		own = r.Table.NumClasses() > 0 && y == r.Table.Class(r.Index)
	case float64:
		c := r.Table.ClassIndex()
		own = c >= 0 && r.Table.Attribute(c).Kind == dataset.Numeric && y == r.Table.Target(r.Index)
	}
	if own {
		return nil
	}
	return fmt.Errorf("the label of example %d is %v, which is not what its table says: this learner knows the labels of tables only", i, label)
}

// sameAttributes reports whether a learner that was trained on one table can
// predict rows of the other.
func sameAttributes(a, b *dataset.Table) bool {
	if a.NumAttributes() != b.NumAttributes() || a.ClassIndex() != b.ClassIndex() {
		return false
	}
	for j := range a.NumAttributes() {
		x, y := a.Attribute(j), b.Attribute(j)
		if x.Name != y.Name || x.Kind != y.Kind || !slices.Equal(x.Values, y.Values) {
			return false
		}
	}
	return true
}

// declared returns the class attribute of the tables if the labels are its
// codes.
func (ts *tables) declared() (dataset.Attribute, bool) {
	if ts == nil || ts.own != nil || ts.alike != nil || ts.all[0].NumClasses() == 0 {
		return dataset.Attribute{}, false
	}
	return ts.all[0].Attribute(ts.all[0].ClassIndex()), true
}

// changed returns the digest of the first table that has changed, or "".
func (ts *tables) changed() string {
	if ts == nil {
		return ""
	}
	for i, t := range ts.all {
		if now := t.CurrentDigest(); now != ts.digests[i] {
			return now
		}
	}
	return ""
}

// A tabular is the table that is made of the examples of a data set, once a learner asks for it.
type tabular struct {
	of *tabular // of the data set that these examples come from: the table has its columns

	mu     sync.Mutex
	source any // *source[dataset.Row, L]
	tables *tables
	err    error
}

// made returns the tables that have been made.
func (t *tabular) made() *tables {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.tables
}

// indices returns the numbers from 0 to n-1.
func indices(n int) []int {
	is := make([]int, n)
	for i := range is {
		is[i] = i
	}
	return is
}
