package learntest

import (
	"math"
	"testing"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/dataset/uci"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
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
	assert.Equal(t, []bool{false, true},
		sampleOf(t, Examples("d", one, []bool{true, false, true})).Classes())
	assert.Equal(t, []int8{-1, 0, 5}, sampleOf(t, Examples("d", one, []int8{5, -1, 0})).Classes())
	assert.Equal(t, []uint{0, 1, 7}, sampleOf(t, Examples("d", one, []uint{7, 1, 0})).Classes())
	assert.Equal(t, []string{"a", "b"},
		sampleOf(t, Examples("d", one, []string{"b", "a", "b"})).Classes())
	assert.Equal(t, []uint64{0, 1, 7}, sampleOf(t, Examples("d", one, []uint64{7, 1, 0})).Classes())
	assert.Equal(t, []any{"b", 1}, sampleOf(t, Examples("d", one, []any{"b", 1, "b"})).Classes())
	type pair struct{ a, b int }
	assert.Equal(t, []pair{{2, 1}, {1, 2}},
		sampleOf(t, Examples("d", one, []pair{{2, 1}, {1, 2}, {2, 1}})).Classes())
}

func TestFloatLabelsAreRegression(t *testing.T) {
	t.Parallel()
	type price float32
	s := sampleOf(t, Examples("d", []int{1, 2}, []price{1.5, 2.5}), 1)
	assert.Nil(t, s.Classes())
	assert.Equal(t, -1, s.Class(0))
	assert.Equal(t, []float64{1.5, 2.5}, s.src.values)
	_, err := newSource(Examples("d", []int{1, 2}, []float64{1, math.NaN()}))
	require.ErrorIs(t, err, dataset.ErrUnusable)
	assert.ErrorContains(t, err, "label of example 1 is NaN")
	_, err = newSource(Examples("d", []int{1, 2}, []float64{1, math.Inf(-1)}))
	assert.ErrorContains(t, err, "label of example 1 is -Inf; convert labels to strings if they are classes")
}

func TestLabelsMustEqualThemselves(t *testing.T) {
	t.Parallel()
	type place struct{ x float64 }
	_, err := newSource(Examples("d", []int{1, 2}, []place{{1}, {math.NaN()}}))
	require.ErrorIs(t, err, dataset.ErrUnusable)
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
	class := dataset.Column{Attribute: dataset.Attribute{
		Name: "c", Kind: dataset.Nominal,
		Values: []string{"a"},
	}, Codes: []int32{0, -1}}
	for text, classIndex := range map[string]int{"no nominal class": 0, "row 1 has no class": 1} {
		table, err := dataset.New("t", []dataset.Column{numeric, class}, classIndex, nil)
		require.NoError(t, err)
		_, err = newSource[dataset.Row, int](table)
		require.ErrorIs(t, err, dataset.ErrUnusable)
		assert.ErrorContains(t, err, text)
	}
}

func TestDataWithoutADigestSayHowToGiveOne(t *testing.T) {
	t.Parallel()
	d := Examples("functions", []func(){func() {}, func() {}}, []int{1, 2})
	_, err := newSource(d)
	require.ErrorContains(t, err, "WithDigest")
	_, err = newSource(d.WithDigest("abc"))
	require.ErrorIs(t, err, dataset.ErrUnusable)
	require.ErrorContains(t, err, `its digest is "abc", not a SHA-256 in hexadecimal: dataset.DigestOf makes one`)
	version, err := dataset.DigestOf("functions, version 3")
	require.NoError(t, err)
	_, err = newSource(d.WithDigest(version))
	require.NoError(t, err)
}
