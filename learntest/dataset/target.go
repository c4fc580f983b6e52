package dataset

import (
	"fmt"
	"math"
)

// Target returns the number to be predicted for row i, or NaN if it is
// missing. The target, the column [Table.ClassIndex], must be numeric.
func (t *Table) Target(i int) float64 { return t.cols[t.class].Numbers[i] }

// A Regression is a table with a numeric target, as a data set whose labels are numbers.
// All else is as in the table; [Table.Regression] makes one.
type Regression struct{ *Table }

// Label returns [Table.Target]. Data sets have a method of this name for the label of an
// example.
func (r Regression) Label(i int) float64 { return r.Target(i) }

// Regression returns the table as a data set with numbers as labels. The error
// wraps [ErrTable] if the table has no target or a nominal one, and names the
// first row whose target is missing.
func (t *Table) Regression() (Regression, error) {
	switch {
	case t.class < 0:
		return Regression{}, fmt.Errorf("%w %q: no target: name one with ReadOptions.Target",
			ErrTable, t.name)
	case t.cols[t.class].Kind != Numeric:
		return Regression{}, fmt.Errorf("%w %q: the target %q is nominal, regression needs a numeric one",
			ErrTable, t.name, t.cols[t.class].Name)
	}
	for i, y := range t.cols[t.class].Numbers {
		if math.IsNaN(y) {
			return Regression{}, fmt.Errorf("%w %q: row %d: the target %q is missing: leave the row out",
				ErrTable, t.name, i, t.cols[t.class].Name)
		}
	}
	return Regression{t}, nil
}
