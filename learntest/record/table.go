package record

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/learnbench/learnbench/learntest/split"
)

// A table has the trials of a block in columns.
type table struct {
	grid
	shape    split.Shape
	examples int // of the data set; 0 if that is not known
	learners int

	trainN, testN []int32       // by place; testN is 0 where there is no trial at all
	scores        [][]float64   // by metric·learners+learner, then by place; NaN where there is none
	fit, predict  [][]float64   // by learner, then by place
	constant      [][]Constancy // by learner, then by place; shorter where the rest is Varied
	failed        map[seat]string
	trials        int

	room *int64 // cells that may still be made room for; nil if any number
}

// A seat is a cell of a table.
type seat struct{ learner, place int }

// newTable returns a table without trials.
func newTable(shape split.Shape, learners, metrics, examples int) table {
	t := table{shape: shape, examples: examples, learners: learners}
	if t.folds = shape.Folds; t.folds == 0 {
		t.folds = examples
	}
	t.scores = make([][]float64, metrics*learners)
	t.fit, t.predict = make([][]float64, learners), make([][]float64, learners)
	return t
}

// column returns the scores of a learner in a metric.
func (t *table) column(metric, learner int) []float64 { return t.scores[metric*t.learners+learner] }

// find returns where the trial of a cell is, if there is one.
func (t *table) find(learner, run, fold int) (seat, bool) {
	s, ok := t.slotOf(run)
	if !ok || fold < 1 || fold > t.folds {
		return seat{}, false
	}
	at := seat{learner, s*t.folds + fold - 1}
	return at, t.has(at)
}

// has reports whether there is a trial at a seat.
func (t *table) has(at seat) bool {
	if !math.IsNaN(t.scores[at.learner][at.place]) {
		return true
	}
	if len(t.failed) == 0 {
		return false
	}
	_, ok := t.failed[at]
	return ok
}

// seats yields the seats of all trials by run, fold and learner. Answers to items come by item,
// learner and repeat, so that one that changes is one line in a difference of files.
func (t *table) seats(yield func(seat) bool) {
	if t.shape.Items() {
		t.seatsOfItems(yield)
		return
	}
	for _, s := range t.order() {
		from, to := t.span(s)
		for place := from; place < to; place++ {
			for l := range t.learners {
				if at := (seat{l, place}); t.has(at) && !yield(at) {
					return
				}
			}
		}
	}
}

func (t *table) seatsOfItems(yield func(seat) bool) {
	order := t.order()
	for fold := range t.folds {
		for l := range t.learners {
			for _, s := range order {
				if at := (seat{l, s*t.folds + fold}); t.has(at) && !yield(at) {
					return
				}
			}
		}
	}
}

// count returns how many folds of the run in a slot have a trial of the learner.
func (t *table) count(learner, slot int) int {
	n := 0
	from, to := t.span(slot)
	for place := from; place < to; place++ {
		if t.has(seat{learner, place}) {
			n++
		}
	}
	return n
}

// checkCell returns an error unless the protocol can have the cell of an entry, with training
// and test sets of these sizes.
func (t *table) checkCell(e *entry) error {
	if err := t.shape.CheckSizes(e.trainN, e.testN, t.examples); err != nil {
		return err
	}
	if t.examples == 0 && t.shape.UsesAll() {
		t.examples = e.trainN + e.testN
		if t.folds == 0 {
			t.folds = t.examples
		}
	}
	if t.shape.Items() && e.run > t.shape.Runs {
		return fmt.Errorf("repeat %d is not one of %d", e.run, t.shape.Runs)
	}
	if e.run < 1 || e.run > maxCount {
		return fmt.Errorf("run %d is not from 1 to %d", e.run, maxCount)
	}
	if e.fold < 1 || e.fold > t.folds {
		return fmt.Errorf("fold %d is not one of %d", e.fold, t.folds)
	}
	return nil
}

// put stores an entry that was checked, whose cell has no trial yet.
func (t *table) put(e *entry) (seat, error) {
	s, ok := t.slotOf(e.run)
	if !ok {
		s = len(t.runs)
		if err := t.makeRoom(e.run, e.timed); err != nil {
			return seat{}, err
		}
	}
	at := seat{e.learner, s*t.folds + e.fold - 1}
	if t.testN[at.place] == 0 {
		t.trainN[at.place], t.testN[at.place] = int32(e.trainN), int32(e.testN)
	} else if int(t.trainN[at.place]) != e.trainN || int(t.testN[at.place]) != e.testN {
		return seat{}, fmt.Errorf("%d training and %d test examples, but %d and %d for another learner in the same fold", e.trainN, e.testN, t.trainN[at.place], t.testN[at.place])
	}
	if e.err != "" {
		if t.failed == nil {
			t.failed = make(map[seat]string)
		}
		t.failed[at] = Cause(e.err)
	}
	if e.constant != Varied {
		t.setConstancy(at, e.constant)
	}
	t.set(at, e)
	return at, nil
}

// set stores the numbers of an entry.
func (t *table) set(at seat, e *entry) {
	for i, x := range e.values {
		t.scores[i*t.learners+e.learner][at.place] = x
	}
	if e.timed {
		t.fit[e.learner][at.place], t.predict[e.learner][at.place] = e.fit, e.predict
	}
	t.trials++
}

