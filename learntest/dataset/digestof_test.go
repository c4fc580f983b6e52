package dataset

import (
	"math"
	"testing"

	"github.com/learnbench/learnbench/learntest/internal/canonical"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

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
	got, err = DigestOf([]float32{math.Float32frombits(0x7fa0_0001)},
		complex64(complex(0, float32(other))))
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
}
