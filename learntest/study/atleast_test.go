package study

import (
	"strconv"
	"testing"

	"github.com/learnbench/learnbench/internal/citest"
	"github.com/learnbench/learnbench/internal/lab"
	"github.com/stretchr/testify/require"
)

// Stable learners are near the level by both parts, and the test alone is above it near 100%.
func TestAtLeastStudy(t *testing.T) {
	citest.Need(t, citest.Slow)
	t.Parallel()
	one, err := runAtLeast(t.Context(), lab.Config{Sets: 30, Parallel: 1})
	require.NoError(t, err)
	two, err := runAtLeast(t.Context(), lab.Config{Sets: 30, Parallel: 3})
	require.NoError(t, err)
	require.Equal(t, one.String(), two.String(), "the number of goroutines changes nothing")
	rows := one.Tables[0].Rows
	require.Len(t, rows, 18)
	figure := func(row []string, k int) float64 {
		x, err := strconv.ParseFloat(row[k], 64)
		require.NoError(t, err)
		return x
	}
	var alone, both float64
	for _, row := range rows {
		require.LessOrEqual(t, figure(row, 5), figure(row, 2), "%v: both parts show no more than one",
			row)
		require.LessOrEqual(t, figure(row, 5), figure(row, 4), "%v", row)
		require.LessOrEqual(t, figure(row, 3), figure(row, 2), "%v", row)
		require.InDelta(t, 0.8, figure(row, 1), 0.2)
		alone, both = alone+figure(row, 2)/18, both+figure(row, 5)/18
	}
	require.Greater(t, alone, both)
	require.Less(t, both, 12.)
	_, err = runAtLeast(t.Context(), lab.Config{Store: "x"})
	require.ErrorIs(t, err, lab.ErrConfig)
}
