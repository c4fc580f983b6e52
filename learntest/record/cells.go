package record

import (
	"iter"
	"slices"
)

// order returns the slots in the order of their runs.
func (b *Block) order() []int {
	slots := make([]int, len(b.runs))
	for i := range slots {
		slots[i] = i
	}
	if b.slots != nil {
		slices.SortFunc(slots, func(i, j int) int { return b.runs[i] - b.runs[j] })
	}
	return slots
}

// seats yields the seats of all trials by run, fold and learner.
func (b *Block) seats(yield func(seat) bool) {
	for _, s := range b.order() {
		for place := s * b.folds; place < (s+1)*b.folds; place++ {
			for l := range b.Learners {
				if at := (seat{l, place}); b.has(at) && !yield(at) {
					return
				}
			}
		}
	}
}

// Trials yields the trials by run, fold and learner.
func (b *Block) Trials() iter.Seq[Trial] {
	return func(yield func(Trial) bool) {
		for at := range b.seats {
			if !yield(b.trial(at)) {
				return
			}
		}
	}
}

// cell returns the cell of a seat.
func (b *Block) cell(at seat) Cell {
	return Cell{b.Header.Data, b.Learners[at.learner], b.runs[at.place/b.folds], at.place%b.folds + 1}
}

// trial returns the trial at a seat.
func (b *Block) trial(at seat) Trial {
	c := b.cell(at)
	t := Trial{
		Data: c.Data, Learner: c.Learner, Run: c.Run, Fold: c.Fold,
		TrainN: int(b.trainN[at.place]), TestN: int(b.testN[at.place]),
		Pos: b.pos(at),
	}
	if b.timed() {
		t.FitSeconds, t.PredictSec = b.fit[at.learner][at.place], b.predict[at.learner][at.place]
	}
	if cause, ok := b.failed[at]; ok {
		t.Err = cause
		return t
	}
	t.Values = make([]float64, len(b.Units))
	for i := range b.Units {
		t.Values[i] = b.scores[i*len(b.Learners)+at.learner][at.place]
	}
	return t
}

// Missing yields the cells of runs 1 to runs that have no trial, by run, fold
// and learner: what is still to be trained.
func (b *Block) Missing(runs int) iter.Seq[Cell] {
	return func(yield func(Cell) bool) {
		for run := 1; run <= runs; run++ {
			for fold := 1; fold <= b.folds; fold++ {
				for l, name := range b.Learners {
					if _, ok := b.find(l, run, fold); !ok && !yield(Cell{b.Header.Data, name, run, fold}) {
						return
					}
				}
			}
		}
	}
}

// count returns how many folds of the run in a slot have a trial of the
// learner.
func (b *Block) count(learner, slot int) int {
	n := 0
	for place := slot * b.folds; place < (slot+1)*b.folds; place++ {
		if b.has(seat{learner, place}) {
			n++
		}
	}
	return n
}
