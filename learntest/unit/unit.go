package unit

import (
	"fmt"
	"math"
)

// A Direction says whether greater values of a metric are better or worse. As a number it
// is the sign of an improvement.
type Direction int8

// The directions. The zero value is invalid, so that a metric whose direction
// was forgotten is never judged.
const (
	Higher Direction = 1  // greater is better
	Lower  Direction = -1 // smaller is better
)

// String returns "higher" or "lower".
func (d Direction) String() string {
	switch d {
	case Higher:
		return "higher"
	case Lower:
		return "lower"
	}
	return fmt.Sprintf("Direction(%d)", int8(d))
}

// ParseDirection returns the direction with the given name, and whether there is one.
func ParseDirection(name string) (Direction, bool) {
	for _, d := range []Direction{Higher, Lower} {
		if name == d.String() {
			return d, true
		}
	}
	return 0, false
}

// A Unit describes a metric: the unit under which its values are stored.
type Unit struct {
	Name     string    // as in "accuracy"; any text but the empty one and the words that the format reserves
	Better   Direction // never 0
	Min, Max float64   // range of possible values, ±Inf where unbounded

	// Mean means that a score is the mean over the test examples of one value per example,
	// from Min to Max; a share of right predictions is such a score. Equal scores then do
	// not exclude a loss: n examples may have missed it. Accuracy, error and brier need no
	// flag: see [Unit.IsMean].
	Mean bool

	// OfModel means that a score is a property of the trained model, such as its size, and of none
	// of its predictions. Claims on ratios of such costs compare totals.
	OfModel bool
}

// IsMean reports whether scores are means over the test examples of values from a range:
// true for this module's metrics of that kind and for units with Mean.
func (u Unit) IsMean() bool {
	if math.IsInf(u.Min, 0) || math.IsInf(u.Max, 0) {
		return false
	}
	return u.Mean || u.Name == "accuracy" || u.Name == "error" || u.Name == "brier"
}

// Span returns the width of the range of values; it is infinite if the range has no end.
func (u Unit) Span() float64 { return u.Max - u.Min }

// IsFraction reports whether the metric has the range 0 to 1. Such scores are shown in
// percent and their differences in percentage points.
func (u Unit) IsFraction() bool { return u.Min == 0 && u.Max == 1 }

// Best returns the best possible score; it is infinite if there is no bound.
func (u Unit) Best() float64 {
	if u.Better == Lower {
		return u.Min
	}
	return u.Max
}

// Worst returns the worst possible score; it is infinite if there is no bound.
func (u Unit) Worst() float64 {
	if u.Better == Lower {
		return u.Max
	}
	return u.Min
}

// CheckMargin returns an error for a margin that is not positive, or that no difference
// between two scores can exceed. flag is the name of the flag that set the margin.
func (u Unit) CheckMargin(flag string, margin float64) error {
	if !(margin > 0) || math.IsInf(margin, 1) {
		return fmt.Errorf("-%s %v is not a positive number: give one in the unit of %s, or none", flag,
			margin, u.Name)
	}
	if span := u.Max - u.Min; margin >= span {
		hint := "give a smaller one, in the unit of the metric"
		if u.IsFraction() {
			hint = "0.02 is two points"
		}
		return fmt.Errorf("-%s %v is the whole range of %s, %v to %v, or more, and no difference is beyond it: %s", flag, margin, u.Name, u.Min, u.Max, hint)
	}
	return nil
}
