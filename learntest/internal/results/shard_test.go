package results

import (
	"testing"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/stretchr/testify/require"
)

// The cells of a shard must never change: shards of one build are joined with shards of another.
// Further runs count on after the configured runs of all data sets, and each cell is in one shard.
func TestCellsAreDealtInOrder(t *testing.T) {
	t.Parallel()
	second := func(shard split.Shard) hand { // of two data sets with three folds, two runs of each
		return hand{&deal{shard: shard, runs: 2, units: 12}, 6, 3}
	}
	dealt := make(map[split.Shard][][2]int)
	for run := 1; run <= 4; run++ {
		for fold := 1; fold <= 3; fold++ {
			for i := range 4 {
				if s := (split.Shard{Index: i + 1, Count: 4}); second(s).has(record.Cell{
					Run:  run,
					Fold: fold,
				}) {
					dealt[s] = append(dealt[s], [2]int{run, fold})
				}
			}
			require.True(t, second(split.Shard{}).has(record.Cell{Run: run, Fold: fold}), "all of it")
		}
	}
	require.Equal(t, map[split.Shard][][2]int{
		{Index: 1, Count: 4}: {{1, 3}, {3, 1}, {4, 2}},
		{Index: 2, Count: 4}: {{2, 1}, {3, 2}, {4, 3}},
		{Index: 3, Count: 4}: {{1, 1}, {2, 2}, {3, 3}},
		{Index: 4, Count: 4}: {{1, 2}, {2, 3}, {4, 1}},
	}, dealt)
}
