package record_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/unit"
)

// Every protocol of package split is understood: its partitions make a
// complete block with the runs, folds and sizes that it says.
func TestProtocolsOfPackageSplit(t *testing.T) {
	t.Parallel()
	const n = 23
	predefined := split.Predefined([]split.Fold{
		{Train: []int{0, 1, 2}, Test: []int{3, 4}},
		{Train: []int{5}, Test: []int{6, 7, 8}},
	})
	for _, p := range []split.Protocol{
		{},
		split.CV(2, 4), split.CV(1, 23).WithSeed(1<<64 - 1), split.CV(2, 5).Stratified(false),
		split.FiveByTwo(), split.RByTwo(3),
		split.Subsample(5, 0.9), split.Subsample(1, 0.123456789).Stratified(true),
		split.LeaveOneOut(), split.Groups(2, 3), split.Groups(2, 3).Stratified(true),
		split.TimeSeries(4, split.Window{}),
		split.TimeSeries(3, split.Window{TestSize: 2, MaxTrain: 9, Gap: 1}),
		split.Weka(2, 4), predefined,
		split.Halves(3, 4), split.Halves(2, 5).Stratified(false), split.GroupHalves(2, 3),
	} {
		t.Run(p.String(), func(t *testing.T) {
			t.Parallel()
			class, groups := make([]int, n), make([]int, n)
			for i := range n {
				class[i], groups[i] = i%2, i/3
			}
			plan, err := p.Plan(split.Examples{N: n, Class: class, Group: groups})
			require.NoError(t, err)
			b, err := record.NewBlock(record.Header{
				Data: "d", Protocol: p.String(), DataDigest: strings.Repeat("0", 64),
				SplitDigest: plan.Digest(),
			}, []string{"a"}, []unit.Unit{{Name: "accuracy", Better: unit.Higher, Min: 0, Max: 1}}, n)
			require.NoError(t, err)
			require.Equal(t, plan.Runs(), b.Runs())
			require.Equal(t, plan.Folds(), b.Folds())
			require.Len(t, slices.Collect(b.Missing(b.Runs())), plan.Runs()*plan.Folds())
			for c := range b.Missing(b.Runs()) {
				trainN, testN := plan.Sizes(c.Run, c.Fold)
				require.NoError(t, b.Add(record.Trial{
					Data: "d", Learner: "a", Run: c.Run, Fold: c.Fold, TrainN: trainN, TestN: testN,
					Values: []float64{0.5},
				}), fmt.Sprint(c))
			}
			require.NoError(t, b.Check())
		})
	}
}
