package study

import (
	"testing"

	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/stretchr/testify/require"
)

// Each of the ten repeats of a test has runs of its own, those of the table for each test.
func TestRepeatsHaveRunsOfTheirOwn(t *testing.T) {
	t.Parallel()
	networks, err := Networks()
	require.NoError(t, err)
	l := testLab(t, Config{}, 1)
	s := l.draw(networks[2], examples, 0, map[string]scorer{})
	shapes := [][2]int{{5, 2}, {10, 1}, {100, 1}, {1, 10}, {10, 10}} // runs and folds of a repeat
	for j, test := range bf5Tests() {
		d, err := s.differences(t.Context(), test.protocol, treeSubject(), bayesSubject())
		require.NoError(t, err)
		runs, folds := shapes[j][0], shapes[j][1]
		step := len(d.X) / 10
		want := 0
		for i := range 10 {
			one := stat.Differences{Runs: runs, Folds: folds, X: d.X[i*step : i*step+runs*folds], Ratio: d.Ratio, Scale: d.Scale}
			r, err := test.test.Run(one, stat.TwoSided)
			require.NoError(t, err)
			want += index(r.P <= 0.2)
		}
		got, err := test.rejections(t.Context(), s, treeSubject(), bayesSubject(), 0.2)
		require.NoError(t, err)
		require.Equal(t, want, got, test.name)
	}
	c := byRepeat()
	require.Equal(t, []int{0, 10, 20, 30, 40, 50, 60, 70, 80, 90}, c.from)
	require.Equal(t, []int{10, 10, 10, 10, 10, 10, 10, 10, 10, 10}, c.runs)
	require.Equal(t, 100, c.total)
}
