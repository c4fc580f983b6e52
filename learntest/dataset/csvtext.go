package dataset

import (
	"encoding/binary"
	"math"
	"math/bits"
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
	i := 0
	sign := uint64(0)
	if len(line) > 0 {
		// Signs are as good as random: this has no branch.
		sign = uint64(uint32(line[0]^'-')-1) >> 31
		i = int(sign)
	}
	start, mantissa := i, uint64(0)
	for ; i < len(line) && line[i]-'0' <= 9; i++ {
		mantissa = mantissa*10 + uint64(line[i]-'0')
	}
	digits := i - start
	if digits == 0 || digits > 1 && line[start] == '0' {
		return 0, 0, 0
	}
	if i < len(line) && line[i] == '.' {
		i++
		point := i
		if len(line)-i >= 8 {
			value, n := leadingDigits(binary.LittleEndian.Uint64(line[i:]))
			mantissa = mantissa*tens[n] + value
			i += n
		}
		for ; i < len(line) && line[i]-'0' <= 9; i++ {
			mantissa = mantissa*10 + uint64(line[i]-'0')
		}
		decimals = i - point
		if decimals == 0 {
			return 0, 0, 0
		}
	}
	if digits+decimals > mostDigits || i < len(line) && line[i] != comma {
		return 0, 0, 0
	}
	// Both operands are exact, so that the quotient is correctly rounded.
	x = float64(mantissa) / pow10[decimals]
	return math.Float64frombits(math.Float64bits(x) | sign<<63), decimals, i
}

// The powers of ten for up to eight digits.
var tens = [...]uint64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8}

// leadingDigits returns the number that the digits at the start of eight bytes make, the first of
// which is the lowest, and how many digits there are.
func leadingDigits(bytes uint64) (value uint64, n int) {
	const (
		ones  = 0x0101010101010101
		pairs = 0x000000ff000000ff
	)
	v := bytes ^ '0'*ones // digits become 0 to 9, whatever else becomes more
	others := (v + (0x80-10)*ones | v) & (0x80 * ones)
	n = bits.TrailingZeros64(others) / 8
	v <<= 64 - 8*n // behind zeros, which come first
	v = v*10 + v>>8
	return (v&pairs*(100+1000000<<32) + v>>16&pairs*(1+10000<<32)) >> 32, n
}

// parsePlain parses a number, and returns the number of decimals as plainNumber does, or else -1.
func parsePlain(text []byte) (x float64, decimals int, err error) {
	if x, decimals, n := plainNumber(text, 0); n > 0 && n == len(text) {
		return x, decimals, nil
	}
	x, err = parseNumber(text)
	return x, -1, err
}
