package dataset

import (
	"errors"
	"math"
	"strconv"
)

var (
	errNotNumber = errors.New("not a number")
	errRange     = errors.New("too large for a 64-bit number")
)

// The powers of ten that a float64 holds exactly.
var pow10 = [...]float64{
	1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10,
	1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
}

// parseNumber reads a decimal number: an optional sign, digits with at most one
// point among them, an optional decimal exponent. Names of infinities and NaN,
// hexadecimal digits and digit separators are not numbers, and neither is one
// that would round to an infinity.
func parseNumber(b []byte) (float64, error) {
	i := 0
	if i < len(b) && (b[i] == '+' || b[i] == '-') {
		i++
	}
	var mantissa uint64
	digits, frac := 0, 0
	point := false
	for ; i < len(b); i++ {
		if c := b[i] - '0'; c <= 9 {
			digits++
			if digits <= 15 {
				mantissa = mantissa*10 + uint64(c)
			}
			if point {
				frac++
			}
		} else if b[i] == '.' && !point {
			point = true
		} else {
			break
		}
	}
	switch {
	case digits == 0:
		return 0, errNotNumber
	case i < len(b):
		if !isExponent(b[i:]) {
			return 0, errNotNumber
		}
	case digits <= 15:
		// Both operands are exact, so that the quotient is correctly rounded.
		x := float64(mantissa) / pow10[frac]
		if b[0] == '-' {
			x = -x
		}
		return x, nil
	}
	x, _ := strconv.ParseFloat(string(b), 64)
	if math.IsInf(x, 0) {
		return 0, errRange
	}
	return x, nil
}

func isExponent(b []byte) bool {
	if b[0] != 'e' && b[0] != 'E' {
		return false
	}
	b = b[1:]
	if len(b) > 0 && (b[0] == '+' || b[0] == '-') {
		b = b[1:]
	}
	for _, c := range b {
		if c < '0' || c > '9' {
			return false
		}
	}
	return len(b) > 0
}
