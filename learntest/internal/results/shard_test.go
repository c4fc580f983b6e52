package results

import (
	"testing"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/stretchr/testify/require"
)

// The cells of a shard must never change: shards of one build are joined with shards of another. Further runs
// count on after the configured runs of all data sets, and each cell is in one shard.
func TestCellsAreDealtInOrder(t *testing.T) {
	t.Parallel()
	second := func(shard Shard) hand { // of two data sets with three folds, two runs of each
		return hand{&deal{shard: shard, runs: 2, units: 12}, 6, 3}
	}
	dealt := make(map[Shard][][2]int)
	for run := 1; run <= 4; run++ {
		for fold := 1; fold <= 3; fold++ {
			for i := range 4 {
				if s := (Shard{i + 1, 4}); second(s).has(record.Cell{Run: run, Fold: fold}) {
					dealt[s] = append(dealt[s], [2]int{run, fold})
				}
			}
			require.True(t, second(Shard{}).has(record.Cell{Run: run, Fold: fold}), "all of it")
		}
	}
	require.Equal(t, map[Shard][][2]int{
		{1, 4}: {{1, 3}, {3, 1}, {4, 2}},
		{2, 4}: {{2, 1}, {3, 2}, {4, 3}},
		{3, 4}: {{1, 1}, {2, 2}, {3, 3}},
		{4, 4}: {{1, 2}, {2, 3}, {4, 1}},
	}, dealt)
}
