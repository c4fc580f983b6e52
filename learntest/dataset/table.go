package dataset

import (
	"errors"
	"fmt"
	"math"
	"sync"
	"sync/atomic"
	"unicode/utf8"
)

// ErrTable means that a table is impossible.
var ErrTable = errors.New("invalid table")

// A Kind says how the values of an attribute are stored and compared.
type Kind uint8

// The kinds of attributes.
const (
	Numeric Kind = iota // real numbers; NaN is a missing value
	Nominal             // one of a declared list of values; code -1 is a missing value
)

// String returns "numeric" or "nominal".
func (k Kind) String() string {
	switch k {
	case Numeric:
		return "numeric"
	case Nominal:
		return "nominal"
	}
	return fmt.Sprintf("Kind(%d)", uint8(k))
}

// An Attribute describes one column of a [Table].
type Attribute struct {
	Name string // unique in the table
	Kind Kind

	// Values are the declared values of a nominal attribute, in the order of
	// their declaration. A value that never occurs is still declared, and
	// learners that smooth counts depend on it.
	Values []string
}

// A Column is an attribute with its values, one for each row. A numeric attribute uses
// Numbers, a nominal one Codes (indices into Values).
type Column struct {
	Attribute
	Numbers []float64
	Codes   []int32
}

// A Table is a set of instances in columns. It is immutable and safe for concurrent use;
// its methods return shared slices, which the caller must not modify.
type Table struct {
	name    string
	cols    []Column
	class   int
	n       int
	weights []float64
	file    string // absolute; empty if the table was not opened from one

	membership

	digestOnce sync.Once
	described  atomic.Pointer[description] // nil until the digest is asked for
}

// A membership says which rows belong together.
type membership struct {
	groupName string   // empty if there are no groups
	groups    []string // nil if there are no groups
	slices    []Slice
}

// A Row is one instance of a table, identified by its index, which is counted from 0.
type Row struct {
	Table *Table
	Index int
}

// New returns a table of the given columns. class is the index of the column to be
// predicted, or -1 if there is none. weights holds one positive weight for each row, or is
// nil if every row weighs 1. New keeps the slices.
//
// The error names the column and row of the first invalid value: a column of another
// length, an infinite number, a code out of range, an empty attribute name, a repeated
// attribute name or nominal value, a name or value that is not UTF-8, a weight that is not
// positive and finite. If all weights are 1, New drops them, so that they do not change the
// digest.
func New(name string, cols []Column, class int, weights []float64) (*Table, error) {
	if !utf8.ValidString(name) {
		return nil, fmt.Errorf("%w %q: the name is not UTF-8", ErrTable, name)
	}
	if len(cols) == 0 {
		return nil, fmt.Errorf("%w %q: no columns", ErrTable, name)
	}
	if class < -1 || class >= len(cols) {
		return nil, fmt.Errorf("%w %q: class column %d of %d", ErrTable, name, class, len(cols))
	}
	n := len(cols[0].Numbers)
	if cols[0].Kind == Nominal {
		n = len(cols[0].Codes)
	}
	names := make(map[string]int, len(cols))
	for j := range cols {
		if prev, ok := names[cols[j].Name]; ok {
			return nil, fmt.Errorf("%w %q: columns %d and %d are both named %q", ErrTable, name, prev,
				j, cols[j].Name)
		}
		names[cols[j].Name] = j
		if err := cols[j].check(n); err != nil {
			return nil, fmt.Errorf("%w %q: column %d (%s): %w", ErrTable, name, j, cols[j].Name, err)
		}
	}
	weights, err := checkWeights(weights, n)
	if err != nil {
		return nil, fmt.Errorf("%w %q: %w", ErrTable, name, err)
	}
	return &Table{name: name, cols: cols, class: class, n: n, weights: weights}, nil
}

