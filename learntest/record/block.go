package record

import (
	"fmt"
	"iter"
	"slices"

	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/unit"
)

// A Block holds trials on one data set under one protocol: all requested trials, the trials of
// a shard, or further runs. It keeps columns, the scores of
// each metric and learner for all folds of all runs, rather than one value for each
// trial.
//
// A block only holds trials that belong together: each cell once, with sizes that the protocol
// can have, and equal sizes for all learners of a fold.
type Block struct {
	Header   Header      // not to be changed
	Learners []string    // in the order in which results are presented; not to be changed
	Units    []unit.Unit // metrics; not to be changed
	Columns  []unit.Unit // of the values of a trial: Units, and then the units of slices; not to be changed

	// Timeless says that the times of the trials are not known: a file then
	// has none.
	Timeless bool

	index  map[string]int // of the learners
	table  table
	items  *itemList // nil unless the block is of items
	origin origin
	parts  []*Block // that the block was merged from

	verified bool // it was read, with a checksum
}

// NewBlock returns a block without trials. The number of examples of the data
// set may be 0 if it is not known. The units of slices come after the units of all examples, as
// in [Block.Columns]. Header.Right is left out, since it is about trials.
//
// The error wraps ErrInvalid and names the missing header key, or the fault in
// the names of learners or in the units.
func NewBlock(h Header, learners []string, units []unit.Unit, examples int) (*Block, error) {
	h.Right = "" // of trials
	return checkedBlock(h, slices.Clone(learners), slices.Clone(units), examples)
}

