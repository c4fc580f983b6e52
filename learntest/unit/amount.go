package unit

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// An Amount is a number as users write it: in the unit of a metric, as 0.02; with pp in
// percentage points of one that is a fraction, as 2pp; or with % in percent of the baseline's
// mean score, as 5%.
type Amount struct {
	Value float64 // as it is written
	In    string  // "", "pp" or "%"
}

// ParseAmount returns the amount that a text says.
func ParseAmount(text string) (Amount, error) {
	a, number := Amount{}, text
	for _, in := range []string{"pp", "%"} {
		if rest, ok := strings.CutSuffix(text, in); ok {
			number, a.In = rest, in
		}
	}
	var err error
	if a.Value, err = strconv.ParseFloat(number, 64); err != nil || math.IsInf(a.Value, 0) || math.IsNaN(a.Value) {
		return Amount{}, fmt.Errorf("%q is not a number", number)
	}
	return a, nil
}

// String returns the amount as it is written.
func (a Amount) String() string { return strconv.FormatFloat(a.Value, 'g', -1, 64) + a.In }

// IsOfMean reports whether the amount is in percent of the baseline's mean score.
func (a Amount) IsOfMean() bool { return a.In == "%" }

// Of returns the amount in the unit of the metric. The mean is the baseline's.
func (a Amount) Of(u Unit, mean float64) (float64, error) {
	switch a.In {
	case "pp":
		if !u.IsFraction() {
			return 0, fmt.Errorf("pp, percentage points, are for metrics of the range 0 to 1, and %s is none: give the number in its own unit, or in %% of the baseline's mean", u.Name)
		}
		return a.Value / 100, nil
	case "%":
		return a.Value / 100 * math.Abs(mean), nil
	}
	return a.Value, nil
}
