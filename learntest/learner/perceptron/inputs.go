package perceptron

import (
	"math"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/learner/internal/scratch"
	"github.com/learnbench/learnbench/learntest/learner/internal/trainset"
)

// An input is an attribute as the perceptron sees it: a number, or one of more
// than two nominal values.
type input struct {
	trainset.Column

	multi  bool // nominal with more than two values
	number float64
	code   int32 // number or code in place of a missing value
}

// A run is a maximal sequence of inputs of one sort, by their indices within
// the sort.
type run struct {
	multi    bool
	from, to int
}

// takeInputs lists the inputs of a table and finds what replaces their
// missing values.
func (w *workspace) takeInputs(t *dataset.Table) {
	w.inputs, w.runs = w.inputs[:0], w.runs[:0]
	w.dx, w.dc = 0, 0
	for j := range t.NumAttributes() {
		if j == t.ClassIndex() {
			continue
		}
		in := input{Column: trainset.NewColumn(t, j)}
		in.multi = len(in.Meta.Values) > 2
		known := false
		if in.Meta.Kind == dataset.Numeric {
			in.number, known = w.mean(t, j)
		} else {
			in.code, known = w.mode(t, j)
			in.number = float64(in.code)
		}
		if !known && !in.multi {
			continue // 0 everywhere in training, so that it never counts
		}
		size := &w.dx
		if in.multi {
			size = &w.dc
		}
		if n := len(w.runs); n == 0 || w.runs[n-1].multi != in.multi {
			w.runs = append(w.runs, run{multi: in.multi, from: *size})
		}
		*size++
		w.runs[len(w.runs)-1].to = *size
		w.inputs = append(w.inputs, in)
	}
}

// mean returns the mean of a numeric column over the training rows, and
// whether any value is known.
func (w *workspace) mean(t *dataset.Table, column int) (float64, bool) {
	numbers, weights := t.Numbers(column), t.Weights()
	sum, n := 0.0, 0.0
	for _, r := range w.rows {
		x := numbers[r]
		if x != x {
			continue
		}
		weight := 1.0
		if weights != nil {
			weight = weights[r]
		}
		sum += float64(weight * x)
		n += weight
	}
	return sum / n, n > 0
}

// mode returns the first of the most frequent codes of a nominal column, and
// whether any is known. It is 0 if none is.
func (w *workspace) mode(t *dataset.Table, column int) (int32, bool) {
	codes, weights := t.Codes(column), t.Weights()
	w.counts = scratch.Resize(w.counts, len(t.Attribute(column).Values))
	clear(w.counts)
	for _, r := range w.rows {
		switch c := codes[r]; {
		case c < 0:
		case weights == nil:
			w.counts[c]++
		default:
			w.counts[c] += weights[r]
		}
	}
	best, greatest := int32(0), 0.0
	for c, n := range w.counts {
		if n > greatest {
			best, greatest = int32(c), n
		}
	}
	return best, greatest > 0
}

// take sets e to a row of the table that w is bound to.
func (w *workspace) take(e example, row int) {
	x, c := 0, 0
	for k := range w.inputs {
		in := &w.inputs[k]
		switch {
		case in.multi:
			code := in.Codes[row]
			if code < 0 {
				code = in.code
			}
			e.codes[c] = code
			c++
		case in.Numbers != nil:
			v := in.Numbers[row]
			if math.IsNaN(v) {
				v = in.number
			}
			e.numbers[x] = v
			x++
		default:
			v := in.number
			if code := in.Codes[row]; code >= 0 {
				v = float64(code)
			}
			e.numbers[x] = v
			x++
		}
	}
}
