// Package linear holds what linear models of tables share: their training rows as rows of
// numbers, and the method of conjugate gradients. It gives the same bits on every machine.
package linear

import (
	"errors"
	"fmt"
	"math"

	"github.com/learnbench/learnbench/internal/largepage"
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/learner/internal/scratch"
	"github.com/learnbench/learnbench/learntest/learner/internal/trainset"
)

// A Design holds training rows as rows of numbers, and encodes other rows in their way.
//
// A numeric attribute is one column, less its mean over the training rows and divided by its
// standard deviation sqrt(1/n · Σ (x − mean)²) there, unless that is 0. A nominal attribute is one
// column of zeros and ones for each value that occurs in training. If any training row lacks a
// value of an attribute, that lack is a further column of zeros and ones; a number that is missing
// is the mean. What training has never seen, be it a value or the lack of one, is zero in all
// columns of its attribute.
//
// Mean and deviation are over known values, each of which counts once, whatever its weight.
type Design struct {
	Columns int

	inputs  []input
	rows    int
	dense   int // columns of numbers, which come first
	slots   int // ones of a row
	numbers []float64
	ones    []int32
	codes   []int32 // columns of the values of all nominal attributes
	query   Row
	table   *dataset.Table // the table that inputs are bound to
}

// An input is an attribute with its columns.
type input struct {
	trainset.Column
	shift, scale float64
	number       int // column of a numeric attribute
	first        int // index in Design.codes of the first value of a nominal attribute
	slot         int // where a row has its one, or -1 if it never has
	missing      int32
}

// none is the column of what training has never seen.
const none = -1

// Train sets the design to rows of a table. The memory of an earlier one is used again. It panics
// with the name of the learner as [trainset.Column.Bind] does. The error names an attribute whose
// numbers are too large.
func (d *Design) Train(t *dataset.Table, rows []int32, learner string) error {
	d.inputs, d.dense, d.slots, d.codes, d.table = d.inputs[:0], 0, 0, d.codes[:0], nil
	for j := range t.NumAttributes() {
		if j == t.ClassIndex() {
			continue
		}
		in := input{Column: trainset.NewColumn(t, j), slot: none, missing: none}
		if in.Meta.Kind == dataset.Numeric {
			in.number = d.dense
			d.dense++
		}
		d.inputs = append(d.inputs, in)
	}
	trainset.Bind(&d.table, t, learner, d.inputs)
	d.rows, d.Columns = len(rows), d.dense
	for k := range d.inputs {
		in := &d.inputs[k]
		if in.Meta.Kind == dataset.Nominal {
			d.seen(in, rows)
		} else if err := d.scale(in, rows); err != nil {
			return fmt.Errorf("attribute %q: %w", in.Meta.Name, err)
		}
	}
	if n := len(rows) * d.dense; n > cap(d.numbers) {
		d.numbers = largepage.Make[float64](n, n)
	}
	d.numbers = d.numbers[:len(rows)*d.dense]
	d.ones = scratch.Resize(d.ones, len(rows)*d.slots)
	for first := 0; first < len(rows); first += block {
		some := rows[first:min(first+block, len(rows))]
		for k := range d.inputs {
			d.inputs[k].encodeRows(d, first, some)
		}
	}
	d.query = Row{scratch.Resize(d.query.numbers, d.dense), scratch.Resize(d.query.ones, d.slots)}
	return nil
}

// column returns a column that no other attribute has.
func (d *Design) column() int32 {
	d.Columns++
	return int32(d.Columns - 1)
}

// seen gives columns to the values of a nominal attribute that occur in the rows.
func (d *Design) seen(in *input, rows []int32) {
	in.first, in.slot = len(d.codes), d.slots
	d.slots++
	for range in.Meta.Values {
		d.codes = append(d.codes, none)
	}
	own := d.codes[in.first:]
	for _, r := range rows {
		switch c := in.Codes[r]; {
		case c >= 0 && own[c] == none:
			own[c] = d.column()
		case c < 0 && in.missing == none:
			in.missing = d.column()
		}
	}
}

// errLarge is that squares or differences of numbers overflow.
var errLarge = errors.New("its numbers are too large: divide them first")

// scale finds mean and deviation of a numeric attribute. Differences from the first number keep
// timestamps precise, and quotients keep squares in range.
func (d *Design) scale(in *input, rows []int32) error {
	first, least, most, n := math.NaN(), math.Inf(1), math.Inf(-1), 0.0
	for _, r := range rows {
		x := in.Numbers[r]
		if x != x {
			if in.missing == none {
				in.missing, in.slot = d.column(), d.slots
				d.slots++
			}
			continue
		}
		if n == 0 {
			first = x
		}
		if x < least {
			least = x
		}
		if x > most {
			most = x
		}
		n++
	}
	in.shift, in.scale = 0, 1
	if n == 0 {
		return nil
	}
	if in.shift = first; least == most {
		return nil
	}
	sum := 0.0
	for _, r := range rows {
		if x := in.Numbers[r]; x == x {
			sum += (x - first) / n
		}
	}
	in.shift = first + sum
	span, squares := max(most-in.shift, in.shift-least), 0.0
	for _, r := range rows {
		if x := in.Numbers[r]; x == x {
			q := (x - in.shift) / span
			squares += float64(q * q)
		}
	}
	in.scale = span * math.Sqrt(squares/n)
	if !(in.scale > 0 && in.scale <= math.MaxFloat64) {
		return errLarge
	}
	return nil
}

// Row returns a training row.
func (d *Design) Row(i int) Row {
	return Row{d.numbers[i*d.dense:][:d.dense], d.ones[i*d.slots:][:d.slots]}
}

// Encode returns a row of any table with the attributes that were trained on; it panics as
// [trainset.Column.Bind] does. The row is valid until the next call.
func (d *Design) Encode(t *dataset.Table, row int, learner string) Row {
	trainset.Bind(&d.table, t, learner, d.inputs)
	d.encode(d.query, row)
	return d.query
}

// farthest is more deviations than any number is from the mean, but so few that products with
// coefficients and their sums are finite.
const farthest = 1e100

// encode sets r to a row of the table that inputs are bound to.
func (d *Design) encode(r Row, row int) {
	for k := range d.inputs {
		d.inputs[k].encode(d, r, row)
	}
}

// encodeRows sets the columns of one attribute in training rows.
func (in *input) encodeRows(d *Design, first int, rows []int32) {
	if in.slot != none {
		for i, r := range rows {
			in.encode(d, d.Row(first+i), int(r))
		}
		return
	}
	at := first*d.dense + in.number
	for _, r := range rows {
		d.numbers[at] = in.scaled(int(r))
		at += d.dense
	}
}

// encode sets the columns of one attribute.
func (in *input) encode(d *Design, r Row, row int) {
	one := int32(none)
	switch {
	case in.Meta.Kind == dataset.Nominal:
		if one = in.missing; in.Codes[row] >= 0 {
			one = d.codes[in.first+int(in.Codes[row])]
		}
	case in.Numbers[row] != in.Numbers[row]:
		r.numbers[in.number], one = 0, in.missing
	default:
		r.numbers[in.number] = in.scaled(row)
	}
	if in.slot != none {
		r.ones[in.slot] = one
	}
}

// scaled returns a known number in deviations from the mean.
func (in *input) scaled(row int) float64 {
	switch q := (in.Numbers[row] - in.shift) / in.scale; {
	case q > farthest:
		return farthest
	case q < -farthest:
		return -farthest
	default:
		return q
	}
}

// Release forgets the table, so that a pool does not keep it alive.
func (d *Design) Release() {
	d.table = nil
	clear(d.inputs)
}
