package dataset

import (
	"encoding/binary"
	"strconv"
)

// mostDigits is the greatest number of digits of which every decimal number is the nearest one to
// its float64.
const mostDigits = 15

// appendText appends the text of a number in a form from which nextText restores it: the number of
// decimals if that tells the text, as parsePlain says, else more than mostDigits and the text.
func appendText(to, text []byte, decimals int) []byte {
	if decimals >= 0 {
		return append(to, byte(decimals))
	}
	to = binary.AppendUvarint(to, uint64(mostDigits+1+len(text)))
	return append(to, text...)
}

// nextText returns the text of x at the start of what appendText has appended, and the rest.
func nextText(from []byte, x float64) (text string, rest []byte) {
	n, used := binary.Uvarint(from)
	from = from[used:]
	if n <= mostDigits {
		return strconv.FormatFloat(x, 'f', int(n), 64), from
	}
	n -= mostDigits + 1
	return string(from[:n]), from[n:]
}

// parsePlain parses a number, and returns the number of digits after the decimal point if the text
// has the form of -12.50, with mostDigits at most, or else -1.
func parsePlain(text []byte) (x float64, decimals int, err error) {
	start := 0
	if len(text) > 0 && text[0] == '-' {
		start = 1
	}
	end, mantissa := len(text), uint64(0)
	point := end
	if end-start > mostDigits+1 {
		return parseOther(text)
	}
	for i := start; i < end; i++ {
		if c := text[i] - '0'; c <= 9 {
			mantissa = mantissa*10 + uint64(c)
		} else if text[i] == '.' && point == end {
			point = i
		} else {
			return parseOther(text)
		}
	}
	whole, digits := point-start, end-start
	if point < end {
		digits--
	}
	decimals = digits - whole
	if whole == 0 || whole > 1 && text[start] == '0' || point < end && decimals == 0 ||
		digits > mostDigits {
		return parseOther(text)
	}
	// Both operands are exact, so that the quotient is correctly rounded.
	x = float64(mantissa) / pow10[decimals]
	if start > 0 {
		x = -x
	}
	return x, decimals, nil
}

func parseOther(text []byte) (x float64, decimals int, err error) {
	x, err = parseNumber(text)
	return x, -1, err
}
