package dataset

import (
	"bytes"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestWriteARFF(t *testing.T) {
	t.Parallel()
	table, err := New("two words", []Column{
		numeric("it's", 1, math.NaN(), 1e300, 0.1, -2.5e-7),
		nominal("%", []string{"", "?", "a b", "{}", "\t\r\n\\\"'", "plain", "@x", "[x", "grün"},
			0, 1, -1, 4, 8),
		nominal("none", nil, -1, -1, -1, -1, -1),
	}, 2, []float64{1, 0.5, 1, 2, 1})
	require.NoError(t, err)
	var b bytes.Buffer
	require.NoError(t, WriteARFF(&b, table))
	require.Equal(t, `@relation 'two words'

@attribute 'it\'s' numeric
@attribute '\%' {'','?','a b','{}','\t\r\n\\\"\'',plain,'@x','[x',grün}
@attribute none {}

@data
1,'',?,{1}
?,'?',?,{0.5}
1e+300,?,?,{1}
0.1,'\t\r\n\\\"\'',?,{2}
-2.5e-07,grün,?,{1}
`, b.String())
	requireRoundTrip(t, table)
}

func TestWriteARFFOfNoRows(t *testing.T) {
	t.Parallel()
	table, err := New("", []Column{numeric("x")}, -1, nil)
	require.NoError(t, err)
	var b bytes.Buffer
	require.NoError(t, WriteARFF(&b, table))
	require.Equal(t, "@relation ''\n\n@attribute x numeric\n\n@data\n", b.String())
	requireRoundTrip(t, table)
}

// A fullWriter fails when its space is used up.
type fullWriter struct{ space int }

var errFull = errors.New("full")

func (w *fullWriter) Write(p []byte) (int, error) {
	if len(p) > w.space {
		return 0, errFull
	}
	w.space -= len(p)
	return len(p), nil
}

func TestWriteARFFWithGroups(t *testing.T) {
	t.Parallel()
	table := mustGroup(t, mustNew(t, []Column{numeric("x", 1, 2, 3), numeric("y", 4, 5, 6)}, 1, nil),
		"who", "b b", "a", "b b")
	var b bytes.Buffer
	require.NoError(t, WriteARFF(&b, table))
	require.Equal(t, `@relation t

@attribute who {'b b',a}
@attribute x numeric
@attribute y numeric

@data
'b b',1,4
a,2,5
'b b',3,6
`, b.String())
	requireRoundTrip(t, table)
}

func TestWriteARFFReportsErrors(t *testing.T) {
	t.Parallel()
	table := numbersTable(t, 1000, 3)
	var b bytes.Buffer
	require.NoError(t, WriteARFF(&b, table))
	for _, space := range []int{0, 4096, b.Len() - 1} {
		require.ErrorIs(t, WriteARFF(&fullWriter{space}, table), errFull)
	}
	require.NoError(t, WriteARFF(&fullWriter{b.Len()}, table))
	empty := mustNew(t, []Column{numeric("x")}, 0, nil)
	require.ErrorIs(t, WriteARFF(&fullWriter{}, empty), errFull)
}

// drawTable returns any table, with names and values that are hard to quote.
func drawTable(t *rapid.T) *Table {
	text := rapid.OneOf(
		rapid.StringOfN(rapid.SampledFrom([]rune("?%{}'\"\\,@[] \t\r\n\x00\x7fnae1é\u2028")), 0, 4, -1),
		rapid.StringN(0, 5, -1),
		rapid.SampledFrom([]string{"", "?", "@data", "numeric", "-1", "\ufeff"}),
	)
	name := rapid.OneOf(text, rapid.StringN(1, 5, -1)).Filter(func(s string) bool { return s != "" })
	number := rapid.OneOf(
		rapid.Just(math.NaN()),
		rapid.Float64().Filter(func(x float64) bool { return !math.IsInf(x, 0) }),
		rapid.Map(rapid.IntRange(-1000, 1000), func(i int) float64 { return float64(i) / 8 }),
	)
	n := rapid.IntRange(0, 6).Draw(t, "rows")
	names := rapid.SliceOfNDistinct(name, 1, 5, rapid.ID).Draw(t, "names")
	cols := make([]Column, len(names))
	for j := range cols {
		if rapid.Bool().Draw(t, "numeric") {
			cols[j] = numeric(names[j], rapid.SliceOfN(number, n, n).Draw(t, "numbers")...)
			continue
		}
		values := rapid.SliceOfNDistinct(text, 0, 4, rapid.ID).Draw(t, "values")
		code := rapid.Int32Range(-1, int32(len(values))-1)
		cols[j] = nominal(names[j], values, rapid.SliceOfN(code, n, n).Draw(t, "codes")...)
	}
	var weights []float64
	if rapid.Bool().Draw(t, "weighted") {
		weight := rapid.OneOf(rapid.Just(1.0), rapid.Float64Range(math.SmallestNonzeroFloat64,
			math.MaxFloat64))
		weights = rapid.SliceOfN(weight, n, n).Draw(t, "weights")
	}
	class := rapid.IntRange(-1, len(cols)-1).Draw(t, "class")
	table, err := New(text.Draw(t, "name"), cols, class, weights)
	require.NoError(t, err)
	if rapid.Bool().Draw(t, "grouped") {
		of := name.Filter(func(s string) bool { return !slices.Contains(names, s) }).Draw(t,
			"groups' name")
		table = mustGroup(t, table, of, rapid.SliceOfN(text, n, n).Draw(t, "groups")...)
	}
	return table
}

func TestARFFRoundTrip(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) { requireRoundTrip(t, drawTable(t)) })
}

func BenchmarkWriteARFF(b *testing.B) {
	table := numbersTable(b, 20000, 16)
	b.ReportAllocs()
	var buf bytes.Buffer
	for b.Loop() {
		buf.Reset()
		if err := WriteARFF(&buf, table); err != nil {
			b.Fatal(err)
		}
	}
}
