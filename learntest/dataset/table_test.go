package dataset

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestNewRejects(t *testing.T) {
	t.Parallel()
	x := numeric("x", 1, 2)
	for name, c := range map[string]struct {
		cols    []Column
		class   int
		weights []float64
		err     string
	}{
		"no columns":      {nil, -1, nil, "no columns"},
		"class too small": {[]Column{x}, -2, nil, "class column -2 of 1"},
		"class too large": {[]Column{x}, 1, nil, "class column 1 of 1"},
		"empty name":      {[]Column{numeric("", 1)}, -1, nil, "column 0 (): the name is empty"},
		"name is not UTF-8": {
			[]Column{numeric("\xff", 1)},
			-1, nil,
			"the name is empty or not UTF-8",
		},
		"repeated name": {[]Column{x, x}, -1, nil, `columns 0 and 1 are both named "x"`},
		"short numeric column": {
			[]Column{x, numeric("y", 1)},
			-1, nil,
			"column 1 (y): 1 values, the first column has 2",
		},
		"short nominal column": {
			[]Column{x, nominal("y", []string{"a"}, 0)},
			-1, nil,
			"column 1 (y): 1 values, the first column has 2",
		},
		"infinite number": {
			[]Column{numeric("x", 1, math.Inf(-1))},
			-1, nil,
			"column 0 (x): row 1: -Inf",
		},
		"numeric column, values": {
			[]Column{{Attribute: Attribute{Name: "x", Values: []string{"a"}}}},
			-1, nil, "neither declared values nor codes",
		},
		"numeric column, codes": {
			[]Column{{Attribute: Attribute{Name: "x"}, Codes: []int32{0}}},
			-1,
			nil, "neither declared values nor codes",
		},
		"nominal column, numbers": {[]Column{{
			Attribute: Attribute{Name: "x", Kind: Nominal},
			Numbers:   []float64{0},
		}}, -1, nil, "has no numbers"},
		"repeated value": {
			[]Column{nominal("x", []string{"a", "a"})},
			-1, nil,
			`value "a" is declared twice`,
		},
		"value is not UTF-8": {
			[]Column{nominal("x", []string{"a", "\xff"})},
			-1, nil,
			`value "\xff" is not UTF-8`,
		},
		"code too small": {
			[]Column{nominal("x", []string{"a"}, 0, -2)},
			-1, nil,
			"row 1: code -2 of 1 values",
		},
		"code too large": {
			[]Column{nominal("x", []string{"a"}, 1)},
			-1, nil,
			"row 0: code 1 of 1 values",
		},
		"unknown kind": {
			[]Column{{Attribute: Attribute{Name: "x", Kind: 2}}},
			-1, nil,
			"unknown kind Kind(2)",
		},
		"too few weights":       {[]Column{x}, -1, []float64{1}, "1 weights for 2 rows"},
		"zero weight":           {[]Column{x}, -1, []float64{1, 0}, "row 1: weight 0"},
		"weight that is NaN":    {[]Column{x}, -1, []float64{math.NaN(), 1}, "row 0: weight NaN"},
		"weight that is an Inf": {[]Column{x}, -1, []float64{math.Inf(1), 1}, "row 0: weight +Inf"},
		"empty weights":         {[]Column{x}, -1, []float64{}, "0 weights for 2 rows"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := New("t", c.cols, c.class, c.weights)
			require.ErrorIs(t, err, ErrTable)
			require.ErrorContains(t, err, c.err)
		})
	}
}

func TestTableDescribesItself(t *testing.T) {
	t.Parallel()
	table, err := New("weather", []Column{
		numeric("temperature", 20, math.NaN(), -1),
		nominal("windy", []string{"no", "yes"}, -1, 1, 0),
		nominal("play", []string{"yes", "no", "maybe"}, 0, 1, -1),
	}, 2, []float64{1, 2, 1})
	require.NoError(t, err)
	require.Equal(t, "weather", table.Name())
	require.Equal(t, 3, table.Len())
	require.Equal(t, 3, table.NumAttributes())
	require.Equal(t, 2, table.ClassIndex())
	require.Equal(t, 3, table.NumClasses())
	require.Equal(t, Attribute{Name: "windy", Kind: Nominal, Values: []string{"no", "yes"}},
		table.Attribute(1))
	require.Equal(t, []float64{1, 2, 1}, table.Weights())
	require.Nil(t, table.Codes(0))
	require.Nil(t, table.Numbers(1))
	require.Equal(t, []int32{-1, 1, 0}, table.Codes(1))
	require.Equal(t, -1.0, table.Numbers(0)[2])
	for i, want := range []int{0, 1, -1} {
		require.Equal(t, want, table.Class(i))
		require.Equal(t, want, table.Label(i))
		require.Equal(t, Row{Table: table, Index: i}, table.Example(i))
		require.Equal(t, i == 1, table.Missing(i, 0))
		require.Equal(t, i == 0, table.Missing(i, 1))
	}
}

func TestTableWithoutClassHasNoClasses(t *testing.T) {
	t.Parallel()
	require.Zero(t, mustNew(t, []Column{numeric("x", 1)}, -1, nil).NumClasses())
	require.Zero(t, mustNew(t, []Column{numeric("x", 1)}, 0, nil).NumClasses())
}

func TestNewRejectsNameThatIsNotUTF8(t *testing.T) {
	t.Parallel()
	_, err := New("\xff", []Column{numeric("x", 1)}, -1, nil)
	require.ErrorIs(t, err, ErrTable)
	require.ErrorContains(t, err, "the name is not UTF-8")
}

func TestUnitWeightsAreDropped(t *testing.T) {
	t.Parallel()
	require.Nil(t, mustNew(t, []Column{numeric("x", 1, 2)}, -1, []float64{1, 1}).Weights())
}

func TestKindString(t *testing.T) {
	t.Parallel()
	require.Equal(t, "numeric", Numeric.String())
	require.Equal(t, "nominal", Nominal.String())
	require.Equal(t, "Kind(7)", Kind(7).String())
}
