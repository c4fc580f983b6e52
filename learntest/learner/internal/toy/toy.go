// Package toy makes small tables for the tests of learners. It serves tests
// only.
package toy

import (
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/learner"
)

// A T is a test, a benchmark or a property that is checked.
type T interface {
	Errorf(format string, args ...any)
	FailNow()
}

// Numeric returns a numeric column.
func Numeric(name string, x ...float64) dataset.Column {
	return dataset.Column{Attribute: dataset.Attribute{Name: name}, Numbers: x}
}

// Nominal returns a nominal column with the given declared values.
func Nominal(name string, values []string, codes ...int32) dataset.Column {
	return dataset.Column{Attribute: dataset.Attribute{Name: name, Kind: dataset.Nominal, Values: values}, Codes: codes}
}

// Table returns a table whose last column is the class. It ends the test if
// there can be no such table.
func Table(t T, weights []float64, cols ...dataset.Column) *dataset.Table {
	table, err := dataset.New("toy", cols, len(cols)-1, weights)
	if err != nil {
		t.Errorf("%v", err)
		t.FailNow()
	}
	return table
}

// Rows returns the indices of all rows of t.
func Rows(t *dataset.Table) []int {
	rows := make([]int, t.Len())
	for i := range rows {
		rows[i] = i
	}
	return rows
}

// Distributions returns the class distributions that m finds for the rows of
// t, one after the other.
func Distributions(m learner.Model, t *dataset.Table) []float64 {
	n := t.NumClasses()
	out := make([]float64, t.Len()*n)
	for i := range t.Len() {
		m.Distribution(t, i, out[i*n:(i+1)*n])
	}
	return out
}
