package learntest

import (
	"math"
	"testing"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/dataset/uci"
	"github.com/learnbench/learnbench/learntest/internal/canonical"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func sampleOf[X any, Y comparable](t *testing.T, d Data[X, Y], rows ...int) Sample[X, Y] {
	t.Helper()
	s, err := newSource(d)
	require.NoError(t, err)
	return Sample[X, Y]{s, rows}
}

func TestSampleIsAViewOfTheRows(t *testing.T) {
	t.Parallel()
	d := Examples("letters", []string{"x", "y", "z", "x"}, []rune{'b', 'a', 'b', 'c'})
	s := sampleOf(t, d, 2, 0)
	assert.Equal(t, 2, s.Len())
	assert.Equal(t, []string{"z", "x"}, s.Examples())
	assert.Equal(t, []rune{'b', 'b'}, s.Labels())
	assert.Equal(t, []rune{'a', 'b', 'c'}, s.Classes())
	assert.Equal(t, []int{2, 0}, s.Rows())
	assert.Equal(t, 1, s.Class(0))
	assert.Same(t, d, s.Data())
	for x, y := range s.All() {
		assert.Equal(t, "z", x)
		assert.Equal(t, 'b', y)
		break
	}
}

func TestClassesAreSortedIfTheirTypeHasAnOrder(t *testing.T) {
	t.Parallel()
	one := []int{0, 0, 0}
	assert.Equal(t, []bool{false, true}, sampleOf(t, Examples("d", one, []bool{true, false, true})).Classes())
	assert.Equal(t, []int8{-1, 0, 5}, sampleOf(t, Examples("d", one, []int8{5, -1, 0})).Classes())
	assert.Equal(t, []uint{0, 1, 7}, sampleOf(t, Examples("d", one, []uint{7, 1, 0})).Classes())
	assert.Equal(t, []string{"a", "b"}, sampleOf(t, Examples("d", one, []string{"b", "a", "b"})).Classes())
	assert.Equal(t, []uint64{0, 1, 7}, sampleOf(t, Examples("d", one, []uint64{7, 1, 0})).Classes())
	assert.Equal(t, []any{"b", 1}, sampleOf(t, Examples("d", one, []any{"b", 1, "b"})).Classes())
	type pair struct{ a, b int }
	assert.Equal(t, []pair{{2, 1}, {1, 2}}, sampleOf(t, Examples("d", one, []pair{{2, 1}, {1, 2}, {2, 1}})).Classes())
}

func TestFloatLabelsAreRegression(t *testing.T) {
	t.Parallel()
	type price float32
	s := sampleOf(t, Examples("d", []int{1, 2}, []price{1.5, 2.5}), 1)
	assert.Nil(t, s.Classes())
	assert.Equal(t, -1, s.Class(0))
	assert.Equal(t, []float64{1.5, 2.5}, s.src.values)
	_, err := newSource(Examples("d", []int{1, 2}, []float64{1, math.NaN()}))
	require.ErrorIs(t, err, ErrData)
	assert.ErrorContains(t, err, "label of example 1 is NaN")
	_, err = newSource(Examples("d", []int{1, 2}, []float64{1, math.Inf(-1)}))
	assert.ErrorContains(t, err, "label of example 1 is -Inf; convert labels to strings if they are classes")
}

func TestLabelsMustEqualThemselves(t *testing.T) {
	t.Parallel()
	type place struct{ x float64 }
	_, err := newSource(Examples("d", []int{1, 2}, []place{{1}, {math.NaN()}}))
	require.ErrorIs(t, err, ErrData)
	assert.EqualError(t, err, `unusable data: data set "d": label of example 1 does not equal itself`)
}

func TestTablesKeepTheirDeclaredClasses(t *testing.T) {
	t.Parallel()
	glass := uci.Glass() // of whose seven classes one does not occur
	s := sampleOf[dataset.Row, int](t, glass, 0, 213)
	assert.Equal(t, []int{0, 1, 2, 3, 4, 5, 6}, s.Classes())
	assert.Equal(t, glass.Attribute(glass.ClassIndex()).Values, s.src.classNames)
	assert.Equal(t, glass.Class(213), s.Class(1))
	assert.Equal(t, 213, s.Example(1).Index)
}

func TestTablesWithoutUsableClassAreRefused(t *testing.T) {
	t.Parallel()
	numeric := dataset.Column{Attribute: dataset.Attribute{Name: "x"}, Numbers: []float64{1, 2}}
	class := dataset.Column{Attribute: dataset.Attribute{Name: "c", Kind: dataset.Nominal, Values: []string{"a"}}, Codes: []int32{0, -1}}
	for text, classIndex := range map[string]int{"no nominal class": 0, "row 1 has no class": 1} {
		table, err := dataset.New("t", []dataset.Column{numeric, class}, classIndex, nil)
		require.NoError(t, err)
		_, err = newSource[dataset.Row, int](table)
		require.ErrorIs(t, err, ErrData)
		assert.ErrorContains(t, err, text)
	}
}

func TestDigestIsAsSpecified(t *testing.T) {
	t.Parallel()
	type point struct {
		X float64
		y int8
	}
	got, err := DigestOf([]any{point{1.5, -2}, nil, "é", true}, map[string]uint8{"a": 1, "b": 2})
	require.NoError(t, err)
	// Computed by a Python program written from the specification.
	assert.Equal(t, "30924c9fec797899c052f74e0e212c836030117f19b23f0372dab921b3c0e0f8", got)
}

func TestDigestTellsValuesApart(t *testing.T) {
	t.Parallel()
	one := 1
	values := []any{
		nil, 0, uint(0), 0.0, math.Copysign(0, -1), "", "a", false, true,
		[]int{},
		[]int{0},
		[]string{"ab"},
		[]string{"a", "b"},
		struct{ A int }{},
		struct{ B int }{},
		map[int]int{},
		map[int]int{1: 2},
		map[int]int{2: 1},
		&one,
		complex(1, 2), complex(2, 2), complex(1, 1),
		[][]int{{1}, {2}},
		[][]int{{1, 2}, {}},
	}
	seen := make(map[string]int)
	for i, v := range values {
		d, err := DigestOf(v)
		require.NoError(t, err)
		if prev, ok := seen[d]; ok {
			t.Errorf("%#v and %#v have the same digest", values[prev], v)
		}
		seen[d] = i
	}
	for _, pair := range [][2][]any{{{}, {nil}}, {{nil}, {nil, nil}}, {{complex(1, 2)}, {1.0, 2.0}}} {
		a, err := DigestOf(pair[0]...)
		require.NoError(t, err)
		b, err := DigestOf(pair[1]...)
		require.NoError(t, err)
		assert.NotEqual(t, a, b, "%v", pair)
	}
}

func TestDigestTakesAllNaNForOne(t *testing.T) {
	t.Parallel()
	want, err := DigestOf([]float64{math.NaN()}, complex(0, math.NaN()))
	require.NoError(t, err)
	other := math.Float64frombits(0xfff8_0000_0000_1234)
	require.True(t, math.IsNaN(other))
	got, err := DigestOf([]float64{other}, complex(0, other))
	require.NoError(t, err)
	assert.Equal(t, want, got)
	got, err = DigestOf([]float32{math.Float32frombits(0x7fa0_0001)}, complex64(complex(0, float32(other))))
	require.NoError(t, err)
	assert.Equal(t, want, got)
}

func TestDigestOfEqualValuesIsEqual(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		m := rapid.MapOf(rapid.String(), rapid.SliceOf(rapid.Float64())).Draw(t, "map")
		other := make(map[string][]float64)
		for k, v := range m {
			other[k] = append([]float64{}, v...)
		}
		a, err := DigestOf(m)
		if err != nil {
			t.Fatal(err)
		}
		b, err := DigestOf(other)
		if err != nil || a != b {
			t.Fatalf("%v, %s, %s", err, a, b)
		}
	})
}

