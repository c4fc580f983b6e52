package record

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/unit"
)

// A Block holds trials on one data set under one protocol: all that were to be
// run, or those of a shard, or further runs. It keeps columns, the scores of
// each metric and learner for all folds of all runs, rather than one value for each
// trial.
//
// A block can only hold what belongs together: each cell once, sizes that the
// protocol can have, and those the same for all learners of a fold.
type Block struct {
	Header   Header      // not to be changed
	Learners []string    // in the order in which results are presented; not to be changed
	Units    []unit.Unit // metrics; not to be changed

	// Timeless says that the times of the trials are not known: a file then
	// has none.
	Timeless bool

	shape    split.Shape
	examples int // of the data set; 0 if that is not known
	folds    int // of a run; 0 if that is not known
	index    map[string]int

	// Runs are kept in slots in the order in which they came. Fold f of the
	// run in slot s is at place s·folds+f−1 of each column.
	runs          []int       // by slot
	slots         map[int]int // by run; nil as long as run i is in slot i−1
	trainN, testN []int32     // by place; testN is 0 where there is no trial at all
	scores        [][]float64 // by unit·len(Learners)+learner, then by place; NaN where there is none
	fit, predict  [][]float64 // by learner, then by place
	failed        map[seat]string
	trials        int

	noTimes bool // times are not kept, whether there are any or not

	room *int64 // cells that may still be made room for; nil if any number
	origin
}

// A seat is a cell of a block.
type seat struct{ learner, place int }

