package dataset

import (
	"errors"
	"fmt"
	"math"
)

// ErrEncoding means that a row cannot be encoded as numbers.
var ErrEncoding = errors.New("rows cannot be encoded as numbers")

// Missing says how to encode a missing value as a number. Nothing is imputed: no choice
// puts an estimate in its place.
type Missing uint8

const (
	// MissingError makes a missing value an error.
	MissingError Missing = iota

	// MissingNaN makes each column of the attribute NaN, for learners that handle NaN.
	MissingNaN

	// MissingIndicator adds a column to each attribute, which is 1 where the value is
	// missing and 0 elsewhere. Where it is 1, the other columns of the attribute are 0,
	// scaled or not; only the indicator distinguishes this from a value. Attributes without
	// missing values have an indicator, too, so that the columns depend only on the
	// attributes.
	MissingIndicator
)

// An Encoding turns the rows of a table into rows of numbers, without the attribute to be
// predicted. The zero value copies numbers and rejects everything else.
type Encoding struct {
	// OneHot gives a nominal attribute one column for each declared value, in order, which
	// is 1 where the row has that value and 0 elsewhere. If false, a nominal attribute is
	// an error.
	OneHot bool

	// Scale subtracts from each numeric attribute its mean over the training
	// rows and divides by its standard deviation
	//
	//	sqrt(1/n · Σ (x − mean)²)
	//
	// there, unless that is 0. It is over the n training rows whose value is
	// known, each of which counts as often as it occurs, whatever its weight.
	// Columns of nominal attributes and indicators are not scaled.
	Scale bool

	// Missing says how to encode missing values.
	Missing Missing
}

// An Encoder encodes rows. It is immutable and safe for concurrent use.
type Encoder struct {
	table   *Table // whose attributes it knows
	missing Missing
	inputs  []input
	names   []string
}

// An input is an attribute with the state needed to encode it.
type input struct {
	column int
	first  int // of its columns in the result
	width  int
	shift  float64
	scale  float64 // a divisor
}

// Fit returns the encoder for the attributes of t. If e scales, means and deviations come
// from the given training rows only, so that nothing leaks from the test rows; otherwise
// train is not used and may be nil.
//
// The error wraps [ErrEncoding] and names the attribute and, if there is one, the row: a
// nominal attribute without OneHot, a training row that the table does not have, a missing
// value to be scaled under [MissingError], an attribute to be scaled that has no known
// value or is too large to scale, and a table with no attribute except the one to be
// predicted.
func (e Encoding) Fit(t *Table, train []int) (*Encoder, error) {
	if e.Missing > MissingIndicator {
		return nil, fmt.Errorf("%w: unknown Missing(%d)", ErrEncoding, e.Missing)
	}
	if e.Scale {
		for k, i := range train {
			if i < 0 || i >= t.n {
				return nil, fmt.Errorf("%w: table %q: train[%d] is %d, the table has %d rows", ErrEncoding,
					t.name, k, i, t.n)
			}
		}
	}
	enc := &Encoder{table: t, missing: e.Missing}
	for j := range t.cols {
		if j == t.class {
			continue
		}
		in := input{column: j, first: len(enc.names), scale: 1}
		if err := e.fit(&in, t, train); err != nil {
			return nil, fmt.Errorf("%w: table %q: attribute %q: %w", ErrEncoding, t.name, t.cols[j].Name,
				err)
		}
		enc.names = append(enc.names, e.names(&t.cols[j])...)
		in.width = len(enc.names) - in.first
		enc.inputs = append(enc.inputs, in)
	}
	if len(enc.inputs) == 0 {
		return nil, fmt.Errorf("%w: table %q has no attribute but the one to be predicted", ErrEncoding,
			t.name)
	}
	return enc, nil
}

// names returns the names of an attribute's columns.
func (e Encoding) names(c *Column) []string {
	var names []string
	if c.Kind == Numeric {
		names = append(names, c.Name)
	}
	for _, v := range c.Values {
		names = append(names, c.Name+"="+v)
	}
	if e.Missing == MissingIndicator {
		names = append(names, c.Name+" missing")
	}
	return names
}

func (e Encoding) fit(in *input, t *Table, train []int) error {
	c := &t.cols[in.column]
	switch {
	case c.Kind == Nominal && !e.OneHot:
		return errors.New("it is nominal: set Encoding.OneHot, or leave it out with ReadOptions.Ignore")
	case c.Kind == Nominal || !e.Scale:
		return nil
	}
	xs := make([]float64, 0, len(train))
	for _, i := range train {
		if x := c.Numbers[i]; !math.IsNaN(x) {
			xs = append(xs, x)
		} else if e.Missing == MissingError {
			return fmt.Errorf("row %d: %w", i, errMissing)
		}
	}
	if len(xs) == 0 {
		return errors.New("no training row has a known value to scale by: leave the attribute out with ReadOptions.Ignore")
	}
	in.shift, in.scale = meanAndDeviation(xs)
	if math.IsInf(in.shift, 0) || math.IsNaN(in.shift) || math.IsInf(in.scale, 0) ||
		math.IsNaN(in.scale) {
		return errors.New("its numbers are too large to be scaled: divide them first")
	}
	if in.scale == 0 {
		in.scale = 1
	}
	return nil
}

var errMissing = errors.New("the value is missing: leave the row out, or choose MissingNaN or MissingIndicator")

// meanAndDeviation returns the mean and the standard deviation of xs, which is
// 0 exactly if they are all equal. They are not finite if xs spans more than
// the largest number. Differences from the first number keep timestamps precise, and quotients
// keep squares in range.
func meanAndDeviation(xs []float64) (mean, deviation float64) {
	n := float64(len(xs))
	least, most := xs[0], xs[0] // slices.Min and Max look for NaN, which is slow
	for _, x := range xs {
		if x < least {
			least = x
		}
		if x > most {
			most = x
		}
	}
	if least == most {
		return least, 0
	}
	sum := 0.0
	for _, x := range xs {
		sum += (x - xs[0]) / n
	}
	mean = xs[0] + sum
	span := math.Max(most-mean, mean-least)
	squares := 0.0
	for _, x := range xs {
		q := (x - mean) / span
		squares += float64(q * q)
	}
	return mean, span * math.Sqrt(squares/n)
}
