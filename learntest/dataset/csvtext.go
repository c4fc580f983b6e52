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

// plainNumber parses the field at the start of a line, which ends at the separator, and returns its
// length and the number of digits after its decimal point, if it has the form of -12.50, with
// mostDigits at most, or else the length 0.
func plainNumber(line []byte, comma byte) (x float64, decimals, length int) {
	i, mantissa := 0, uint64(0)
	if len(line) > 0 && line[0] == '-' {
		i = 1
	}
	start := i
	for ; i < len(line) && line[i]-'0' <= 9; i++ {
		mantissa = mantissa*10 + uint64(line[i]-'0')
	}
	digits := i - start
	if digits == 0 || digits > 1 && line[start] == '0' {
		return 0, 0, 0
	}
	if i < len(line) && line[i] == '.' {
		point := i
		for i++; i < len(line) && line[i]-'0' <= 9; i++ {
			mantissa = mantissa*10 + uint64(line[i]-'0')
		}
		decimals = i - point - 1
		if decimals == 0 {
			return 0, 0, 0
		}
	}
	if digits+decimals > mostDigits || i < len(line) && line[i] != comma {
		return 0, 0, 0
	}
	// Both operands are exact, so that the quotient is correctly rounded.
	x = float64(mantissa) / pow10[decimals]
	if start > 0 {
		x = -x
	}
	return x, decimals, i
}

// parsePlain parses a number, and returns the number of decimals as plainNumber does, or else -1.
func parsePlain(text []byte) (x float64, decimals int, err error) {
	if x, decimals, n := plainNumber(text, 0); n > 0 && n == len(text) {
		return x, decimals, nil
	}
	x, err = parseNumber(text)
	return x, -1, err
}
