package unit

import (
	"fmt"
	"math"
	"strings"
)

// FormatScore formats a score for people: the fraction 0.69862 as "69.86%", other units
// with four significant digits.
func (u Unit) FormatScore(x float64) string {
	if u.IsFraction() {
		return fmt.Sprintf("%.2f%%", 100*x)
	}
	return fmt.Sprintf("%.4g", x)
}

// FormatDifference formats a difference of scores for people: differences of fractions in
// percentage points, as "+24.55 points".
func (u Unit) FormatDifference(x float64) string { return u.signed(x) + u.suffix() }

// FormatInterval formats an interval of differences for people.
func (u Unit) FormatInterval(lo, hi float64) string {
	return u.signed(lo) + " to " + u.signed(hi) + u.suffix()
}

// FormatMargin formats a margin or another amount without a sign.
func (u Unit) FormatMargin(x float64) string {
	return strings.TrimPrefix(u.FormatDifference(x),
		"+")
}

// FormatMarginUp is FormatMargin, but rounds a fraction up: the printed number is no less
// than x.
func (u Unit) FormatMarginUp(x float64) string {
	if u.IsFraction() {
		x = math.Ceil(x*1e4) / 1e4
	}
	return u.FormatMargin(x)
}

// FormatPart formats an amount as a part of another one, as in "0.80 of 2.00 points".
func (u Unit) FormatPart(part, whole float64) string {
	return strings.TrimPrefix(u.signed(part), "+") + " of " + u.FormatMargin(whole)
}

// rounding is the largest difference of sums of scores that has no meaning.
const rounding = 1e-15

func (u Unit) signed(x float64) string {
	if u.IsFraction() {
		// Not -0.00 for what rounds to zero.
		return fmt.Sprintf("%+.2f", math.Round(1e4*x)/100+0)
	}
	if math.Abs(x) < rounding {
		x = 0
	}
	return fmt.Sprintf("%+.4g", x+0)
}

func (u Unit) suffix() string {
	if u.IsFraction() {
		return " points"
	}
	return ""
}

// FormatP formats a p-value for people.
func FormatP(p float64) string {
	switch {
	case p >= 0.001:
		return fmt.Sprintf("%.3f", p)
	case p == 0:
		return "0"
	}
	return fmt.Sprintf("%.1e", p)
}

// FormatProbability formats an estimated probability, never as a certainty.
func FormatProbability(p float64) string {
	switch {
	case p >= 0.9995:
		return "> 0.999"
	case p < 0.0005:
		return "< 0.001"
	}
	return fmt.Sprintf("%.3f", p)
}

// FormatRuns formats a number of runs, such as "1 run" or "10 runs".
func FormatRuns(n int) string {
	if n == 1 {
		return "1 run"
	}
	return fmt.Sprintf("%d runs", n)
}
