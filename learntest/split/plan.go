package split

import (
	"fmt"
	"math"
	"sync"
)

// A Plan is the list of partitions that a protocol makes of given examples: a training set
// and a test set for each fold of each run. It is immutable and safe for concurrent use.
type Plan struct {
	protocol Protocol
	n        int
	folds    int
	layout   layout
	digest   func() string
}

// Validate returns an error that wraps [ErrProtocol] if the protocol fits no examples at
// all, however many there are. [Protocol.Plan] calls it.
func (p Protocol) Validate() error {
	p = p.spell()
	if err := p.check(); err != nil {
		return fmt.Errorf("%w %q: %w", ErrProtocol, p.String(), err)
	}
	return nil
}

func (p Protocol) check() error {
	if p.runs < 1 || p.runs > maxRuns {
		return fmt.Errorf("%s=%d is not in 1..%d", p.kind.runsName(), p.runs, maxRuns)
	}
	if p.kind.check != nil {
		if err := p.kind.check(&p); err != nil {
			return err
		}
	}
	if p.stratified != p.kind.stratified && !p.kind.optional {
		if p.stratified {
			return fmt.Errorf("%s cannot be stratified", p.kind.name)
		}
		return fmt.Errorf("%s is always stratified", p.kind.name)
	}
	return nil
}

// Plan computes the partitions of the examples. It keeps no reference to ex.
//
// The error wraps
//   - [ErrProtocol] if [Protocol.Validate] rejects the protocol, or if the plan would be
//     too
//
// large (2^31 examples times runs or more);
//   - [ErrExamples] if the lengths in ex differ, if the protocol needs groups and there are
//
// none, or if a class or group that it needs is negative;
//   - [ErrTooFew] if a training or test set would be empty, if there are fewer examples or
//
// groups than folds, or if there are several runs but as many folds as examples or groups,
// which makes all runs identical.
//
// Without classes nothing is stratified. A class with fewer members than there are folds is
// no error: some folds have none of its members.
func (p Protocol) Plan(ex Examples) (*Plan, error) {
	p = p.spell()
	if err := p.Validate(); err != nil {
		return nil, err
	}
	found, err := ex.check(p)
	if err != nil {
		return nil, err
	}
	if int64(p.runs)*int64(ex.N) > math.MaxInt32 {
		return nil, fmt.Errorf("%w %q: %d examples times runs is more than 2^31-1", ErrProtocol, p, ex.N)
	}
	plan := &Plan{protocol: p.pack(), n: ex.N, folds: p.Folds()}
	if plan.folds == 0 {
		plan.folds = ex.N
	}
	plan.layout, err = p.kind.plan(p, found)
	if err != nil {
		return nil, fmt.Errorf("%q on %d examples: %w", p, ex.N, err)
	}
	plan.digest = sync.OnceValue(plan.computeDigest)
	return plan, nil
}

// Protocol returns the protocol that made the plan.
func (p *Plan) Protocol() Protocol { return p.protocol }

// N returns the number of examples that the plan partitions.
func (p *Plan) N() int { return p.n }

// Runs returns the number of runs.
func (p *Plan) Runs() int { return p.protocol.Runs() }

// Folds returns the number of folds of every run.
func (p *Plan) Folds() int { return p.folds }

// Sizes returns the sizes of the training set and the test set of a fold. Run and fold are
// counted from 1. Sizes panics if there is no such fold or run, as indexing a slice does.
// It takes constant time.
func (p *Plan) Sizes(run, fold int) (trainN, testN int) {
	p.inRange(run, fold)
	return p.layout.sizes(run, fold)
}

// Trial appends the indices of the training set and the test set of a fold to train and
// test, and returns the longer slices. Run and fold are counted from 1. Trial does not
// allocate if the capacities suffice. It panics if there is no such fold or run, as
// indexing a slice does.
//
// Indices are ascending, except in [Weka] and [Predefined] plans, which keep their own
// order.
func (p *Plan) Trial(run, fold int, train, test []int) ([]int, []int) {
	trainN, testN := p.Sizes(run, fold)
	train, newTrain := extend(train, trainN)
	test, newTest := extend(test, testN)
	p.layout.trial(run, fold, newTrain, newTest)
	return train, test
}

func (p *Plan) inRange(run, fold int) {
	if run < 1 || run > p.Runs() || fold < 1 || fold > p.folds {
		panic(fmt.Sprintf("split: run %d, fold %d of a plan of %d runs of %d folds", run, fold,
			p.Runs(), p.folds))
	}
}

// extend lengthens s by n elements and returns it and the new part of it.
func extend(s []int, n int) (all, added []int) {
	old := len(s)
	if cap(s)-old < n {
		grown := make([]int, old, old+n)
		copy(grown, s)
		s = grown
	}
	s = s[:old+n]
	return s, s[old:]
}

// Digest returns the SHA-256 of all partitions of the plan in lower-case hexadecimal. It
// depends only on the training and test sets and their order: plans of different protocols
// with equal partitions have equal digests. The first call computes it.
//
// The hash covers the 19 bytes "learnbench plan v1\n" and then a sequence of unsigned
// 32-bit little-endian integers: the number of runs, the number of folds of each, and then,
// run by run and fold by fold, the training set and the test set. A set is written as its
// maximal stretches of consecutive ascending indices in the set's order: the number of
// stretches, and for each its first index and its length. The set 4 5 6 9 8 is 3, 4 3, 9 1,
// 8 1.
func (p *Plan) Digest() string { return p.digest() }

func (p *Plan) computeDigest() string {
	h := newPlanHash(p.Runs(), p.folds)
	var train, test []int
	for run := 1; run <= p.Runs(); run++ {
		for fold := 1; fold <= p.folds; fold++ {
			train, test = p.Trial(run, fold, train[:0], test[:0])
			h.add(train)
			h.add(test)
		}
	}
	return h.sum()
}
