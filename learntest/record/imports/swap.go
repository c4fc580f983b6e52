package imports

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/learnbench/learnbench/learntest/record"
)

// symmetric are the metrics that do not change if predictions and truth are swapped.
var symmetric = []string{"accuracy", "error", "kappa", "mcc", "rmse", "mae"}

// A witness says what one of the two columns must be in a row, if it knows.
type witness struct {
	says func(r tested) (float64, bool)
	of   bool   // it knows the truth rather than the predictions
	name string // of the value that it knows
}

// decide finds out whether prediction and truth are swapped.
func (o *openml) decide() error {
	w, err := o.witness()
	if err != nil {
		return err
	}
	if w == nil {
		return o.needNone()
	}
	right, wrong := o.predicted, o.true // what should agree, and what else may
	if w.of {
		right, wrong = wrong, right
	}
	var known, bad, badSwapped int
	var first tested
	for _, r := range o.tested {
		x, ok := w.says(r)
		if !ok {
			continue
		}
		known++
		if right[r.at] != x {
			if bad == 0 || r.line < first.line {
				first = r
			}
			bad++
		}
		if wrong[r.at] != x {
			badSwapped++
		}
	}
	switch {
	case known == 0:
		return o.needNone()
	case bad == 0:
		return nil
	case badSwapped == 0:
		o.swapped = true
		return nil
	}
	x, _ := w.says(first)
	column, remedy := o.names[0], o.remedy
	if w.of {
		column, remedy = o.names[1], "give the right data"
	}
	if o.files != nil {
		o.c.source = o.files[first.fold]
	}
	return o.c.errorf(int(first.line), "column %q is %s, but %s is %s, here and in %d rows in all: %s",
		column, o.show(right[first.at]), w.name, o.show(x), bad, remedy)
}

// show returns a prediction or the truth as text.
func (o *openml) show(x float64) string {
	if o.classes == nil {
		return strconv.FormatFloat(x, 'g', -1, 64)
	}
	if x < 0 {
		return "another class"
	}
	return excerpt(o.classes[int(x)])
}

// witness returns the best that there is, or nil.
func (o *openml) witness() (*witness, error) {
	if t := o.c.table(o.c.Dataset); t != nil {
		if t.Len() != o.examples {
			return nil, fmt.Errorf("%w: the table of data set %q has %d examples, but %s tests %d",
				ErrOptions, t.Name(), t.Len(), o.c.source, o.examples)
		}
		return o.data()
	}
	if o.confidence == nil {
		return nil, nil
	}
	return &witness{says: o.surest, name: "the class of the greatest confidence"}, nil
}

// data returns the witness of the data.
func (o *openml) data() (*witness, error) {
	t := o.c.table(o.c.Dataset)
	if (t.NumClasses() > 0) != (o.classes != nil) || t.ClassIndex() < 0 {
		return nil, fmt.Errorf("%w: the table of data set %q and the predictions in %s must both be of classes or of numbers", ErrOptions, t.Name(), o.c.source)
	}
	w := &witness{of: true, name: "the truth in the data"}
	if o.classes == nil {
		w.says = func(r tested) (float64, bool) { return t.Target(int(r.example)), true }
		return w, nil
	}
	codes := make([]float64, t.NumClasses())
	for i, name := range t.Attribute(t.ClassIndex()).Values {
		code, ok := o.codes[name]
		if !ok {
			code = -1
		}
		codes[i] = float64(code)
	}
	w.says = func(r tested) (float64, bool) {
		class := t.Class(int(r.example))
		if class < 0 {
			return 0, false
		}
		return codes[class], true
	}
	return w, nil
}

// surest returns the class of the greatest confidence, if there is one.
func (o *openml) surest(r tested) (float64, bool) {
	best, at, unique := -1.0, -1, false
	for class, of := range o.confidence {
		switch x := of[r.at]; {
		case math.IsNaN(x):
			return 0, false
		case x > best:
			best, at, unique = x, class, true
		case x == best:
			unique = false
		}
	}
	return float64(at), unique
}

// needNone returns an error if a metric changes with a swap that nothing could show.
func (o *openml) needNone() error {
	for _, m := range o.chosen {
		if !slices.Contains(symmetric, m.Name) {
			return fmt.Errorf("%w: %s has no confidences that show whether prediction and truth are swapped, as by some clients, and %s depends on that: give the data with %s", ErrOptions, o.c.source, m.Name, optTables)
		}
	}
	return nil
}

// consistent returns an error unless an example has the same truth in all
// repetitions.
func (o *openml) consistent() error {
	last := make([]tested, o.examples)
	for _, r := range o.tested {
		if r.repeat > 0 {
			if before := last[r.example]; o.true[before.at] != o.true[r.at] {
				return &record.SyntaxError{
					File: o.c.source, Line: int(r.line),
					Msg: fmt.Sprintf("the truth of row_id %d is %s, but %s in line %d: prediction and truth may be swapped, and only the data can tell: give them with %s",
						r.example, o.show(o.true[r.at]), o.show(o.true[before.at]), before.line, optTables),
				}
			}
		}
		last[r.example] = r
	}
	return nil
}
