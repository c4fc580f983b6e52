package record

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Union returns a block with the trials of all the given ones, which must be of
// the same identity: shards, blocks of other learners, further runs. Texts that
// may differ between shards, such as the toolchain, are joined by "; ", and a
// learner that one of them has found not to be deterministic is not. There are times
// only if all trials have them. One block is returned as it is.
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
	u, err := unionHead(blocks)
	if err != nil {
		return nil, err
	}
	var double CellError
	for _, b := range blocks {
		ours := make([]int, len(b.Learners))
		for i, name := range b.Learners {
			ours[i] = u.index[name]
		}
		for at := range b.seats {
			if err := u.adopt(b, at, ours[at.learner], &double); err != nil {
				return nil, err
			}
		}
	}
	u.clip()
	return u, double.errorOrNil(ErrDouble)
}

// unionHead returns the union without its trials.
func unionHead(blocks []*Block) (*Block, error) {
	first := blocks[0]
	u := &Block{Header: first.Header, Units: first.Units, Timeless: first.Timeless, origin: origin{parts: blocks}}
	seen := make(map[string]bool)
	known := false
	for _, b := range blocks {
		if err := sameExperiment(first, b); err != nil {
			return nil, err
		}
		for _, name := range b.Learners {
			if !seen[name] {
				seen[name] = true
				u.Learners = append(u.Learners, name)
			}
		}
		if b.trials > 0 { // without trials, a head that was read does not say
			u.Timeless = b.Timeless || u.Timeless && known
			known = true
		}
		u.examples = max(u.examples, b.examples)
	}
	for i := range headerKeys {
		if k := &headerKeys[i]; k.remark {
			*k.field(&u.Header) = joinRemarks(blocks, k)
		}
	}
	u.Header.Determinism = unionDeterminism(blocks, u.Learners)
	u.Header.Majority = agreed(blocks, func(h *Header) string { return h.Majority })
	u.Header.Target = agreed(blocks, func(h *Header) string { return h.Target })
	u.Header.Means = "" // of a part is not that of the whole
	u.Header.OpinionOn = unionOpinionOn(blocks, u.Learners)
	if err := u.init(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	return u, nil
}

// adopt adds the trial at a seat of another block, whose learner is l here, or takes
// note that its cell is taken.
func (u *Block) adopt(b *Block, at seat, l int, double *CellError) error {
	run, fold := b.runs[at.place/b.folds], at.place%b.folds+1
	if taken, ok := u.find(l, run, fold); ok {
		double.add(b.cell(at), func() string { return between(u.pos(taken), b.pos(at)) })
		return nil
	}
	t := b.trial(at)
	e := entry{l, run, fold, t.TrainN, t.TestN, t.Values, t.FitSeconds, t.PredictSec, t.Err, 0}
	if err := u.put(&e); err != nil {
		return fmt.Errorf("%w: %s", ErrMismatch, b.pos(at).note(fmt.Sprintf("%v: %v", t.Cell(), err)))
	}
	return nil
}

func between(a, b Pos) string {
	if a == (Pos{}) && b == (Pos{}) {
		return ""
	}
	return fmt.Sprintf("%v and %v", a, b)
}

// Minus returns a block with the trials of b that o does not have, which may be
// none: what is to be added to a file that has o.
//
// The error wraps ErrMismatch if a trial that both have differs in anything but
// its times, or if the heads do not belong together.
func (b *Block) Minus(o *Block) (*Block, error) {
	if err := sameExperiment(o, b); err != nil {
		return nil, err
	}
	rest := &Block{Header: b.Header, Units: b.Units, Timeless: b.Timeless, examples: b.examples}
	for l, name := range b.Learners {
		if ol, ok := o.index[name]; !ok || b.exceeds(l, o, ol) {
			rest.Learners = append(rest.Learners, name)
		}
	}
	if rest.Learners == nil { // nothing is new
		rest.Learners = b.Learners
	}
	if err := rest.init(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	rest.Header.Determinism = unionDeterminism([]*Block{b}, rest.Learners)
	for at := range b.seats {
		t := b.trial(at)
		if l, ok := o.index[t.Learner]; ok {
			if theirs, ok := o.find(l, t.Run, t.Fold); ok {
				if err := b.sameTrial(at, o, theirs); err != nil {
					return nil, err
				}
				continue
			}
		}
		e := entry{rest.index[t.Learner], t.Run, t.Fold, t.TrainN, t.TestN, t.Values, t.FitSeconds, t.PredictSec, t.Err, 0}
		if err := rest.put(&e); err != nil {
			return nil, fmt.Errorf("%w: %v: %w", ErrInvalid, t.Cell(), err)
		}
	}
	return rest, nil
}

// exceeds reports whether b has a trial of the learner that o does not have.
func (b *Block) exceeds(learner int, o *Block, theirs int) bool {
	for s, run := range b.runs {
		for fold := 1; fold <= b.folds; fold++ {
			if !b.has(seat{learner, s*b.folds + fold - 1}) {
				continue
			}
			if _, ok := o.find(theirs, run, fold); !ok {
				return true
			}
		}
	}
	return false
}

// sameTrial returns an error unless two trials of one cell are equal, times
// apart.
func (b *Block) sameTrial(at seat, o *Block, theirs seat) error {
	c := b.cell(at)
	mismatch := &MismatchError{Err: ErrMismatch, Cell: &c, WhereA: o.where(), WhereB: b.where()}
	differ := func(what, x, y string) bool {
		mismatch.What, mismatch.A, mismatch.B = what, x, y
		return x != y
	}
	for i, u := range b.Units {
		x := o.scores[i*len(o.Learners)+theirs.learner][theirs.place]
		y := b.scores[i*len(b.Learners)+at.learner][at.place]
		if math.Float64bits(x) != math.Float64bits(y) && differ(u.Name, scoreText(x), scoreText(y)) {
			return mismatch
		}
	}
	if differ("cause of failure", o.failed[theirs], b.failed[at]) ||
		differ(unitTrain, fmt.Sprint(o.trainN[theirs.place]), fmt.Sprint(b.trainN[at.place])) ||
		differ(unitTest, fmt.Sprint(o.testN[theirs.place]), fmt.Sprint(b.testN[at.place])) {
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

// Fits returns an error that wraps ErrMismatch unless the heads of two blocks belong
// together, so that [Union] joins them if they have no cell in common.
func (b *Block) Fits(o *Block) error { return sameExperiment(o, b) }

// sameExperiment returns an error if the heads of two blocks do not belong
// together.
func sameExperiment(a, b *Block) error {
	mismatch := &MismatchError{Err: ErrMismatch, WhereA: a.where(), WhereB: b.where()}
	differ := func(what, x, y string) bool {
		mismatch.What, mismatch.A, mismatch.B = what, x, y
		return x != y
	}
	if differ("data set", a.Header.Data, b.Header.Data) {
		return mismatch
	}
	for i := range headerKeys {
		if k := &headerKeys[i]; !k.remark && differ(k.name, *k.field(&a.Header), *k.field(&b.Header)) {
			return mismatch
		}
	}
	if !slices.Equal(a.Units, b.Units) && differ("list of units", unitsText(a.Units), unitsText(b.Units)) {
		return mismatch
	}
	return nil
}

// where says in words which block it is.
func (b *Block) where() string {
	s := "the trials on " + b.Header.Data
	if pos := b.Pos(); pos != (Pos{}) {
		s += " from " + pos.String()
	}
	return s
}

// joinRemarks returns the different values of a key.
func joinRemarks(blocks []*Block, k *headerKey) string {
	var values []string
	for _, b := range blocks {
		if v := *k.field(&b.Header); v != "" && !slices.Contains(values, v) {
			values = append(values, v)
		}
	}
	return strings.Join(values, "; ")
}

// Check returns an error unless every learner has a trial in every cell of the
// protocol's own runs, and of each further run that it has begun: a [*CellError]
// that wraps ErrIncomplete. Trials that failed are there. Where the protocol tests
// every example once in each run, it returns an error that wraps ErrInvalid for a run
// whose test sets have more or fewer.
func (b *Block) Check() error {
	if err := b.checkCover(); err != nil {
		return err
	}
	if b.slots == nil && len(b.runs) >= b.Runs() && b.trials == len(b.runs)*b.folds*len(b.Learners) {
		return nil
	}
	var missing CellError
	for l := range b.Learners {
		b.check(l, &missing)
	}
	return missing.errorOrNil(ErrIncomplete)
}

// check adds the missing cells of a learner.
func (b *Block) check(learner int, missing *CellError) {
	b.checkOwn(learner, missing)
	for _, s := range b.order() {
		if run := b.runs[s]; run > b.Runs() && b.count(learner, s) > 0 {
			b.checkRun(learner, run, missing)
		}
	}
}

// checkOwn adds the missing cells of a learner in the protocol's own runs.
func (b *Block) checkOwn(learner int, missing *CellError) {
	if b.folds == 0 { // one for each example, of which none was seen
		missing.add(Cell{b.Header.Data, b.Learners[learner], 1, 1}, nil)
		return
	}
	run := 1
	for ; run <= b.Runs() && !missing.full(); run++ {
		b.checkRun(learner, run, missing)
	}
	// The others are only counted: a head may promise millions.
	rest := int64(b.Runs() - run + 1)
	for _, r := range b.runs {
		if r >= run && r <= b.Runs() {
			b.checkRun(learner, r, missing)
			rest--
		}
	}
	missing.Total += rest * int64(b.folds)
}

// checkRun adds the missing cells of a learner in a run. A run of which nothing is
// there is counted rather than visited.
func (b *Block) checkRun(learner, run int, missing *CellError) {
	_, begun := b.slotOf(run)
	for fold := 1; fold <= b.folds; fold++ {
		if !begun && missing.full() {
			missing.Total += int64(b.folds - fold + 1)
			return
		}
		if _, ok := b.find(learner, run, fold); !ok {
			missing.add(Cell{b.Header.Data, b.Learners[learner], run, fold}, nil)
		}
	}
}

// checkCover returns an error unless the test sets of every run that is complete
// have the examples of the data set, where the protocol has it so.
func (b *Block) checkCover() error {
	if !b.shape.Covers() {
		return nil
	}
	examples := b.examples // 0 if it is not known: then that of the first run
	for s, run := range b.runs {
		sum, complete := 0, true
		for _, n := range b.testN[s*b.folds : (s+1)*b.folds] {
			sum += int(n)
			complete = complete && n > 0
		}
		if complete && examples == 0 {
			examples = sum
		}
		if complete && sum != examples {
			return fmt.Errorf("%w: %s: the test sets of run %d have %d examples, the data set has %d", ErrInvalid, b.where(), run, sum, examples)
		}
	}
	return nil
}

// agreed returns what the headers of several blocks say that need not say anything: nothing where those that do
// are not of one mind.
func agreed(blocks []*Block, field func(*Header) string) string {
	text := ""
	for _, b := range blocks {
		switch own := field(&b.Header); {
		case own == "" || own == text:
		case text != "":
			return ""
		default:
			text = own
		}
	}
	return text
}
