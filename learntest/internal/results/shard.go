package results

import (
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/split"
)

// A deal deals out the cells of a run to shards, in units: a unit is a fold of a run of a data set,
// with all learners. Units count from 0, in the order of the data sets, runs and folds.
type deal struct {
	shard split.Shard
	runs  int // of each data set that are run before any claim is judged
	units int // of these runs, of all data sets
}

// A hand is the units of a data set that are dealt out.
type hand struct {
	*deal
	first int // unit
	folds int // of each run
}

// has reports whether the shard has the unit of a cell.
func (h hand) has(c record.Cell) bool {
	return h.shard.Count == 0 || h.unit(c)%h.shard.Count == h.shard.Index-1
}

// unit returns the number of the unit that a cell is in. The units of further runs count on after
// the units of deal.runs on all data sets.
func (h hand) unit(c record.Cell) int {
	if c.Run > h.runs {
		return h.units + (c.Run-h.runs-1)*h.folds + c.Fold - 1
	}
	return h.first + (c.Run-1)*h.folds + c.Fold - 1
}