// join stores an entry, with values that can be, if another learner has a trial in its fold with
// equal sizes, which were checked, and its own cell has none. It reports whether that is so.
func (t *table) join(e *entry) (seat, bool) {
	s, ok := t.slotOf(e.run)
	if !ok || e.fold < 1 || e.fold > t.folds {
		return seat{}, false
	}
	at := seat{e.learner, s*t.folds + e.fold - 1}
	if int(t.trainN[at.place]) != e.trainN || int(t.testN[at.place]) != e.testN || t.has(at) {
		return seat{}, false
	}
	t.set(at, e)
	return at, true
}

// entryAt returns the entry at a seat, with its times or without, for another table. It appends
// the values to a slice.
func (t *table) entryAt(at seat, timed bool, values []float64) entry {
	e := entry{
		learner: at.learner, trainN: int(t.trainN[at.place]), testN: int(t.testN[at.place]),
		timed: timed, err: t.failed[at], constant: t.constancy(at),
	}
	e.run, e.fold = t.cellAt(at.place)
	if timed {
		e.fit, e.predict = t.fit[at.learner][at.place], t.predict[at.learner][at.place]
	}
	if e.err == "" {
		for i := at.learner; i < len(t.scores); i += t.learners {
			values = append(values, t.scores[i][at.place])
		}
		e.values = values
	}
	return e
}

// makeRoom makes room for a run.
func (t *table) makeRoom(run int, timed bool) error {
	first := len(t.runs) == 0
	if t.room != nil {
		if first { // the head has taken as much as a fold
			*t.room += int64(len(t.scores))
		}
		if *t.room -= int64(t.folds) * int64(len(t.scores)); *t.room < 0 {
			return errTooManyCells
		}
	}
	switch { // before there is a second run, a block may be cloned for each learner's first trial
	case first:
		t.reserve(timed, 1)
	case len(t.runs) == 1:
		t.reserve(timed, t.shape.Runs)
	}
	t.addRun(run)
	n := len(t.runs) * t.folds
	t.trainN, t.testN = lengthen(t.trainN, n, 0), lengthen(t.testN, n, 0)
	for i := range t.scores {
		t.scores[i] = lengthen(t.scores[i], n, math.NaN())
	}
	if timed {
		for i := range t.fit {
			t.fit[i], t.predict[i] = lengthen(t.fit[i], n, 0), lengthen(t.predict[i], n, 0)
		}
	}
	return nil
}

// reserve takes memory for so many runs at once, unless there are so many cells that they had better
// be seen first.
func (t *table) reserve(timed bool, runs int) {
	const many = 1 << 16
	n := runs * t.folds
	columns := len(t.scores)
	if timed {
		columns += 2 * t.learners
	}
	if runs <= len(t.runs) || runs > many || t.folds > many || n*columns > many {
		return
	}
	memory := make([]float64, n*columns)
	take := func(columns [][]float64) {
		for i := range columns {
			columns[i], memory = append(memory[:0:n], columns[i]...), memory[n:]
		}
	}
	take(t.scores)
	if timed {
		take(t.fit)
		take(t.predict)
	}
	sizes := make([]int32, 2*n)
	t.trainN, t.testN = append(sizes[:0:n], t.trainN...), append(sizes[n:n:2*n], t.testN...)
}

// lengthen returns the column with n elements, the new ones set to x.
func lengthen[T int32 | float64 | Constancy](column []T, n int, x T) []T {
	from := len(column)
	column = slices.Grow(column, n-from)[:n]
	for i := from; i < n; i++ {
		column[i] = x
	}
	return column
}

// clip gives back memory that was taken in vain.
func (t *table) clip() {
	if len(t.scores[0]) >= cap(t.scores[0])/8*7 {
		return
	}
	t.trainN, t.testN = slices.Clone(t.trainN), slices.Clone(t.testN)
	for _, columns := range [...][][]float64{t.scores, t.fit, t.predict} {
		for i := range columns {
			columns[i] = slices.Clone(columns[i])
		}
	}
}

// checkCover returns an error unless the test sets of every run that is complete
// have the examples of the data set, where the protocol has it so.
func (t *table) checkCover() error {
	if !t.shape.Covers() {
		return nil
	}
	examples := t.examples // 0 if it is not known: then the number of the first run
	for s, run := range t.runs {
		sum, complete := 0, true
		from, to := t.span(s)
		for _, n := range t.testN[from:to] {
			sum += int(n)
			complete = complete && n > 0
		}
		if complete && examples == 0 {
			examples = sum
		}
		if complete && sum != examples {
			return fmt.Errorf("the test sets of run %d have %d examples, the data set has %d", run,
				sum, examples)
		}
	}
	return nil
}

// clone returns a copy that shares nothing that an entry which is put changes.
func (t *table) clone() table {
	c := *t
	c.grid = t.grid.clone()
	c.trainN, c.testN = cloneRoom(t.trainN), cloneRoom(t.testN)
	c.scores, c.fit, c.predict = cloneColumns(t.scores), cloneColumns(t.fit), cloneColumns(t.predict)
	c.failed, c.constant = maps.Clone(t.failed), cloneColumns(t.constant)
	return c
}

// cloneRoom returns a copy of the column with as much room.
func cloneRoom[T int32 | float64](column []T) []T {
	return append(make([]T, 0, cap(column)), column...)
}

// cloneColumns returns copies of columns with as much room each, in one piece of memory.
func cloneColumns[T float64 | Constancy](columns [][]T) [][]T {
	room := 0
	for _, c := range columns {
		room += cap(c)
	}
	memory := make([]T, 0, room)
	copies := make([][]T, len(columns))
	for i, c := range columns {
		memory = append(memory, c...)
		from := len(memory) - len(c)
		memory = memory[:from+cap(c)]
		copies[i] = memory[from : from+len(c) : from+cap(c)]
	}
	return copies
}
