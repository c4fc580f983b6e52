package learntest

import (
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/dataset/uci"
	"github.com/learnbench/learnbench/learntest/learner/c45"
	"github.com/learnbench/learnbench/learntest/learner/naivebayes"
	"github.com/learnbench/learnbench/learntest/split"
)

// BenchmarkSlices measures what 20 slices add to the time of a comparison: pairs of runs, one with
// slices and one without, take turns to come first. The figure overhead-% is of their sums.
func BenchmarkSlices(b *testing.B) {
	plain := uci.Vehicle()
	site := make([]string, plain.Len())
	for i := range site {
		site[i] = strconv.Itoa(i % 20)
	}
	grouped, err := plain.WithGroups("site", site)
	require.NoError(b, err)
	sliced, err := grouped.WithSlice("site")
	require.NoError(b, err)
	learners := []Learner[dataset.Row, int]{
		FromClassifier(c45.New(c45.Config{})),
		FromClassifier(naivebayes.New(naivebayes.Config{})),
	}
	run := func(t *dataset.Table) time.Duration {
		start := time.Now()
		f, err := Run(b.Context(), []Data[dataset.Row, int]{t}, learners,
			Config{Protocol: split.CV(10, 10), IgnoreGroups: true, Parallel: 1})
		took := time.Since(start)
		require.NoError(b, err)
		require.Empty(b, f.Failures())
		return took
	}
	var with, without time.Duration
	for i := 0; b.Loop(); i++ {
		if i%2 == 0 {
			with += run(sliced)
			without += run(grouped)
		} else {
			without += run(grouped)
			with += run(sliced)
		}
	}
	b.ReportMetric(100*(float64(with)/float64(without)-1), "overhead-%")
}
