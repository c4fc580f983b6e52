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

// Units of what models cost keep their mark in files.
func TestUnitsOfModels(t *testing.T) {
	t.Parallel()
	bytes := unit.Unit{Name: "model-bytes", Better: unit.Lower, Max: math.Inf(1), OfModel: true}
	s := sampleSet("a", 1, 2, "x")
	s.Units = []unit.Unit{bytes}
	full := textOf(t, s)
	require.Contains(t, full, "Unit model-bytes better=lower min=0 of=model\n")
	require.Equal(t, bytes, readText(t, full).Blocks()[0].Units[0])
	_, err := parseUnit([]string{"model-bytes", "better=lower", "of=data"})
	require.ErrorContains(t, err, `of is "data", not model`)
}

func TestListsOfUnits(t *testing.T) {
	t.Parallel()
	require.Empty(t, unitsText(nil))
	require.Equal(t, "accuracy better=higher min=0 max=1", unitsText([]unit.Unit{accuracy}))
	require.Equal(t, "accuracy better=higher min=0 max=1, log%20loss better=lower min=0",
		unitsText([]unit.Unit{accuracy, {
			Name: "log loss", Better: unit.Lower, Min: 0,
			Max: math.Inf(1),
		}}))
}
