package record

import (
	"maps"
	"slices"
)

// A grid gives the cells of a learner their places in columns. Runs are kept in slots in the
// order in which they came: fold f of the run in slot s is at place s·folds+f−1.
type grid struct {
	folds int         // of a run; 0 if that is not known
	runs  []int       // by slot
	slots map[int]int // by run; nil as long as run i is in slot i−1
}

// slotOf returns the slot of a run, if there is one.
func (g *grid) slotOf(run int) (int, bool) {
	if g.slots == nil {
		return run - 1, run >= 1 && run <= len(g.runs)
	}
	s, ok := g.slots[run]
	return s, ok
}

// addRun gives a run the next slot.
func (g *grid) addRun(run int) {
	s := len(g.runs)
	if g.slots == nil && run != s+1 {
		g.slots = make(map[int]int, s+1)
		for i, r := range g.runs {
			g.slots[r] = i
		}
	}
	if g.slots != nil {
		g.slots[run] = s
	}
	g.runs = append(g.runs, run)
}

// span returns the places of the run in a slot: from the first up to, not including, the second.
func (g *grid) span(slot int) (from, to int) { return slot * g.folds, (slot + 1) * g.folds }

// cellAt returns the run and the fold that are at a place.
func (g *grid) cellAt(place int) (run, fold int) {
	return g.runs[place/g.folds], place%g.folds + 1
}

// order returns the slots in the order of their runs.
func (g *grid) order() []int {
	slots := make([]int, len(g.runs))
	for i := range slots {
		slots[i] = i
	}
	if g.slots != nil {
		slices.SortFunc(slots, func(i, j int) int { return g.runs[i] - g.runs[j] })
	}
	return slots
}

func (g *grid) clone() grid { return grid{g.folds, slices.Clone(g.runs), maps.Clone(g.slots)} }
