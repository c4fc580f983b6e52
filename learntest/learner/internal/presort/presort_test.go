package presort

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/learnbench/learnbench/learntest/dataset"
)

func table(t interface {
	require.TestingT
}, weights []float64, cols ...[]float64,
) *dataset.Table {
	var c []dataset.Column
	for i, x := range cols {
		c = append(c, dataset.Column{Attribute: dataset.Attribute{Name: string(rune('a' + i))}, Numbers: x})
	}
	tb, err := dataset.New("t", c, -1, weights)
	require.NoError(t, err)
	return tb
}

func TestColumnSortsByValueWeightAndRow(t *testing.T) {
	t.Parallel()
	nan := math.NaN()
	var c Cache
	got := c.Column(table(t, nil, []float64{3, nan, -1, math.Copysign(0, -1), 3, 0, math.MaxFloat64, -5e-324}), 0)
	assert.Equal(t, []int32{2, 7, 3, 5, 0, 4, 6}, got.Rows)
	assert.Equal(t, []float64{-1, -5e-324, 0, 0, 3, 3, math.MaxFloat64}, got.Values)
	got = c.Column(table(t, []float64{2, 1, 2, 1}, []float64{5, 5, 5, 4}), 0)
	assert.Equal(t, []int32{3, 1, 0, 2}, got.Rows)
}

func TestSubsetKeepsRepeatedRows(t *testing.T) {
	t.Parallel()
	tb := table(t, nil, []float64{3, math.NaN(), 1, 2})
	var c Cache
	got := c.Subset(tb, 0, []int32{0, 2, 1, 0}, Column{})
	assert.Equal(t, []int32{2, 0, 0}, got.Rows)
	assert.Equal(t, []float64{1, 3, 3}, got.Values)
}

func TestCacheFollowsTheTable(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var c Cache
		n := rapid.IntRange(1, 30).Draw(t, "n")
		var tables []*dataset.Table
		for range 3 {
			var cols [][]float64
			for range rapid.IntRange(1, 3).Draw(t, "columns") {
				cols = append(cols, rapid.SliceOfN(rapid.Float64Range(-3, 3), n, n).Draw(t, "x"))
			}
			tables = append(tables, table(t, nil, cols...))
		}
		for range 10 {
			tb := rapid.SampledFrom(tables).Draw(t, "table")
			j := rapid.IntRange(0, tb.NumAttributes()-1).Draw(t, "column")
			got := c.Column(tb, j)
			want := slices.Clone(tb.Numbers(j))
			slices.Sort(want)
			if !slices.Equal(got.Values, want) {
				t.Fatalf("values %v, want %v", got.Values, want)
			}
			for i, r := range got.Rows {
				if tb.Numbers(j)[r] != got.Values[i] {
					t.Fatalf("row %d at %d", r, i)
				}
			}
			rows := rapid.SliceOf(rapid.Int32Range(0, int32(n-1))).Draw(t, "rows")
			sub := c.Subset(tb, j, rows, Column{})
			if len(sub.Rows) != len(rows) || !slices.IsSorted(sub.Values) {
				t.Fatalf("subset %v of rows %v", sub, rows)
			}
		}
	})
}
