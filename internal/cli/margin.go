package cli

import (
	"fmt"
	"math"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// CheckMargin returns an error for a margin that is none, or that no difference
// in the metric of the unit could be beyond.
func CheckMargin(u record.Unit, margin float64) error {
	if !(margin > 0) || math.IsInf(margin, 1) {
		return fmt.Errorf("-margin %v is not a positive number: give one in the unit of %s, or none", margin, u.Name)
	}
	if span := u.Max - u.Min; margin >= span {
		hint := "give a smaller one, in the unit of the metric"
		if verdict.IsFraction(u) {
			hint = "0.02 is two points"
		}
		return fmt.Errorf("-margin %v is the whole range of %s, %v to %v, or more, and no difference is beyond it: %s", margin, u.Name, u.Min, u.Max, hint)
	}
	return nil
}
