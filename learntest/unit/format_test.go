package unit

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestFormatsOfUnits(t *testing.T) {
	t.Parallel()
	assert.Equal(t, "69.86%", accuracy.FormatScore(0.69862))
	assert.Equal(t, "0.6986", logloss.FormatScore(0.69862))
	assert.Equal(t, "+24.55 points", accuracy.FormatDifference(0.2455))
	assert.Equal(t, "+0.00 points", accuracy.FormatDifference(-0.000001), "not -0.00")
	assert.Equal(t, "-0.2455", logloss.FormatDifference(-0.2455))
	assert.Equal(t, "-1.00 to +2.00 points", accuracy.FormatInterval(-0.01, 0.02))
	assert.Equal(t, "2.00 points", accuracy.FormatMargin(0.02))
	assert.Equal(t, "1.01 points", accuracy.FormatMarginUp(0.010001))
	assert.Equal(t, "0.01", logloss.FormatMarginUp(0.010000001))
	assert.Equal(t, "0.80 of 2.00 points", accuracy.FormatPart(0.008, 0.02))
	assert.Equal(t, "0.8 of 2", logloss.FormatPart(0.8, 2))
}

func TestFormatP(t *testing.T) {
	t.Parallel()
	for p, want := range map[float64]string{
		0: "0", 1: "1.000", 0.001: "0.001", 0.0004: "4.0e-04",
		2.6e-20: "2.6e-20",
	} {
		assert.Equal(t, want, FormatP(p))
	}
}

func TestFormatProbability(t *testing.T) {
	t.Parallel()
	for p, want := range map[float64]string{
		0: "< 0.001", 0.00049: "< 0.001", 0.0005: "0.001", 0.5: "0.500", 0.9994: "0.999", 0.9995: "> 0.999", 1: "> 0.999",
	} {
		assert.Equal(t, want, FormatProbability(p), p)
	}
}

func TestDirections(t *testing.T) {
	t.Parallel()
	for _, d := range []Direction{Higher, Lower} {
		back, ok := ParseDirection(d.String())
		assert.True(t, ok)
		assert.Equal(t, d, back)
	}
	assert.Equal(t, "higher lower Direction(9)",
		Higher.String()+" "+Lower.String()+" "+Direction(9).String())
	_, ok := ParseDirection(Direction(0).String())
	assert.False(t, ok)
	assert.InDelta(t, 1, accuracy.Best(), 0)
	assert.InDelta(t, 0, accuracy.Worst(), 0)
	assert.InDelta(t, 0, logloss.Best(), 0)
	assert.True(t, math.IsInf(logloss.Worst(), 1))
}

func TestNumbersComeBackFromJSON(t *testing.T) {
	t.Parallel()
	for _, x := range []float64{
		0, 1, -1e-300, math.MaxFloat64, 0.1, math.Inf(1), math.Inf(-1),
		math.NaN(),
	} {
		text, err := json.Marshal(Number(x))
		require.NoError(t, err)
		var back Number
		require.NoError(t, json.Unmarshal(text, &back))
		assert.Equal(t, math.Float64bits(x), math.Float64bits(float64(back)), "%v", x)
	}
	for _, bad := range []string{`"Inf"`, `"NaN"`, `true`, `[]`} {
		assert.Error(t, json.Unmarshal([]byte(bad), new(Number)), bad)
	}
}

func TestRoundingErrorsAreNoDifference(t *testing.T) {
	t.Parallel()
	u := Unit{Name: "logloss", Better: Lower, Max: math.Inf(1)}
	require.Equal(t, "+0", u.FormatDifference(-3.469e-18))
	require.Equal(t, "+0 to +0.5", u.FormatInterval(-3.469e-18, 0.5))
	require.Equal(t, "-2e-15", u.FormatDifference(-2e-15))
}
