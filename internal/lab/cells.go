package lab

import (
	"fmt"
	"math"
	"strconv"
)

func Figure(x float64, digits int) string {
	if math.IsNaN(x) {
		return ""
	}
	return strconv.FormatFloat(x, 'f', digits, 64)
}

func Signed(x float64, digits int) string {
	if math.IsNaN(x) {
		return ""
	}
	return fmt.Sprintf("%+.*f", digits, x+0)
}

func Percent(x float64) string { return Figure(100*x, 1) }

// Indicator returns 1 if it is so, and else 0.
func Indicator(yes bool) int {
	if yes {
		return 1
	}
	return 0
}
