package unit

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
)

// A Number is a float64 that survives JSON with any value: NaN, which stands for an unknown
// number, is null, and the infinities are "+Inf" and "-Inf".
type Number float64

// NaN returns the unknown number.
func NaN() Number { return Number(math.NaN()) }

// IsNaN reports whether the number is unknown.
func (n Number) IsNaN() bool { return math.IsNaN(float64(n)) }

// MarshalJSON implements json.Marshaler.
func (n Number) MarshalJSON() ([]byte, error) {
	switch x := float64(n); {
	case math.IsNaN(x):
		return []byte("null"), nil
	case math.IsInf(x, 0):
		return fmt.Appendf(nil, "%q", strconv.FormatFloat(x, 'g', -1, 64)), nil
	default:
		return json.Marshal(x)
	}
}

// UnmarshalJSON implements json.Unmarshaler.
func (n *Number) UnmarshalJSON(text []byte) error {
	var x *float64
	switch string(text) {
	case `"+Inf"`:
		*n = Number(math.Inf(1))
		return nil
	case `"-Inf"`:
		*n = Number(math.Inf(-1))
		return nil
	}
	if err := json.Unmarshal(text, &x); err != nil {
		return err
	}
	if x == nil {
		*n = NaN()
		return nil
	}
	*n = Number(*x)
	return nil
}

// String returns the shortest decimal number that reads back as n, or nothing for NaN.
func (n Number) String() string {
	x := float64(n) + 0 // not -0
	if math.IsNaN(x) {
		return ""
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}
