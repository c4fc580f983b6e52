package study

import (
	"strconv"
	"testing"

	"github.com/learnbench/learnbench/internal/citest"
	"github.com/learnbench/learnbench/internal/lab"
	"github.com/stretchr/testify/require"
)

// Slices of all examples are the whole, whatever the estimate; the tests differ where slices are
// small, and differences that are there are found the more often, the larger a slice is.
func TestSlicesStudy(t *testing.T) {
	citest.Need(t, citest.Slow)
	t.Parallel()
	one, err := runSlices(t.Context(), lab.Config{Sets: 12, Parallel: 1})
	require.NoError(t, err)
	two, err := runSlices(t.Context(), lab.Config{Sets: 12, Parallel: 3})
	require.NoError(t, err)
	require.Equal(t, one.String(), two.String(), "the number of goroutines changes nothing")
	rows := one.Tables[0].Rows
	require.Len(t, rows, 44)
	figure := func(row []string, k int) float64 {
		x, err := strconv.ParseFloat(row[k], 64)
		require.NoError(t, err)
		return x
	}
	var levels, without, found float64
	for i, row := range rows {
		require.LessOrEqual(t, figure(row, 2), figure(row, 3),
			"%v: fewer degrees of freedom show no more", row)
		switch {
		case i < len(rows)-5:
			levels, without = levels+figure(row, 2)/39, without+figure(row, 3)/39
		default:
			require.GreaterOrEqual(t, figure(row, 2)+20, found, "%v", row)
			found = max(found, figure(row, 2))
		}
	}
	for _, i := range []int{5, 10, 22} {
		require.Equal(t, rows[i][1], rows[i][2], "%v", rows[i])
		require.Equal(t, rows[i][1], rows[i][4], "%v", rows[i])
	}
	require.Less(t, levels, 9.)
	require.Less(t, levels, without)
	require.Greater(t, found, 80.)
	_, err = runSlices(t.Context(), lab.Config{Store: "x"})
	require.ErrorIs(t, err, lab.ErrConfig)
}
