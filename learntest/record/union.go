package record

import (
	"fmt"
	"slices"
)

// Union returns a block with the trials of all the given ones, which must be of
// the same identity: shards, blocks of other learners, further runs. Texts that
// may differ between shards, such as the toolchain, are joined by "; ", and a
// learner that one of them has found not to be deterministic is not. There are times
// only if all trials have them. One block is returned unchanged.
//
// The error wraps ErrMismatch if the blocks differ in identity, commit, digests
// or units, or in the sizes of a fold, and ErrDouble if a cell has two trials. It is
// ErrInvalid if there are no blocks.
func Union(blocks ...*Block) (*Block, error) {
	switch len(blocks) {
	case 0:
		return nil, fmt.Errorf("%w: no blocks", ErrInvalid)
	case 1:
		return blocks[0], nil
	}
	u, err := newUnion(blocks)
	if err != nil {
		return nil, err
	}
	for _, b := range blocks {
		if err := u.add(b); err != nil {
			return nil, err
		}
	}
	u.block.table.clip()
	unionRight(u.block, blocks)
	u.block.verified = !slices.ContainsFunc(blocks, func(b *Block) bool { return !b.verified })
	return u.block, u.double.errorOrNil(ErrDouble)
}

// A union is a block that is made of others.
type union struct {
	block  *Block
	double CellError // the cells that two of them have
}

// newUnion returns the union without its trials.
func newUnion(blocks []*Block) (*union, error) {
	first := blocks[0]
	var learners []string
	seen := make(map[string]bool)
	timeless, known, examples := first.Timeless, false, 0
	for _, b := range blocks {
		if err := sameExperiment(first, b); err != nil {
			return nil, err
		}
		for _, name := range b.Learners {
			if !seen[name] {
				seen[name] = true
				learners = append(learners, name)
			}
		}
		if b.table.trials > 0 { // without trials, a head that was read does not say
			timeless = b.Timeless || timeless && known
			known = true
		}
		examples = max(examples, b.table.examples)
	}
	if err := stopsAgree(blocks); err != nil {
		return nil, err
	}
	h := first.Header
	describe(&h, blocks, learners)
	b, err := checkedBlock(h, learners, first.Columns, examples)
	if err != nil {
		return nil, err
	}
	b.Timeless, b.parts = timeless, blocks
	return &union{block: b}, nil
}

// add adds the trials of a block. It records the cells that have a trial already.
func (u *union) add(b *Block) error {
	ours := make([]int, len(b.Learners))
	for i, name := range b.Learners {
		ours[i] = u.block.index[name]
	}
	values := make([]float64, len(b.Columns))
	for at := range b.table.seats {
		e := b.table.entryAt(at, !u.block.Timeless, values[:0])
		e.learner = ours[at.learner]
		if taken, ok := u.block.table.find(e.learner, e.run, e.fold); ok {
			u.double.add(b.cell(at), func() string { return between(u.block.pos(taken), b.pos(at)) })
			continue
		}
		if err := u.block.put(&e); err != nil {
			return fmt.Errorf("%w: %s", ErrMismatch, b.pos(at).note(fmt.Sprintf("%v: %v", b.cell(at), err)))
		}
	}
	return nil
}

func between(a, b Pos) string {
	if a == (Pos{}) && b == (Pos{}) {
		return ""
	}
	return fmt.Sprintf("%v and %v", a, b)
}