// checkedBlock is NewBlock, but keeps the slices.
func checkedBlock(h Header, learners []string, units []unit.Unit, examples int) (b *Block, err error) {
	if err = checkHeader(&h); err == nil {
		b, err = newBlock(h, learners, nil, units, examples)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	return b, nil
}

// newBlock is checkedBlock without ErrInvalid, for a header each key of which was checked. It takes
// the index of the learners if there is one already.
func newBlock(h Header, learners []string, index map[string]int, units []unit.Unit,
	examples int,
) (*Block, error) {
	err := checkTogether(&h)
	if err == nil && index == nil {
		index, err = indexLearners(learners)
	}
	if err == nil {
		err = checkStops(&h, index)
	}
	if err == nil {
		err = validateUnits(units)
	}
	if err != nil {
		return nil, err
	}
	metrics, err := withoutSlices(units, h.SliceList())
	if err != nil {
		return nil, err
	}
	shape, err := split.ParseShape(h.Protocol)
	if err != nil {
		return nil, err
	}
	if err := checkRightOf(&h, index, &shape); err != nil {
		return nil, err
	}
	var items *itemList
	switch {
	case shape.Items() && h.Slices == "":
		if items, err = parseItems(&h); err != nil {
			return nil, err
		}
		examples = len(items.ids)
	case shape.Items() && h.Slices != "":
		return nil, fmt.Errorf("key %s is not for items, whose lines name their slices", keySlices)
	case h.Items != "":
		return nil, fmt.Errorf("items under the protocol %q: theirs is %q", h.Protocol, ItemsProtocol(1))
	}
	return &Block{
		Header: h, Learners: learners, Units: metrics, Columns: units,
		index: index, table: newTable(shape, len(learners), len(units), examples), items: items,
	}, nil
}

// indexLearners returns the numbers of learners by their names.
func indexLearners(names []string) (map[string]int, error) {
	if len(names) == 0 {
		return nil, fmt.Errorf("no learners")
	}
	index := make(map[string]int, len(names))
	for i, name := range names {
		if _, ok := index[name]; ok {
			return nil, fmt.Errorf("two learners have the name %q", name)
		}
		index[name] = i
	}
	return index, nil
}

// Len returns the number of trials.
func (b *Block) Len() int { return b.table.trials }

// Runs returns the number of the protocol's own runs, which a complete block
// has. Further runs are numbered on from these.
func (b *Block) Runs() int { return b.table.shape.Runs }

// Folds returns the number of folds of a run; 0 if it is the number of
// examples and that is not known.
func (b *Block) Folds() int { return b.table.folds }

// Add adds a trial. It returns a [*CellError] with ErrDouble if its cell has
// one already, and an error that wraps ErrInvalid if the trial does not belong
// into the block or has values that cannot be: another data set or learner, no
// value of a metric, one that is not finite, sizes that the protocol does not have.
func (b *Block) Add(t Trial) error {
	l, ok := b.index[t.Learner]
	switch {
	case t.Data != b.Header.Data:
		return fmt.Errorf("%w: %v: the block is of data set %s", ErrInvalid, t.Cell(), b.Header.Data)
	case !ok:
		return fmt.Errorf("%w: %v: the block does not have the learner", ErrInvalid, t.Cell())
	case t.Err != "" && (len(t.Values) != 0 || t.Constancy != Varied):
		return fmt.Errorf("%w: %v: a failed trial has values", ErrInvalid, t.Cell())
	}
	if id := cellOf(b, l, t.Run, t.Fold).Item; t.Item != "" && t.Item != id {
		return fmt.Errorf("%w: %v: fold %d is item %q", ErrInvalid, t.Cell(), t.Fold, id)
	}
	if at, ok := b.table.find(l, t.Run, t.Fold); ok {
		double := CellError{}
		double.add(b.cell(at), func() string { return b.pos(at).note("") })
		return double.errorOrNil(ErrDouble)
	}
	e := newEntry(l, &t, !b.Timeless)
	if err := b.put(&e); err != nil {
		return fmt.Errorf("%w: %v: %w", ErrInvalid, t.Cell(), err)
	}
	return nil
}

// put checks an entry, whose cell has no trial yet, and stores it.
func (b *Block) put(e *entry) error {
	if err := b.table.checkCell(e); err != nil {
		return err
	}
	if err := e.checkValues(b.Columns); err != nil {
		return err
	}
	at, err := b.table.put(e)
	b.verified = false
	if err == nil && b.origin.head > 0 { // the block was read, if not this trial
		b.origin.place(e.line, at, &b.table)
	}
	return err
}

// Clone returns a copy that shares nothing that a trial which is added changes.
func (b *Block) Clone() *Block {
	c := *b
	c.table, c.origin = b.table.clone(), b.origin.clone()
	return &c
}

// cell returns the cell of a seat.
func (b *Block) cell(at seat) Cell {
	run, fold := b.table.cellAt(at.place)
	return cellOf(b, at.learner, run, fold)
}

// cellOf returns a cell of a learner, which names its item if the block is of items.
func cellOf(b *Block, learner, run, fold int) Cell {
	c := Cell{Data: b.Header.Data, Learner: b.Learners[learner], Run: run, Fold: fold}
	if b.items != nil && fold >= 1 && fold <= len(b.items.ids) {
		c.Item = b.items.at(fold - 1).ID
	}
	return c
}

// trial returns the trial at a seat.
func (b *Block) trial(at seat) Trial {
	c, columns := b.cell(at), &b.table
	t := Trial{
		Data: c.Data, Learner: c.Learner, Run: c.Run, Fold: c.Fold, Item: c.Item,
		TrainN: int(columns.trainN[at.place]), TestN: int(columns.testN[at.place]),
		Pos: b.pos(at),
	}
	if !b.Timeless {
		t.FitSeconds, t.PredictSec = columns.fit[at.learner][at.place],
			columns.predict[at.learner][at.place]
	}
	if cause, ok := columns.failed[at]; ok {
		t.Err = cause
		return t
	}
	t.Constancy = columns.constancy(at)
	t.Values = make([]float64, len(b.Columns))
	for i := range t.Values {
		t.Values[i] = columns.column(i, at.learner)[at.place]
	}
	return t
}

// Trials yields the trials by run, fold and learner.
func (b *Block) Trials() iter.Seq[Trial] {
	return func(yield func(Trial) bool) {
		for at := range b.table.seats {
			if !yield(b.trial(at)) {
				return
			}
		}
	}
}

// Missing yields the cells of runs 1 to runs that have no trial, by run, fold
// and learner: the cells still to be trained.
func (b *Block) Missing(runs int) iter.Seq[Cell] {
	return func(yield func(Cell) bool) {
		for run := 1; run <= runs; run++ {
			for fold := 1; fold <= b.table.folds; fold++ {
				for l := range b.Learners {
					if _, ok := b.table.find(l, run, fold); !ok && !yield(cellOf(b, l, run, fold)) {
						return
					}
				}
			}
		}
	}
}

// Pos returns the position of the block's head, or the zero Pos if it was not
// read.
func (b *Block) Pos() Pos {
	if len(b.parts) > 0 {
		return b.parts[0].Pos()
	}
	return b.origin.headPos()
}

// pos returns the position of the trial at a seat, which must be there.
func (b *Block) pos(at seat) Pos {
	if b.parts == nil {
		return b.origin.pos(at)
	}
	c := b.cell(at)
	for _, p := range b.parts {
		if l, ok := p.index[c.Learner]; ok {
			if from, ok := p.table.find(l, c.Run, c.Fold); ok {
				return p.pos(from)
			}
		}
	}
	return Pos{}
}

// where says in words which block it is.
func (b *Block) where() string {
	s := "the trials on " + b.Header.Data
	if pos := b.Pos(); pos != (Pos{}) {
		s += " from " + pos.String()
	}
	return s
}

// ItemsOf returns the items of a block, by ascending id: item i is fold i+1. It is nil for other
// protocols.
func ItemsOf(b *Block) []Item {
	if b.items == nil {
		return nil
	}
	items := make([]Item, len(b.items.ids))
	for i := range items {
		items[i] = b.items.at(i)
	}
	return items
}

// CellsOf yields the cells of a block's trials, as [Block.Trials] yields the trials.
func CellsOf(b *Block) iter.Seq[Cell] {
	return func(yield func(Cell) bool) {
		for at := range b.table.seats {
			if !yield(b.cell(at)) {
				return
			}
		}
	}
}
