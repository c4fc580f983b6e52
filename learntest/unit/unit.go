package unit

import (
	"fmt"
	"math"
)

// A Direction says whether greater values of a metric are better or worse. As a number it is
// the sign that a difference has if it is an improvement.
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

// ParseDirection returns the direction of the given name, and whether it is one.
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
	Name     string    // as in "accuracy"; any text but the empty one and those that the format reserves
	Better   Direction // never 0
	Min, Max float64   // range of possible values, ±Inf where unbounded

	// Mean says that a score is the mean over the test examples of a value from Min to Max for
	// each, as a share of right predictions is. Scores that are the same then still leave losses
	// open that so many examples cannot show. Accuracy, error and brier are known to be such: see
	// [Unit.IsMean].
	Mean bool
}

// IsMean reports whether scores are means over the test examples of values from a range: those of
// the module's own metrics that are, and of units that say so.
func (u Unit) IsMean() bool {
	if math.IsInf(u.Min, 0) || math.IsInf(u.Max, 0) {
		return false
	}
	return u.Mean || u.Name == "accuracy" || u.Name == "error" || u.Name == "brier"
}

// Span is the width of the range of values; infinite where it has no end.
func (u Unit) Span() float64 { return u.Max - u.Min }

// IsFraction reports whether the metric has the range 0 to 1. Such scores are shown in percent
// and their differences in percentage points.
func (u Unit) IsFraction() bool { return u.Min == 0 && u.Max == 1 }

// Best returns the best value that a score can have, which is infinite where there is none.
func (u Unit) Best() float64 {
	if u.Better == Lower {
		return u.Min
	}
	return u.Max
}

// Worst returns the worst value that a score can have, which is infinite where there is none.
func (u Unit) Worst() float64 {
	if u.Better == Lower {
		return u.Max
	}
	return u.Min
}

// CheckMargin returns an error for a margin that is not positive, or that no difference between
// two scores can exceed. The flag is the name of the one that sets it.
func (u Unit) CheckMargin(flag string, margin float64) error {
	if !(margin > 0) || math.IsInf(margin, 1) {
		return fmt.Errorf("-%s %v is not a positive number: give one in the unit of %s, or none", flag, margin, u.Name)
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