// NewBlock returns a block without trials. The number of examples of the data
// set may be 0 if it is not known.
//
// The error wraps ErrInvalid and says what is missing in the header, or wrong
// with the names of learners or with the units.
func NewBlock(h Header, learners []string, units []unit.Unit, examples int) (*Block, error) {
	b := &Block{Header: h, Learners: slices.Clone(learners), Units: slices.Clone(units), examples: examples}
	if err := b.init(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	return b, nil
}

// init checks the head and makes the columns.
func (b *Block) init() error {
	if err := b.Header.validate(); err != nil {
		return err
	}
	if err := validateLearners(b.Learners); err != nil {
		return err
	}
	if err := validateUnits(b.Units); err != nil {
		return err
	}
	shape, err := split.ParseShape(b.Header.Protocol)
	if err != nil {
		return err
	}
	b.shape, b.folds = shape, shape.Folds
	if b.folds == 0 {
		b.folds = b.examples
	}
	if b.index == nil {
		b.index = make(map[string]int, len(b.Learners))
		for i, name := range b.Learners {
			b.index[name] = i
		}
	}
	b.scores = make([][]float64, len(b.Units)*len(b.Learners))
	b.fit, b.predict = make([][]float64, len(b.Learners)), make([][]float64, len(b.Learners))
	return nil
}

func validateLearners(names []string) error {
	if len(names) == 0 {
		return fmt.Errorf("no learners")
	}
	seen := make(map[string]bool, len(names))
	for _, name := range names {
		if seen[name] {
			return fmt.Errorf("two learners have the name %q", name)
		}
		seen[name] = true
	}
	return nil
}

// Len returns the number of trials.
func (b *Block) Len() int { return b.trials }

// Runs returns the number of the protocol's own runs, which a complete block
// has. Further runs are numbered on from these.
func (b *Block) Runs() int { return b.shape.Runs }

// Folds returns the number of folds of a run; 0 if it is the number of
// examples and that is not known.
func (b *Block) Folds() int { return b.folds }

// An entry is a trial on its way into a block.
type entry struct {
	learner, run, fold int
	trainN, testN      int
	values             []float64
	fit, predict       float64
	err                string
	line               int // 0 if it was not read
}

// Add adds a trial. It returns a [*CellError] with ErrDouble if its cell has
// one already, and an error that wraps ErrInvalid if the trial does not belong
// into the block or has values that cannot be: another data set or learner, no
// value of a metric, one that is not finite, sizes that the protocol does not have.
func (b *Block) Add(t Trial) error {
	_, err := b.add(t)
	return err
}

// add adds a trial and returns its seat.
func (b *Block) add(t Trial) (seat, error) {
	l, ok := b.index[t.Learner]
	switch {
	case t.Data != b.Header.Data:
		return seat{}, fmt.Errorf("%w: %v: the block is of data set %s", ErrInvalid, t.Cell(), b.Header.Data)
	case !ok:
		return seat{}, fmt.Errorf("%w: %v: the block does not have the learner", ErrInvalid, t.Cell())
	case t.Err != "" && len(t.Values) != 0:
		return seat{}, fmt.Errorf("%w: %v: a failed trial has values", ErrInvalid, t.Cell())
	}
	if at, ok := b.find(l, t.Run, t.Fold); ok {
		double := CellError{}
		double.add(t.Cell(), func() string { return b.pos(at).note("") })
		return seat{}, double.errorOrNil(ErrDouble)
	}
	e := entry{l, t.Run, t.Fold, t.TrainN, t.TestN, t.Values, t.FitSeconds, t.PredictSec, t.Err, 0}
	if err := b.put(&e); err != nil {
		return seat{}, fmt.Errorf("%w: %v: %w", ErrInvalid, t.Cell(), err)
	}
	at, _ := b.find(l, t.Run, t.Fold)
	return at, nil
}

// find returns where the trial of a cell is, if there is one.
func (b *Block) find(learner, run, fold int) (seat, bool) {
	s, ok := b.slotOf(run)
	if !ok || fold < 1 || fold > b.folds {
		return seat{}, false
	}
	at := seat{learner, s*b.folds + fold - 1}
	return at, b.has(at)
}

// has reports whether there is a trial at a seat.
func (b *Block) has(at seat) bool {
	if !math.IsNaN(b.scores[at.learner][at.place]) {
		return true
	}
	if len(b.failed) == 0 {
		return false
	}
	_, ok := b.failed[at]
	return ok
}

func (b *Block) slotOf(run int) (int, bool) {
	if b.slots == nil {
		return run - 1, run >= 1 && run <= len(b.runs)
	}
	s, ok := b.slots[run]
	return s, ok
}

// put checks an entry, whose cell has no trial yet, and stores it.
func (b *Block) put(e *entry) error {
	if err := b.shape.CheckSizes(e.trainN, e.testN, b.examples); err != nil {
		return err
	}
	if b.examples == 0 && b.shape.UsesAll() {
		b.examples = e.trainN + e.testN
		if b.folds == 0 {
			b.folds = b.examples
		}
	}
	if e.run < 1 || e.run > maxCount {
		return fmt.Errorf("run %d is not from 1 to %d", e.run, maxCount)
	}
	if e.fold < 1 || e.fold > b.folds {
		return fmt.Errorf("fold %d is not one of %d", e.fold, b.folds)
	}
	if e.err == "" && len(e.values) != len(b.Units) {
		return fmt.Errorf("%d values for %d metrics", len(e.values), len(b.Units))
	}
	for i, x := range e.values {
		if !isFinite(x) {
			return fmt.Errorf("%s is %v", b.Units[i].Name, x)
		}
	}
	if !b.Timeless && !(isSeconds(e.fit) && isSeconds(e.predict)) {
		return fmt.Errorf("%s is %v and %s is %v", unitFit, e.fit, unitPredict, e.predict)
	}
	s, ok := b.slotOf(e.run)
	if !ok {
		var err error
		if s, err = b.addRun(e.run); err != nil {
			return err
		}
	}
	at := s*b.folds + e.fold - 1
	if b.testN[at] == 0 {
		b.trainN[at], b.testN[at] = int32(e.trainN), int32(e.testN)
	} else if int(b.trainN[at]) != e.trainN || int(b.testN[at]) != e.testN {
		return fmt.Errorf("%d training and %d test examples, but %d and %d for another learner in the same fold", e.trainN, e.testN, b.trainN[at], b.testN[at])
	}
	if e.err != "" {
		if b.failed == nil {
			b.failed = make(map[seat]string)
		}
		b.failed[seat{e.learner, at}] = Cause(e.err)
	}
	for i, x := range e.values {
		b.scores[i*len(b.Learners)+e.learner][at] = x
	}
	if b.timed() {
		b.fit[e.learner][at], b.predict[e.learner][at] = e.fit, e.predict
	}
	if b.head > 0 { // the block was read, if not this trial
		b.place(e.line, seat{e.learner, at})
	}
	b.trials++
	return nil
}

// timed reports whether there are columns of times.
func (b *Block) timed() bool { return !b.Timeless && !b.noTimes }

func isSeconds(x float64) bool { return isFinite(x) && x >= 0 }

// addRun makes room for a run and returns its slot.
func (b *Block) addRun(run int) (int, error) {
	s := len(b.runs)
	if b.room != nil {
		if s == 0 { // the head has taken as much as a fold
			*b.room += int64(len(b.scores))
		}
		if *b.room -= int64(b.folds) * int64(len(b.scores)); *b.room < 0 {
			return 0, errTooManyCells
		}
	}
	if b.slots == nil && run != s+1 {
		b.slots = make(map[int]int, s+1)
		for i, r := range b.runs {
			b.slots[r] = i
		}
	}
	if b.slots != nil {
		b.slots[run] = s
	}
	if s == 0 {
		b.reserve()
	}
	b.runs = append(b.runs, run)
	n := (s + 1) * b.folds
	b.trainN, b.testN = lengthen(b.trainN, n, 0), lengthen(b.testN, n, 0)
	for i := range b.scores {
		b.scores[i] = lengthen(b.scores[i], n, math.NaN())
	}
	if b.timed() {
		for i := range b.fit {
			b.fit[i], b.predict[i] = lengthen(b.fit[i], n, 0), lengthen(b.predict[i], n, 0)
		}
	}
	return s, nil
}

// reserve takes memory for the protocol's own runs at once, unless there are so
// many that they had better be seen first.
func (b *Block) reserve() {
	const many = 1 << 16
	n := b.shape.Runs * b.folds
	columns := len(b.scores)
	if b.timed() {
		columns += 2 * len(b.Learners)
	}
	if b.shape.Runs > many || b.folds > many || n*columns > many {
		return
	}
	memory := make([]float64, n*columns)
	take := func(columns [][]float64) {
		for i := range columns {
			columns[i], memory = memory[:0:n], memory[n:]
		}
	}
	take(b.scores)
	if b.timed() {
		take(b.fit)
		take(b.predict)
	}
	sizes := make([]int32, 2*n)
	b.trainN, b.testN = sizes[:0:n], sizes[n:n:2*n]
}

// lengthen returns the column with n elements, the new ones set to x.
func lengthen[T int32 | float64](column []T, n int, x T) []T {
	from := len(column)
	column = slices.Grow(column, n-from)[:n]
	for i := from; i < n; i++ {
		column[i] = x
	}
	return column
}

// clip gives back memory that was taken in vain.
func (b *Block) clip() {
	if len(b.scores[0]) >= cap(b.scores[0])/8*7 {
		return
	}
	b.trainN, b.testN = slices.Clone(b.trainN), slices.Clone(b.testN)
	for _, columns := range [...][][]float64{b.scores, b.fit, b.predict} {
		for i := range columns {
			columns[i] = slices.Clone(columns[i])
		}
	}
}

// Clone returns a copy that shares nothing that a trial which is added changes.
func (b *Block) Clone() *Block {
	c := *b
	c.runs, c.slots = slices.Clone(b.runs), maps.Clone(b.slots)
	c.trainN, c.testN = cloneRoom(b.trainN), cloneRoom(b.testN)
	clone := func(columns [][]float64) [][]float64 {
		columns = slices.Clone(columns)
		for i := range columns {
			columns[i] = cloneRoom(columns[i])
		}
		return columns
	}
	c.scores, c.fit, c.predict = clone(b.scores), clone(b.fit), clone(b.predict)
	c.failed = maps.Clone(b.failed)
	c.origin = b.origin.clone()
	return &c
}

// cloneRoom returns a copy of the column with as much room.
func cloneRoom[T int32 | float64](column []T) []T {
	return append(make([]T, 0, cap(column)), column...)
}