func (c *Column) check(n int) error {
	if c.Name == "" || !utf8.ValidString(c.Name) {
		return errors.New("the name is empty or not UTF-8")
	}
	switch c.Kind {
	case Numeric:
		if len(c.Numbers) != n {
			return fmt.Errorf("%d values, the first column has %d", len(c.Numbers), n)
		}
		if c.Values != nil || c.Codes != nil {
			return errors.New("a numeric column has neither declared values nor codes")
		}
		for i, x := range c.Numbers {
			if math.IsInf(x, 0) {
				return fmt.Errorf("row %d: %v", i, x)
			}
		}
	case Nominal:
		if len(c.Codes) != n {
			return fmt.Errorf("%d values, the first column has %d", len(c.Codes), n)
		}
		if c.Numbers != nil {
			return errors.New("a nominal column has no numbers")
		}
		seen := make(map[string]bool, len(c.Values))
		for _, v := range c.Values {
			if seen[v] {
				return fmt.Errorf("value %q is declared twice", v)
			}
			if !utf8.ValidString(v) {
				return fmt.Errorf("value %q is not UTF-8", v)
			}
			seen[v] = true
		}
		for i, code := range c.Codes {
			if code < -1 || int(code) >= len(c.Values) {
				return fmt.Errorf("row %d: code %d of %d values", i, code, len(c.Values))
			}
		}
	default:
		return fmt.Errorf("unknown kind %v", c.Kind)
	}
	return nil
}

func checkWeights(weights []float64, n int) ([]float64, error) {
	if weights == nil {
		return nil, nil
	}
	if len(weights) != n {
		return nil, fmt.Errorf("%d weights for %d rows", len(weights), n)
	}
	allOne := true
	for i, w := range weights {
		if !(w > 0) || math.IsInf(w, 0) {
			return nil, fmt.Errorf("row %d: weight %v is not positive and finite", i, w)
		}
		allOne = allOne && w == 1
	}
	if allOne {
		return nil, nil
	}
	return weights, nil
}

// Name returns the name of the table (the relation of an ARFF file).
func (t *Table) Name() string { return t.name }

// File returns the absolute path of the file from which [Open] read the table, or "" for
// any other table.
func (t *Table) File() string { return t.file }

// Len returns the number of rows.
func (t *Table) Len() int { return t.n }

// NumAttributes returns the number of columns, the class included.
func (t *Table) NumAttributes() int { return len(t.cols) }

// Attribute describes column j.
func (t *Table) Attribute(j int) Attribute { return t.cols[j].Attribute }

// ClassIndex returns the column to be predicted, the class or a numeric target,
// or -1 if the table has none.
func (t *Table) ClassIndex() int { return t.class }

// NumClasses returns the number of declared class values, some of which may not occur. It
// is 0 without a nominal class.
func (t *Table) NumClasses() int {
	if t.class < 0 {
		return 0
	}
	return len(t.cols[t.class].Values)
}

// Class returns the class of row i as an index into the class attribute's
// values, or -1 if it is missing. The class must be nominal.
func (t *Table) Class(i int) int { return int(t.cols[t.class].Codes[i]) }

// Label returns [Table.Class]. Data sets have a method of this name for the label of an
// example.
func (t *Table) Label(i int) int { return t.Class(i) }

// Example returns row i.
func (t *Table) Example(i int) Row { return Row{Table: t, Index: i} }

// Numbers returns the values of numeric column j, NaN where missing. It is nil
// if the column is nominal.
func (t *Table) Numbers(j int) []float64 { return t.cols[j].Numbers }

// Codes returns the values of nominal column j as indices into its declared
// values, -1 where missing. It is nil if the column is numeric.
func (t *Table) Codes(j int) []int32 { return t.cols[j].Codes }

// Missing reports whether the value in row i of column j is missing.
func (t *Table) Missing(i, j int) bool {
	if t.cols[j].Kind == Nominal {
		return t.cols[j].Codes[i] < 0
	}
	return math.IsNaN(t.cols[j].Numbers[i])
}

// Weights returns the weight of each row, or nil if every row weighs 1.
func (t *Table) Weights() []float64 { return t.weights }
