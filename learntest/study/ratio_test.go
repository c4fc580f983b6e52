package study

import (
	"fmt"
	"testing"

	"github.com/learnbench/learnbench/internal/citest"
	"github.com/learnbench/learnbench/internal/lab"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/stretchr/testify/require"
)

func TestRatioStudy(t *testing.T) {
	citest.Need(t, citest.Slow)
	r, err := runRatio(t.Context(), lab.Config{Small: true})
	require.NoError(t, err)
	rows := r.Tables[0].Rows
	require.Len(t, rows, 6)
	for _, row := range rows {
		require.Len(t, row, len(r.Tables[0].Columns))
		// A wider limit holds in as many comparisons or more, under any load.
		var before int
		for _, k := range []int{7, 6, 5, 4} {
			var n, of int
			_, err := fmt.Sscanf(row[k], "%d/%d", &n, &of)
			require.NoError(t, err)
			require.Equal(t, 3, of)
			require.GreaterOrEqual(t, n, before)
			before = n
		}
	}
	_, err = runRatio(t.Context(), lab.Config{Store: "x"})
	require.ErrorIs(t, err, lab.ErrConfig)
}

func TestRatioRows(t *testing.T) {
	t.Parallel()
	all := []stat.MedianRatio{{Median: 1.02, Least: 1.01, Most: 1.04}, {
		Median: 0.9, Least: 0.8,
		Most: 0.99,
	}, {Median: 1.3, Least: 0.9, Most: 1.5}}
	require.Equal(t, []string{
		"x", "2", "0.90 to 1.30", "0.50", "2/3", "2/3", "2/3", "1/3", "2/3",
		"1/3",
	}, ratioRow("x", 0.002, 0.5, all))
	require.InDelta(t, 1, spreadOfLogs([]float64{1, 2.718281828459045, 7.38905609893065},
		[]float64{1, 1, 1}), 1e-12)
}
