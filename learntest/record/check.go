package record

import "fmt"

// Check returns an error unless every learner has a trial in every cell of the protocol's own runs,
// and of each further run that it has begun: a [*CellError] that wraps ErrIncomplete. Trials that
// failed are there. Where the protocol tests every example once in each run, it returns an error
// that wraps ErrInvalid for a run whose test sets have more or fewer. A learner whose training was
// stopped is incomplete: see File.CheckStopped.
func (b *Block) Check() error {
	if err := wholeOnly(b); err != nil {
		return err
	}
	t := &b.table
	if err := t.checkCover(); err != nil {
		return fmt.Errorf("%w: %s: %w", ErrInvalid, b.where(), err)
	}
	if t.slots == nil && len(t.runs) >= b.Runs() && t.trials == len(t.runs)*t.folds*t.learners {
		return nil
	}
	missing := census{block: b}
	for l := range b.Learners {
		missing.begun(l)
	}
	return missing.errorOrNil(ErrIncomplete)
}

// A census counts the cells of a block that have no trial.
type census struct {
	block *Block
	CellError
}

// begun adds the missing cells of a learner in the runs that it must have or has begun.
func (c *census) begun(learner int) {
	c.own(learner, c.block.Runs())
	t := &c.block.table
	for _, s := range t.order() {
		if run := t.runs[s]; run > c.block.Runs() && t.count(learner, s) > 0 {
			c.run(learner, run)
		}
	}
}

// own adds the missing cells of a learner in the first so many of the protocol's own runs.
func (c *census) own(learner, runs int) {
	b, t := c.block, &c.block.table
	if t.folds == 0 { // one for each example, of which none was seen
		c.add(cellOf(b, learner, 1, 1), nil)
		return
	}
	run := 1
	for ; run <= runs && !c.full(); run++ {
		c.run(learner, run)
	}
	// The others are only counted: a head may promise millions.
	rest := int64(runs - run + 1)
	for _, r := range t.runs {
		if r >= run && r <= runs {
			c.run(learner, r)
			rest--
		}
	}
	c.Total += rest * int64(t.folds)
}

// run adds the missing cells of a learner in a run. A run of which nothing is
// there is counted rather than visited.
func (c *census) run(learner, run int) {
	b, t := c.block, &c.block.table
	_, begun := t.slotOf(run)
	for fold := 1; fold <= t.folds; fold++ {
		if !begun && c.full() {
			c.Total += int64(t.folds - fold + 1)
			return
		}
		if _, ok := t.find(learner, run, fold); !ok {
			c.add(cellOf(b, learner, run, fold), nil)
		}
	}
}

// checkStopped checks a block as [File.CheckStopped] does.
func checkStopped(b *Block) error {
	if b.Header.Stopped == "" {
		return b.Check()
	}
	if err := b.table.checkCover(); err != nil {
		return fmt.Errorf("%w: %s: %w", ErrInvalid, b.where(), err)
	}
	missing := census{block: b}
	for l, name := range b.Learners {
		s, ok := b.Header.Of(name).Stop()
		if !ok {
			missing.begun(l)
			continue
		}
		missing.own(l, s.Runs)
		for slot, run := range b.table.runs {
			if run > s.Runs && b.table.count(l, slot) > 0 {
				return fmt.Errorf("%w: %s: %s says that the training of %s was stopped after %d runs, and there are trials of run %d", ErrInvalid, b.where(), keyStopped, name, s.Runs, run)
			}
		}
	}
	return missing.errorOrNil(ErrIncomplete)
}

// stopsAgree returns an error if the training of a learner was stopped in one block, and another
// one has the learner, too, unless both say it alike: nobody knows then where it was stopped.
func stopsAgree(blocks []*Block) error {
	first := make(map[string]*Block)
	for _, b := range blocks {
		for _, name := range b.Learners {
			o := first[name]
			if o == nil {
				first[name] = b
				continue
			}
			if x, y := valueOf(o.Header.Stopped, name), valueOf(b.Header.Stopped, name); x != y {
				return &MismatchError{ErrMismatch, keyStopped + " of " + name, nil, o.where(), b.where(), x, y}
			}
		}
	}
	return nil
}

// wholeOnly returns an error if the training of a learner was stopped.
func wholeOnly(b *Block) error {
	if b.Header.Stopped == "" {
		return nil
	}
	for _, name := range b.Learners {
		if s, ok := b.Header.Of(name).Stop(); ok {
			return fmt.Errorf("%w: %s: the training of %s was stopped after %d of %d runs, once these had settled that %s or not, and here all count: %s",
				ErrIncomplete, b.where(), name, s.Runs, b.Runs(), s.Claim, TrainOn)
		}
	}
	return nil
}
