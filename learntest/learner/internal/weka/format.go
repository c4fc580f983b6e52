package weka

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Hundredths rounds x, which is not negative, to two decimals and formats it
// as Java formats a double, as Weka prints weights in models.
func Hundredths(x float64) string {
	x = math.Floor(float64(x*100)+0.5) / 100
	if x >= 1e7 {
		s := strconv.FormatFloat(x, 'E', -1, 64)
		mantissa, exp, _ := strings.Cut(s, "E+0")
		if exp == "" {
			mantissa, exp, _ = strings.Cut(s, "E+")
		}
		if !strings.Contains(mantissa, ".") {
			mantissa += ".0"
		}
		return mantissa + "E" + exp
	}
	s := strconv.FormatFloat(x, 'f', -1, 64)
	if !strings.Contains(s, ".") {
		s += ".0"
	}
	return s
}

// Decimals rounds x to at most six decimals, half away from zero, as Weka
// prints thresholds in models. Numbers beyond the range of 64-bit integers
// after a shift by six digits are formatted in full.
func Decimals(x float64) string {
	shifted := float64(math.Abs(x) * 1e6)
	if !(shifted < math.MaxInt64) {
		return strconv.FormatFloat(x, 'g', -1, 64)
	}
	digits := int64(shifted + 0.5)
	if digits == 0 {
		return "0"
	}
	s := fmt.Sprintf("%d.%06d", digits/1e6, digits%1e6)
	s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	if x < 0 {
		s = "-" + s
	}
	return s
}
