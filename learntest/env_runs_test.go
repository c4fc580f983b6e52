package learntest

import (
	"testing"

	"github.com/learnbench/learnbench/learntest/split"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// LEARNTEST_RUNS and its kin are for a whole package: protocols without anything random, whose
// runs would all be alike, keep their own number.
func TestNumberOfRunsFromTheEnvironment(t *testing.T) {
	t.Setenv("LEARNTEST_RUNS", "3")
	t.Setenv("LEARNTEST_RUNS_MAX", "6")
	t.Setenv("LEARNTEST_RUNS_MIN", "5")
	t.Setenv("LEARNTEST_SEED", "7")
	half := func(from int) (half []int) {
		for i := from; i < 24; i += 2 {
			half = append(half, i)
		}
		return half
	}
	predefined := split.Predefined([]split.Fold{
		{Train: half(0), Test: half(1)},
		{Train: half(1), Test: half(0)},
	})
	for _, c := range []struct {
		p      split.Protocol
		want   string
		trials int // of both learners
	}{
		{split.LeaveOneOut(), "loo seed=7 v1", 2 * 24},
		{split.TimeSeries(5, split.Window{Gap: 1}), "timeseries folds=5 gap=1 seed=7 v1", 2 * 5},
		{predefined, predefined.WithSeed(7).String(), 2 * 2},
		{split.CV(10, 4), "cv runs=3 folds=4 stratified seed=7 v1", 2 * 4 * 5},
		{split.Subsample(10, 0.5), "subsample runs=3 train=0.5 unstratified seed=7 v1", 2 * 5},
		{split.Weka(10, 4), "weka runs=3 folds=4 seed=7 v1", 2 * 4 * 5},
		{split.Groups(10, 4), "groups runs=3 folds=4 unstratified seed=7 v1", 2 * 4 * 5},
	} {
		r := newRecorder(t)
		comparison := CompareWith(r, Config{Protocol: c.p, IgnoreGroups: true}, inGroups(24, 12),
			parity(), constant("odd", true))
		require.Empty(t, r.fatal, "%v", c.p)
		require.Empty(t, r.errors, "%v", c.p)
		b := comparison.Records().Blocks()[0]
		assert.Equal(t, c.want, b.Header.Protocol)
		assert.Equal(t, c.trials, b.Len(), "%v", c.p)
		assert.Contains(t, b.Header.Reproduce,
			"LEARNTEST_RUNS=3 LEARNTEST_RUNS_MAX=6 LEARNTEST_RUNS_MIN=5 LEARNTEST_SEED=7 go test")
	}
}
