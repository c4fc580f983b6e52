package record

import (
	"fmt"
	"math"
)

// Minus returns a block with the trials of b that o does not have, which may be
// none: the trials to add to a file that has o.
//
// The error wraps ErrMismatch if a trial that both have differs in anything but
// its times, or if the heads do not belong together.
func (b *Block) Minus(o *Block) (*Block, error) {
	if err := sameExperiment(o, b); err != nil {
		return nil, err
	}
	both := newOverlap(b, o)
	var learners []string
	for l, name := range b.Learners {
		if !both.covers(l) {
			learners = append(learners, name)
		}
	}
	if learners == nil { // nothing is new
		learners = b.Learners
	}
	rest, err := NewBlock(b.Header, learners, b.Columns, b.table.examples)
	if err != nil {
		return nil, err
	}
	rest.Timeless, rest.Header.Means, rest.Header.Stopped = b.Timeless, "", ""
	rest.Header.Determinism = unionDeterminism([]*Block{b}, rest.Learners)
	values := make([]float64, len(b.Columns))
	for at := range b.table.seats {
		if theirs, ok := both.find(at); ok {
			if err := both.same(at, theirs); err != nil {
				return nil, err
			}
			continue
		}
		e := b.table.entryAt(at, !rest.Timeless, values[:0])
		e.learner = rest.index[b.Learners[at.learner]]
		if err := rest.put(&e); err != nil {
			return nil, fmt.Errorf("%w: %v: %w", ErrInvalid, b.cell(at), err)
		}
	}
	TakeRight(rest, b)
	return rest, nil
}

// An overlap is the cells that two blocks have both.
type overlap struct {
	ours, theirs *Block
	learners     []int // theirs, by our learners; -1 for one that they do not have
}

func newOverlap(ours, theirs *Block) *overlap {
	o := &overlap{ours, theirs, make([]int, len(ours.Learners))}
	for i, name := range ours.Learners {
		l, ok := theirs.index[name]
		if !ok {
			l = -1
		}
		o.learners[i] = l
	}
	return o
}

// find returns where the other block has the trial of a cell of ours, if it has one.
func (o *overlap) find(at seat) (seat, bool) {
	l := o.learners[at.learner]
	if l < 0 {
		return seat{}, false
	}
	run, fold := o.ours.table.cellAt(at.place)
	return o.theirs.table.find(l, run, fold)
}

// covers reports whether the other block has all trials of a learner that ours has, and the
// learner.
func (o *overlap) covers(learner int) bool {
	if o.learners[learner] < 0 {
		return false
	}
	t := &o.ours.table
	for place := range t.trainN {
		at := seat{learner, place}
		if !t.has(at) {
			continue
		}
		if _, ok := o.find(at); !ok {
			return false
		}
	}
	return true
}

// same returns an error unless the two trials of a cell are equal, times apart.
func (o *overlap) same(at, theirs seat) error {
	c, ours, other := o.ours.cell(at), &o.ours.table, &o.theirs.table
	mismatch := &MismatchError{
		Err: ErrMismatch, Cell: &c, WhereA: o.theirs.where(),
		WhereB: o.ours.where(),
	}
	differ := func(what, x, y string) bool {
		mismatch.What, mismatch.A, mismatch.B = what, x, y
		return x != y
	}
	for i, u := range o.ours.Columns {
		x, y := other.column(i, theirs.learner)[theirs.place], ours.column(i, at.learner)[at.place]
		if math.Float64bits(x) != math.Float64bits(y) && differ(u.Name, scoreText(x), scoreText(y)) {
			return mismatch
		}
	}
	if differ("cause of failure", other.failed[theirs], ours.failed[at]) ||
		differ(unitTrain, fmt.Sprint(other.trainN[theirs.place]), fmt.Sprint(ours.trainN[at.place])) ||
		differ(unitTest, fmt.Sprint(other.testN[theirs.place]), fmt.Sprint(ours.testN[at.place])) {
		return mismatch
	}
	return nil
}

func scoreText(x float64) string {
	if math.IsNaN(x) {
		return "failed"
	}
	return string(appendFloat(nil, x))
}
