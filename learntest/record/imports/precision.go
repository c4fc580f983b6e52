package imports

import (
	"math"
	"strconv"
	"strings"

	"github.com/learnbench/learnbench/learntest/unit"
)

// slack is how far a share of counts may be from one at least: the round-off of sums in single
// precision.
const slack = 1e-6

// A precision is how many digits the scores of one writer have at most.
type precision struct{ decimals, significant int }

// A writer is who has written scores: a tool, in one file, of one learner.
type writer struct{ source, learner, unit int32 }

// of takes the digits of a number in decimal.
func (p *precision) of(text string) {
	mantissa, exponent, _ := strings.Cut(strings.ToLower(strings.TrimLeft(strings.TrimSpace(text),
		"+-")), "e")
	shift, err := strconv.Atoi(exponent)
	if err != nil {
		shift = 0 // there is none
	}
	whole, fraction, _ := strings.Cut(strings.Replace(mantissa, ",", ".", 1), ".")
	p.decimals = max(p.decimals, len(fraction)-shift)
	p.significant = max(p.significant, len(strings.TrimLeft(whole+fraction, "0")))
}

// tolerance returns how far a number may be from the one that it was before it was rounded
// or cut off: a unit in its last digit, whether the writer counts decimals or
// significant digits.
func (p precision) tolerance(x float64) float64 {
	unit := math.Pow10(-p.decimals)
	if x != 0 {
		unit = max(unit, math.Pow10(int(math.Floor(math.Log10(math.Abs(x))))+1-p.significant))
	}
	return max(unit, slack)
}

// counted reports whether a metric is the share of the test examples that are right or
// wrong, so that its scores are multiples of one by their number.
func counted(u unit.Unit) bool { return u.Name == "accuracy" || u.Name == "error" }

// countable reports whether x is a share of n examples, within a tolerance.
func countable(x float64, n int, tolerance float64) bool {
	return math.Abs(x-math.Round(x*float64(n))/float64(n)) <= tolerance
}

// fits reports whether a score can be one of even folds.
func fits(x float64, examples, folds int, tolerance float64) bool {
	n := examples / folds
	return countable(x, n, tolerance) || examples%folds > 0 && countable(x, n+1, tolerance)
}
