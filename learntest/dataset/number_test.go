package dataset

import (
	"math"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestParseNumber(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]float64{
		"0": 0, "-0": math.Copysign(0, -1), "+1": 1, "12.50": 12.5, ".5": 0.5, "5.": 5, "-.25": -0.25,
		"1e3": 1000, "1E-3": 0.001, "2.5e+1": 25, "1e-999": 0, "1.7976931348623157e308": math.MaxFloat64,
		"123456789012345": 123456789012345, "1234567890123456789": 1234567890123456789,
		"0.1": 0.1, "0.000000000000001": 1e-15, "00000000000000000001.5": 1.5, "5e-324": 5e-324,
	} {
		got, err := parseNumber([]byte(s))
		require.NoError(t, err, s)
		require.Equal(t, math.Float64bits(want), math.Float64bits(got), s)
	}
	for _, s := range []string{
		"", "+", "-", ".", "-.", "e", "e5", "1e", "1e+", "1e1.5", "1.2.3", "1,5", "1_000",
		"0x10", "0x1p3",
		"inf", "Inf", "-Infinity", "nan", "NaN", "1f", "1d", " 1", "1 ", "--1", "+-1", "1-", "١",
	} {
		_, err := parseNumber([]byte(s))
		require.ErrorIs(t, err, errNotNumber, s)
	}
	for _, s := range []string{"1e309", "-1e309", "2e308", "1e99999999999999999999"} {
		_, err := parseNumber([]byte(s))
		require.ErrorIs(t, err, errRange, s)
	}
}

// TestParseNumberRoundsLikeStrconv covers the exact shortcut for short numbers.
func TestParseNumberRoundsLikeStrconv(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringMatching(`[+-]?[0-9]{0,12}\.?[0-9]{1,12}([eE][+-]?[0-9]{1,2})?`).Draw(t, "s")
		want, err := strconv.ParseFloat(s, 64)
		require.NoError(t, err)
		got, err := parseNumber([]byte(s))
		require.NoError(t, err)
		require.Equal(t, math.Float64bits(want), math.Float64bits(got), s)
	})
}
