package dataset

import (
	"encoding/binary"
	"strconv"
	"strings"
)

// mostDigits is the greatest number of digits of which every decimal number is the nearest one to
// its float64.
const mostDigits = 15

// appendText appends the text of a number in a form from which nextText restores it: the number of
// decimals if that tells the text, else more than mostDigits and the text.
func appendText(to []byte, text string) []byte {
	if d := decimals(text); d >= 0 {
		return append(to, byte(d))
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

// decimals returns the number of digits after the decimal point of a number in plain form, as -12.50 is,
// or -1 if the text has another form or many digits.
func decimals(text string) int {
	digits := strings.TrimPrefix(text, "-")
	whole, _, pointed := strings.Cut(digits, ".")
	n, d := len(digits), 0
	if pointed {
		n--
		d = n - len(whole)
	}
	if n > mostDigits || whole == "" || whole[0] == '0' && len(whole) > 1 || pointed && d == 0 {
		return -1
	}
	for i := range len(digits) {
		if c := digits[i]; (c < '0' || c > '9') && i != len(whole) {
			return -1
		}
	}
	return d
}
