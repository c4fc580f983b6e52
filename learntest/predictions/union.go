package predictions

import (
	"errors"
	"fmt"
	"slices"

	"github.com/learnbench/learnbench/learntest/record"
)

// Union returns one block of the predictions of several, which are parts of one result, such as
// shards. The error wraps ErrMismatch if their heads, truth or folds differ, or if two of them have
// predictions of a cell.
func Union(blocks ...*Block) (*Block, error) {
	if len(blocks) == 0 {
		return nil, fmt.Errorf("%w: there are none", ErrMismatch)
	}
	u, err := newBlock(blocks[0].Header)
	if err != nil {
		return nil, err
	}
	u.truth, u.targets, u.Pos = blocks[0].truth, blocks[0].targets, blocks[0].Pos
	for _, b := range blocks {
		if err := join(u, b); err != nil {
			return nil, fmt.Errorf("%w: %v and %v: %w", ErrMismatch, blocks[0].Pos, b.Pos, err)
		}
	}
	return u, nil
}

// Together returns the blocks of files, with the shards of each result united.
func Together(blocks []*Block) ([]*Block, error) {
	var order []record.Identity
	shards := make(map[record.Identity][]*Block)
	for _, b := range blocks {
		id := b.Identity()
		if shards[id] == nil {
			order = append(order, id)
		}
		shards[id] = append(shards[id], b)
	}
	var all []*Block
	for _, id := range order {
		b, err := shards[id][0], error(nil)
		if len(shards[id]) > 1 {
			b, err = Union(shards[id]...)
		}
		if err != nil {
			return nil, err
		}
		all = append(all, b)
	}
	return all, nil
}

// Sums returns the checksums of the blocks that a block was united from, or its own.
func Sums(b *Block) ([]string, error) {
	if b.parts != nil {
		return b.parts, nil
	}
	sum, err := b.Checksum()
	return []string{sum}, err
}

// Of returns the predictions of a result among the blocks of files, with the proof that they are:
// see [Block.Verify].
func Of(result *record.Block, among []*Block) (*Block, *Proof, error) {
	var own []*Block
	sums := result.Header.PredictionSums()
	if len(sums) == 0 {
		return nil, nil, fmt.Errorf("%w on data set %s: no predictions were kept of it", ErrMismatch,
			result.Header.Data)
	}
	for _, sum := range sums {
		at := slices.IndexFunc(among, func(b *Block) bool {
			s, err := b.Checksum()
			return err == nil &&
				s == sum
		})
		if at < 0 {
			return nil, nil, fmt.Errorf("%w on data set %s: it names the predictions %.12s, which are in another file", ErrMismatch, result.Header.Data, sum)
		}
		own = append(own, among[at])
	}
	b := own[0]
	if len(own) > 1 {
		var err error
		if b, err = Union(own...); err != nil {
			return nil, nil, err
		}
	}
	proof, err := b.Verify(result)
	return b, proof, err
}

// Part returns a copy of the block with the predictions of some cells alone, and with the folds of
// the protocol's own runs and of all runs of these cells.
func (b *Block) Part(has func(c record.Cell) bool) *Block {
	p := &Block{
		Header: b.Header, shape: b.shape, truth: b.truth, targets: b.targets,
		folds: make(map[int][]uint16), runs: make(map[place]*Run),
	}
	for run := 1; run <= b.shape.Runs; run++ {
		if of := b.folds[run]; of != nil {
			p.folds[run] = of
		}
	}
	for _, at := range b.places() {
		c := record.Cell{Data: b.Data, Learner: b.learners[at.learner], Run: at.run}
		wanted := make([]bool, b.shape.Folds+1)
		for fold := 1; fold <= b.shape.Folds; fold++ {
			c.Fold = fold
			wanted[fold] = has(c)
		}
		r := b.runs[at]
		var to *Run
		for i, fold := range b.folds[at.run] {
			if !wanted[fold] || !r.Has(i) {
				continue
			}
			if to == nil {
				p.folds[at.run] = b.folds[at.run]
				to = p.room(c)
			}
			to.take(i, r)
		}
	}
	return p
}

// join adds the predictions of a block to another one.
func join(b, o *Block) error {
	if o.Identity() != b.Identity() || o.DataDigest != b.DataDigest ||
		o.SplitDigest != b.SplitDigest || o.Examples != b.Examples ||
		o.Probabilities != b.Probabilities || !slices.Equal(o.Classes, b.Classes) {
		return errors.New("their heads differ")
	}
	if !slices.Equal(o.truth, b.truth) || !slices.Equal(o.targets, b.targets) {
		return errors.New("the truth differs")
	}
	for run, of := range o.folds {
		if have := b.folds[run]; have != nil && !slices.Equal(have, of) {
			return fmt.Errorf("the folds of run %d differ", run)
		}
		b.folds[run] = of
	}
	sum, err := o.Checksum()
	if err != nil {
		return err
	}
	b.parts = append(b.parts, sum)
	for _, at := range o.places() {
		name, r := o.learners[at.learner], o.runs[at]
		to := b.room(record.Cell{Learner: name, Run: at.run})
		for i := range b.Examples {
			if !r.Has(i) {
				continue
			}
			if to.Has(i) {
				return fmt.Errorf("both have predictions of learner %s in run %d, fold %d", name, at.run,
					b.folds[at.run][i])
			}
			to.take(i, r)
		}
	}
	return nil
}

// take takes the prediction of an example from another run.
func (r *Run) take(i int, from *Run) {
	if from.codes != nil {
		r.codes[i] = from.codes[i]
	} else {
		r.values[i] = from.values[i]
	}
	if from.chance != nil {
		r.keep(i, from.Probabilities(i))
	}
}
