package c45

import "github.com/learnbench/learnbench/learntest/learner/internal/scratch"

// A tally has the weights of the classes for each value of nominal columns, at a node. Rows that
// weigh 1 are counted for many columns at once.
type tally[W number] struct {
	ready  bool    // the rows of the node are counted
	place  []int32 // of each class its place among those present
	ones   []int32 // of those present the number of rows that weigh 1
	rows   []int32 // these rows
	others instances
	lanes  laneCounter
	counts []W
}

// cells returns the weight of each class that is present for each value of a column, value after
// value, at a node that has been counted.
func (s *tally[W]) cells(f *problem, c *column, x instances, present []int32) []W {
	p := int32(len(present))
	if c.lane >= 0 {
		s.counts = columnOf(s.counts, &s.lanes, c, present, s.ones)
		if integral[W]() {
			return s.counts
		}
		x = s.others
	} else {
		s.counts = scratch.Resize(s.counts, int(c.card*p))
		clear(s.counts)
	}
	cells, card := s.counts, c.card
	for i, q := range x.pos {
		v := c.code[q]
		if v == card {
			continue
		}
		at := v*p + s.place[f.class[q]]
		if integral[W]() {
			cells[at]++
		} else {
			cells[at] += W(x.wt[i])
		}
	}
	return cells
}

// count counts the rows of a node that weigh 1 in lanes, and puts the others aside.
func (s *tally[W]) count(f *problem, x instances, present []int32, total []W) {
	s.ready = true
	s.place = scratch.Resize(s.place, f.classes)
	s.ones, s.others = scratch.Resize(s.ones, len(present)), instances{
		s.others.pos[:0],
		s.others.wt[:0],
	}
	for i, y := range present {
		s.place[y], s.ones[i] = int32(i), int32(total[y])
	}
	rows := x.pos
	if !integral[W]() {
		s.rows = s.rows[:0]
		for i, q := range x.pos {
			if w := x.wt[i]; w == 1 {
				s.rows = append(s.rows, q)
			} else {
				s.others.pos = append(s.others.pos, q)
				s.others.wt = append(s.others.wt, w)
			}
		}
		rows = s.rows
		clear(s.ones)
		for _, q := range rows {
			s.ones[s.place[f.class[q]]]++
		}
	}
	s.lanes.laneSet = &f.frame.lanes
	if s.lanes.words > 0 {
		s.lanes.count(rows, f.class, present)
	}
}
