package predictions

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// complete returns an error unless the block has the truth of all examples and whole runs, with
// predictions for whole folds.
func (p *parts) complete() error {
	b := p.block
	if !p.truthKnown() {
		return fmt.Errorf("the truth of %d of %d examples is there", len(b.truth)+len(b.targets),
			b.Examples)
	}
	for _, run := range b.Runs() {
		of := b.folds[run]
		if len(of) != b.Examples {
			return fmt.Errorf("run %d: the folds of %d of %d examples are there", run, len(of), b.Examples)
		}
		if b.shape.Covers() {
			if i := slices.Index(of, 0); i >= 0 {
				return fmt.Errorf("run %d: example %d is tested in no fold", run, i)
			}
		}
	}
	state := make([]int8, b.shape.Folds+1)
	for at, r := range b.runs {
		if err := p.whole(r, b.folds[at.run], state); err != nil {
			return fmt.Errorf("learner %q, run %d: %w", b.learners[at.learner], at.run, err)
		}
	}
	return nil
}

// whole returns an error unless a run has predictions for all examples of a fold or for none. The
// state of folds is kept for the next call.
func (p *parts) whole(r *Run, of []uint16, state []int8) error {
	switch n := len(r.codes) + len(r.values); {
	case of == nil:
		return errors.New("the folds of the run are missing")
	case n != p.block.Examples:
		return fmt.Errorf("predictions of %d of %d examples are there", n, p.block.Examples)
	case r.chance != nil && len(r.chance) != n*r.width:
		return fmt.Errorf("%d probabilities are there, not %d", len(r.chance), n*r.width)
	}
	clear(state)
	state[0] = -1
	for i, fold := range of {
		has := int8(-1)
		if r.Has(i) {
			has = 1
		}
		if state[fold] == 0 {
			state[fold] = has
		} else if state[fold] != has {
			return fmt.Errorf("example %d: a fold has predictions for all of its test examples or for none, and an example without a fold has none", i)
		}
		if r.chance != nil && has < 0 {
			for _, x := range r.Probabilities(i) {
				if !math.IsNaN(x) {
					return fmt.Errorf("example %d: a probability is there, and no prediction", i)
				}
			}
		}
	}
	return nil
}
