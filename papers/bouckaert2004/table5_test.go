package bouckaert2004

import (
	"context"
	"fmt"
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/learnbench/learnbench/internal/citest"
	"github.com/learnbench/learnbench/internal/lab"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/replicate"
	"github.com/learnbench/learnbench/papers/internal/simulation"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Each of the ten repeats of a test has runs of its own, as many as the table has for each test.
func TestRepeatsHaveRunsOfTheirOwn(t *testing.T) {
	t.Parallel()
	networks, err := lab.Networks()
	require.NoError(t, err)
	l := testLab(t, lab.Config{}, 1)
	s := l.Desk().Draw(networks[2], lab.Examples, 0)
	shapes := [][2]int{{5, 2}, {10, 1}, {100, 1}, {1, 10}, {10, 10}} // runs and folds of a repeat
	for j, test := range simulation.Tests() {
		d, err := s.Differences(t.Context(), test.Protocol, lab.Tree(), lab.Bayes())
		require.NoError(t, err)
		runs, folds := shapes[j][0], shapes[j][1]
		step := len(d.X) / 10
		want := 0
		for i := range 10 {
			one := stat.Differences{
				Runs: runs, Folds: folds, X: d.X[i*step : i*step+runs*folds],
				Ratio: d.Ratio, Scale: d.Scale,
			}
			r, err := test.Test.Run(one, stat.TwoSided)
			require.NoError(t, err)
			want += lab.Indicator(r.P <= 0.2)
		}
		got, err := test.Rejections(t.Context(), s, lab.Tree(), lab.Bayes(), 0.2)
		require.NoError(t, err)
		require.Equal(t, want, got, test.Name)
	}
}

// The consistency of the 5×2 cv test where there is nothing to find depends on how frequent the
// values of the attributes are, of which the papers say no more than that they are "various".
func TestConsistencyDependsOnTheAttributes(t *testing.T) {
	citest.Need(t, citest.Slow)
	t.Parallel()
	const sets = 1000
	for _, c := range []struct {
		p           string
		least, most float64
	}{{"0.5", 56, 62}, {"0.1", 68, 74}} {
		text := "network alike\nclass: 0.5\n"
		for j := range 10 {
			text += fmt.Sprintf("a%d: %s\n", j+1, c.p)
		}
		n, err := lab.ParseNetwork("alike", text)
		require.NoError(t, err)
		test := simulation.Tests()[0]
		require.Equal(t, "5×2 cv", test.Name)
		var consistent atomic.Int64
		l := testLab(t, lab.Config{Parallel: runtime.GOMAXPROCS(0)}, sets)
		require.NoError(t, l.Each(t.Context(), n, lab.Examples, sets, func(ctx context.Context,
			s *lab.Drawn,
		) error {
			k, err := test.Rejections(ctx, s, lab.Tree(), lab.Bayes(), 0.05)
			consistent.Add(int64(lab.Indicator(replicate.Consistent(k, simulation.Repeats))))
			return err
		}))
		percent := 100 * float64(consistent.Load()) / sets
		t.Logf("attributes that are 1 with probability %s: %.1f%%", c.p, percent)
		assert.True(t, c.least <= percent && percent <= c.most, "%v", percent)
	}
}
