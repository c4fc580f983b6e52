package results

import (
	"fmt"

	"github.com/learnbench/learnbench/learntest/record"
)

// A Shard is one of several parts of a run: the zero Shard is all of it.
type Shard struct {
	Index int // from 1
	Count int
}

// String returns the shard as in 2/8; "" for the zero Shard.
func (s Shard) String() string {
	if s == (Shard{}) {
		return ""
	}
	return fmt.Sprintf("%d/%d", s.Index, s.Count)
}

// Validate returns an error if there is no such shard.
func (s Shard) Validate() error {
	if s != (Shard{}) && !(s.Index >= 1 && s.Index <= s.Count) {
		return fmt.Errorf("there is no shard %d of %d: they count from 1", s.Index, s.Count)
	}
	return nil
}

// A deal deals out the cells of a run to shards, in units: a unit is a fold of a run of a data set,
// with all learners. Units count from 0, in the order of the data sets, runs and folds.
type deal struct {
	shard Shard
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
