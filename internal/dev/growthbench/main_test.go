//go:build linux

package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestEverySubjectRuns(t *testing.T) {
	t.Parallel()
	for _, s := range subjects() {
		table, err := draw(shape{60, 3, 2}, s.numbers)
		require.NoError(t, err)
		require.Equal(t, 60, table.Len())
		require.Equal(t, 4, table.NumAttributes())
		took, err := measure(s, table)
		require.NoError(t, err, s.name)
		require.Positive(t, took, s.name)
	}
}

func TestGrowth(t *testing.T) {
	t.Parallel()
	assert.InDelta(t, 2, power([]int{10, 100}, []float64{3, 300}), 1e-12)
	assert.InDelta(t, 30, expected([]int{10, 100}, []float64{3}), 1e-12)
	assert.InDelta(t, 30000, expected([]int{10, 100, 1000}, []float64{3, 300}), 1e-9)
	assert.InDelta(t, 40, expected([]int{10, 100, 1000}, []float64{3, 4}), 1e-9, "at least linear")
}
