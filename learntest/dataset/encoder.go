package dataset

import (
	"fmt"
	"math"
	"slices"

	"github.com/learnbench/learnbench/internal/largepage"
)

// A Matrix holds encoded rows one after the other.
type Matrix struct {
	Rows, Cols int       // how many there are
	Data       []float64 // row i is Data[i*Cols : (i+1)*Cols]
	Names      []string  // of the columns
}

// Slices returns the rows, which share the memory of the matrix.
func (m Matrix) Slices() [][]float64 {
	rows := make([][]float64, m.Rows)
	for i := range rows {
		rows[i] = m.Data[i*m.Cols : (i+1)*m.Cols : (i+1)*m.Cols]
	}
	return rows
}

// Names returns the names of the columns: the name of a numeric attribute, "colour=red" for
// a nominal value, and "colour missing" for an indicator. The caller must not modify it.
func (e *Encoder) Names() []string { return e.names }

// Matrix encodes the given rows of t, in the order given. It returns the errors of
// [Encoder.AppendRow].
func (e *Encoder) Matrix(t *Table, rows []int) (Matrix, error) {
	m := Matrix{Rows: len(rows), Cols: len(e.names), Names: e.names}
	m.Data = largepage.Make[float64](0, m.Rows*m.Cols)
	if err := e.checkTable(t); err != nil {
		return Matrix{}, err
	}
	for _, i := range rows {
		var err error
		if m.Data, err = e.append(m.Data, t, i); err != nil {
			return Matrix{}, err
		}
	}
	return m, nil
}

// AppendRow appends one encoded row to dst. The row may come from another table than the
// one given to [Encoding.Fit] if its attributes have the same kinds and values.
//
// The error wraps [ErrEncoding] and names row and attribute: a missing value under
// [MissingError], or a number too far from the training rows to be scaled. It is an error,
// too, if the table has other attributes or does not have the row.
func (e *Encoder) AppendRow(dst []float64, r Row) ([]float64, error) {
	if err := e.checkTable(r.Table); err != nil {
		return dst, err
	}
	return e.append(dst, r.Table, r.Index)
}

func (e *Encoder) checkTable(t *Table) error {
	if t == e.table {
		return nil
	}
	if t == nil {
		return fmt.Errorf("%w: no table", ErrEncoding)
	}
	if len(t.cols) != len(e.table.cols) || t.class != e.table.class {
		return fmt.Errorf("%w: table %q has %d attributes and predicts attribute %d, table %q has %d and predicts %d",
			ErrEncoding, t.name, len(t.cols), t.class, e.table.name, len(e.table.cols), e.table.class)
	}
	for _, in := range e.inputs {
		got, want := &t.cols[in.column], &e.table.cols[in.column]
		if got.Kind != want.Kind || !slices.Equal(got.Values, want.Values) {
			return fmt.Errorf("%w: attribute %d (%s) of table %q differs from its counterpart in table %q (%s)",
				ErrEncoding, in.column, got.Name, t.name, e.table.name, want.Name)
		}
	}
	return nil
}

func (e *Encoder) append(dst []float64, t *Table, row int) ([]float64, error) {
	if row < 0 || row >= t.n {
		return dst, fmt.Errorf("%w: table %q has %d rows, no row %d", ErrEncoding, t.name, t.n, row)
	}
	start := len(dst)
	dst = slices.Grow(dst, len(e.names))[:start+len(e.names)]
	for k := range e.inputs {
		in := &e.inputs[k]
		if c := &t.cols[in.column]; c.Kind == Numeric && in.width == 1 {
			if x := in.scaled(c.Numbers[row]); x-x == 0 { // known and finite, without a call
				dst[start+in.first] = x
				continue
			}
		}
		if err := in.encode(dst[start+in.first:][:in.width], &t.cols[in.column], row,
			e.missing); err != nil {
			return dst[:start], fmt.Errorf("%w: table %q: row %d: attribute %q: %w", ErrEncoding, t.name,
				row, t.cols[in.column].Name, err)
		}
	}
	return dst, nil
}

// scaled returns a number in deviations from the mean, if numbers are scaled.
func (in *input) scaled(x float64) float64 { return (x - in.shift) / in.scale }

// encode writes the columns of one attribute.
func (in *input) encode(dst []float64, c *Column, row int, missing Missing) error {
	clear(dst)
	known := true
	if c.Kind == Numeric {
		x := c.Numbers[row]
		if known = !math.IsNaN(x); known {
			dst[0] = in.scaled(x)
			if math.IsInf(dst[0], 0) {
				return fmt.Errorf("%v is too far from the training rows to be scaled", x)
			}
		}
	} else if code := c.Codes[row]; code >= 0 {
		dst[code] = 1
	} else {
		known = false
	}
	switch {
	case known:
		return nil
	case missing == MissingError:
		return errMissing
	case missing == MissingNaN:
		for k := range dst {
			dst[k] = math.NaN()
		}
	default:
		dst[len(dst)-1] = 1
	}
	return nil
}
