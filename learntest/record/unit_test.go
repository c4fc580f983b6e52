package record

import (
	"math"
	"testing"

	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/stretchr/testify/require"
)

// Two ways to write one bound are one.
func TestBoundsOfMinusZero(t *testing.T) {
	t.Parallel()
	a, b := sampleSet("a", 1, 2, "x"), sampleSet("b", 1, 2, "x")
	b.Units = []unit.Unit{{Name: "accuracy", Better: unit.Higher, Min: math.Copysign(0, -1), Max: 1}}
	full := textOf(t, a, b)
	require.Equal(t, full, text(t, readText(t, full).Blocks()...))
	b.Units = []unit.Unit{{Name: "error", Better: unit.Lower, Min: -1, Max: math.Copysign(0, -1)}}
	require.Contains(t, textOf(t, b), "max=0\n")
}

func TestListsOfUnits(t *testing.T) {
	t.Parallel()
	require.Empty(t, unitsText(nil))
	require.Equal(t, "accuracy better=higher min=0 max=1", unitsText([]unit.Unit{accuracy}))
	require.Equal(t, "accuracy better=higher min=0 max=1, log%20loss better=lower min=0", unitsText([]unit.Unit{accuracy, {Name: "log loss", Better: unit.Lower, Min: 0, Max: math.Inf(1)}}))
}
