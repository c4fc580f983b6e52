package trainset

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/learnbench/learnbench/learntest/dataset"
)

func numbers(t require.TestingT, cols ...[]float64) *dataset.Table {
	var c []dataset.Column
	for i, x := range cols {
		c = append(c, dataset.Column{
			Attribute: dataset.Attribute{Name: string(rune('a' + i))},
			Numbers:   x,
		})
	}
	tb, err := dataset.New("t", c, -1, nil)
	require.NoError(t, err)
	return tb
}

func TestIndexRanksValues(t *testing.T) {
	t.Parallel()
	nan := math.NaN()
	x := IndexOf(numbers(t, []float64{2, nan, math.Copysign(0, -1), 2, 0, -7}))
	c := x.Column(0)
	assert.Equal(t, []float64{-7, 0, 2}, c.Values)
	assert.Equal(t, []int32{2, 3, 1, 2, 1, 0}, c.Codes)
	assert.Equal(t, []int32{5, 2, 4, 0, 3, 1}, c.Order)
	assert.Equal(t, 2.0, c.MinGap)
	assert.Equal(t, math.Inf(1), IndexOf(numbers(t, []float64{3, nan, 3})).Column(0).MinGap)
}

func TestRanksOfNominalAreEmpty(t *testing.T) {
	t.Parallel()
	tb, err := dataset.New("t", []dataset.Column{{
		Attribute: dataset.Attribute{Name: "a", Kind: dataset.Nominal, Values: []string{"x"}},
		Codes:     []int32{0},
	}}, -1, nil)
	require.NoError(t, err)
	assert.Empty(t, IndexOf(tb).Column(0).Codes)
}

func TestRanksKeepTheOrderOfTheValues(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.SliceOfN(rapid.OneOf(
			rapid.Float64Range(-1e300, 1e300), rapid.Float64Range(-3, 3), rapid.Just(math.NaN()),
			rapid.Just(1.0),
		), 1, 40).Draw(t, "x")
		c := IndexOf(numbers(t, x)).Column(0)
		if !slices.IsSorted(c.Values) || len(c.Codes) != len(x) || len(c.Order) != len(x) {
			t.Fatalf("%+v", c)
		}
		for i, v := range x {
			switch r := int(c.Codes[i]); {
			case r == len(c.Values):
				if !math.IsNaN(v) {
					t.Fatalf("%v has the rank of a missing value", v)
				}
			case c.Values[r] != v:
				t.Fatalf("%v has the rank of %v", v, c.Values[r])
			}
		}
		for i := 1; i < len(x); i++ {
			a, b := c.Order[i-1], c.Order[i]
			if c.Codes[a] > c.Codes[b] || c.Codes[a] == c.Codes[b] && a >= b {
				t.Fatalf("order %v of %v", c.Order, x)
			}
		}
	})
}

func TestChainFindsPositions(t *testing.T) {
	t.Parallel()
	var c Chain
	for _, rows := range [][]int32{{4, 1, 4, 0, 4}, {2, 2}, {}} {
		c.Set(5, rows)
		found := 0
		for r, q := range c.Head {
			for last := int32(-1); q >= 0; last, q = q, c.Next[q] {
				assert.Equal(t, int32(r), rows[q])
				assert.Greater(t, q, last)
				found++
			}
		}
		assert.Equal(t, len(rows), found)
	}
}
