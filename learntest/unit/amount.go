package unit

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// An Amount is a number with the unit that a user wrote: 0.02 in the unit of the metric,
// 2pp in percentage points of a fraction, 5% in percent of the baseline's mean score.
type Amount struct {
	Value float64 // as written
	In    string  // "", "pp" or "%"
}

// ParseAmount parses an amount, such as "0.02", "2pp" or "5%".
func ParseAmount(text string) (Amount, error) {
	a, number := Amount{}, text
	for _, in := range []string{"pp", "%"} {
		if rest, ok := strings.CutSuffix(text, in); ok {
			number, a.In = rest, in
		}
	}
	var err error
	if a.Value, err = strconv.ParseFloat(number, 64); err != nil || math.IsInf(a.Value, 0) ||
		math.IsNaN(a.Value) {
		return Amount{}, fmt.Errorf("%q is not a number", number)
	}
	return a, nil
}

// String returns the amount in the form that ParseAmount reads.
func (a Amount) String() string { return strconv.FormatFloat(a.Value, 'g', -1, 64) + a.In }

// IsOfMean reports whether the amount is in percent of the baseline's mean score.
func (a Amount) IsOfMean() bool { return a.In == "%" }

// Of returns the amount in the unit of the metric. mean is the baseline's mean score.
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