func TestDigestNamesWhatItCannotEncode(t *testing.T) {
	t.Parallel()
	type node struct {
		Name string
		Next *node
	}
	loop := &node{Name: "a"}
	loop.Next = loop
	list := []any{0, nil}
	list[1] = list
	table := map[string]any{}
	table["x"] = table
	type self map[*self]bool
	keys := self{}
	keys[&keys] = true
	const endless = "nested too deeply, or a pointer that leads back to itself"
	for _, c := range []struct {
		text string
		v    any
	}{
		{"value 0[1].F of type func()", []struct{ F any }{{nil}, {func() {}}}},
		{"value 0[a] of type chan int", map[string]chan int{"a": nil}},
		{"value 0[key] of type chan int", map[chan int]bool{make(chan int): true}},
		{endless, loop},
		{"value 0[1][1][1]", list},
		{endless, list},
		{endless, table},
		{"value 0[key][key]", keys},
	} {
		_, err := DigestOf(c.v)
		require.ErrorIs(t, err, canonical.Err)
		assert.ErrorContains(t, err, c.text)
	}
	d := Examples("functions", []func(){func() {}, func() {}}, []int{1, 2})
	_, err := newSource(d)
	require.ErrorContains(t, err, "WithDigest")
	_, err = newSource(d.WithDigest("abc"))
	require.ErrorIs(t, err, ErrData)
	require.ErrorContains(t, err, `its digest is "abc", not a SHA-256 in hexadecimal: DigestOf makes one`)
	version, err := DigestOf("functions, version 3")
	require.NoError(t, err)
	_, err = newSource(d.WithDigest(version))
	require.NoError(t, err)
}
