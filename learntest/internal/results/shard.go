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

// A deal deals out the cells of a run to shards. What is dealt out is a unit: a fold of a run of a
// data set, with all learners. Units count from 0, in the order of the data sets, runs and folds.
type deal struct {
	shard Shard
	runs  int // of each data set that are run whatever is claimed
	units int // of these runs, of all data sets
}

// has reports whether the shard has the unit of a cell.
func (d *deal) has(s *Set, c record.Cell) bool {
	return d.shard.Count == 0 || d.unit(s, c)%d.shard.Count == d.shard.Index-1
}

// unit returns the number of the unit that a cell is in. Runs beyond those that are run whatever is
// claimed count on after these of all data sets.
func (d *deal) unit(s *Set, c record.Cell) int {
	folds := s.Plan.Folds()
	if c.Run > d.runs {
		return d.units + (c.Run-d.runs-1)*folds + c.Fold - 1
	}
	return s.first + (c.Run-1)*folds + c.Fold - 1
}

// keepsOtherShards returns an error if the result file has trials of the same experiment
// that are not of this shard, which its results would replace.
func (r *Results) keepsOtherShards() error {
	for _, s := range r.sets {
		id := s.Identity()
		before, err := r.store.Before(id)
		if err != nil {
			return fmt.Errorf("result file: %w", err)
		}
		if before == nil {
			continue
		}
		for t := range before.Trials() {
			if !r.deal.has(s, t.Cell()) {
				return fmt.Errorf("%w: %s has %v of %v, which is not in shard %v: let each shard write a file of its own", ErrConfig, r.Out, t.Cell(), id, r.Shard)
			}
		}
	}
	return nil
}
