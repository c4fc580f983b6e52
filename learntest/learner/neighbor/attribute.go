package neighbor

import (
	"math"

	"github.com/learnbench/learnbench/learntest/learner/internal/trainset"
)

// An attribute is one column except the class.
type attribute struct {
	trainset.Column

	place int // its index in the order of the attributes
	slot  int // its place among the numeric or among the nominal attributes

	// Numeric only.
	min, max float64   // +Inf and -Inf if no value is known
	train    []float64 // the column of the training table
	missing  bool      // whether a training value is missing
	spread   float64   // variance of the normalised values, roughly
}

// measure sets the range and the spread of the known values of the rows.
func (a *attribute) measure(rows []int32) {
	least, most, missing := math.Inf(1), math.Inf(-1), false
	for _, r := range rows {
		x := a.train[r]
		if x < least {
			least = x
		}
		if x > most {
			most = x
		}
		if x != x {
			missing = true
		}
	}
	a.min, a.max, a.missing = least, most, missing

	step := (len(rows) + sampled - 1) / sampled
	n, sum, squares := 0.0, 0.0, 0.0
	for i := 0; i < len(rows); i += step {
		if x := a.norm(a.train[rows[i]]); x == x {
			n++
			sum += x
			squares += float64(x * x)
		}
	}
	if a.spread = 0; n > 0 {
		a.spread = squares/n - float64(sum*sum)/(n*n)
	}
}

// widen takes x into the range and reports whether that changed it. It does
// nothing if x is missing.
func (a *attribute) widen(x float64) bool {
	changed := false
	if x < a.min {
		a.min, changed = x, true
	}
	if x > a.max {
		a.max, changed = x, true
	}
	return changed
}

// norm maps the range to [0, 1]. It returns NaN for NaN.
func (a *attribute) norm(x float64) float64 {
	switch width := a.max - a.min; {
	case x != x:
		return x
	case !(width > 0): // one value, or none
		return 0
	case width > math.MaxFloat64:
		return (float64(x/2) - float64(a.min/2)) / (float64(a.max/2) - float64(a.min/2))
	default:
		return (x - a.min) / width
	}
}
