package record

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// Two ways to write one bound are one.
func TestBoundsOfMinusZero(t *testing.T) {
	t.Parallel()
	a, b := sampleSet("a", 1, 2, "x"), sampleSet("b", 1, 2, "x")
	b.Units = []Unit{{"accuracy", Higher, math.Copysign(0, -1), 1}}
	full := textOf(t, a, b)
	require.Equal(t, full, text(t, readText(t, full).Blocks()...))
	b.Units = []Unit{{"error", Lower, -1, math.Copysign(0, -1)}}
	require.Contains(t, textOf(t, b), "max=0\n")
}

func TestListsOfUnits(t *testing.T) {
	t.Parallel()
	require.Empty(t, unitsText(nil))
	require.Equal(t, "accuracy better=higher min=0 max=1", unitsText([]Unit{accuracy}))
	require.Equal(t, "accuracy better=higher min=0 max=1, log%20loss better=lower min=0", unitsText([]Unit{accuracy, {"log loss", Lower, 0, math.Inf(1)}}))
}
