package unit

import (
	"fmt"
	"math"
	"strings"
)

// FormatScore returns a score as it is shown: 0.69862 of a fraction as
// "69.86%", others with four significant digits.
func (u Unit) FormatScore(x float64) string {
	if u.IsFraction() {
		return fmt.Sprintf("%.2f%%", 100*x)
	}
	return fmt.Sprintf("%.4g", x)
}

// FormatDifference returns a difference of scores as it is shown: that of
// fractions in percentage points, as "+24.55 points".
func (u Unit) FormatDifference(x float64) string { return u.signed(x) + u.suffix() }

// FormatInterval returns an interval of differences as it is shown.
func (u Unit) FormatInterval(lo, hi float64) string {
	return u.signed(lo) + " to " + u.signed(hi) + u.suffix()
}

// FormatMargin returns a margin or another amount without a sign.
func (u Unit) FormatMargin(x float64) string { return strings.TrimPrefix(u.FormatDifference(x), "+") }

// FormatMarginUp is FormatMargin, but what it shows of a fraction is no less than x.
func (u Unit) FormatMarginUp(x float64) string {
	if u.IsFraction() {
		x = math.Ceil(x*1e4) / 1e4
	}
	return u.FormatMargin(x)
}

// FormatPart returns an amount that is part of another one, as in "0.80 of 2.00 points".
func (u Unit) FormatPart(part, whole float64) string {
	return strings.TrimPrefix(u.signed(part), "+") + " of " + u.FormatMargin(whole)
}

func (u Unit) signed(x float64) string {
	if u.IsFraction() {
		// Not -0.00 for what rounds to zero.
		return fmt.Sprintf("%+.2f", math.Round(1e4*x)/100+0)
	}
	return fmt.Sprintf("%+.4g", x+0)
}

func (u Unit) suffix() string {
	if u.IsFraction() {
		return " points"
	}
	return ""
}

// FormatP returns a p-value as it is shown.
func FormatP(p float64) string {
	switch {
	case p >= 0.001:
		return fmt.Sprintf("%.3f", p)
	case p == 0:
		return "0"
	}
	return fmt.Sprintf("%.1e", p)
}

// FormatRuns returns a number of runs as it is shown.
func FormatRuns(n int) string {
	if n == 1 {
		return "1 run"
	}
	return fmt.Sprintf("%d runs", n)
}
