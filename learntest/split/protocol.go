package split

import (
	"fmt"
	"math"
)

// Limits on what a protocol may ask for, so that a mistyped number is an error
// rather than an exhausted memory.
const (
	maxRuns  = 1_000_000
	maxFolds = math.MaxUint16
)

// A Protocol says how examples are partitioned into training and test sets.
//
// A Protocol is an immutable value. Two protocols are equal (==) if and only
// if they mean the same. The zero value is [TenByTen] with seed 1, and every
// constructor starts with seed 1.
//
// Constructors accept any arguments; [Protocol.Validate] and [Protocol.Plan]
// report those that make no sense.
type Protocol struct {
	kind       kind
	runs       int
	folds      int
	stratified bool
	seed       uint64
	train      float64
	window     Window
	parts      string // encoded partitions, see predefined.go
}

// A Window shapes the training and test sets of [TimeSeries]. All sizes are
// numbers of examples.
type Window struct {
	// TestSize is the size of every test set. If zero, it is the number of
	// examples divided by one more than the number of folds, rounded down.
	TestSize int

	// MaxTrain bounds the size of a training set, which then slides instead
	// of expanding. If zero, training sets reach back to the first example.
	MaxTrain int

	// Gap is the number of examples left out between a training set and its
	// test set. If zero, the test set follows at once.
	Gap int
}

// CV is repeated k-fold cross-validation, stratified by class [Kohavi 1995].
// Every run deals all examples into the given number of folds afresh; each
// fold is the test set once, the others together the training set. The sizes
// of two folds differ by at most one, and so do their numbers of examples of
// any class. Examples without classes (regression) are dealt out unstratified.
//
// Runs is at least 1 and folds at least 2.
func CV(runs, folds int) Protocol {
	return Protocol{kind: kindCV, runs: runs, folds: folds, stratified: true, seed: 1}.pack()
}

// TenByTen is ten runs of stratified 10-fold cross-validation, the default
// [Bouckaert & Frank 2004].
func TenByTen() Protocol { return CV(10, 10) }

// FiveByTwo is five runs of stratified 2-fold cross-validation, which the
// 5×2cv tests need [Dietterich 1998].
func FiveByTwo() Protocol { return CV(5, 2) }

// RByTwo is the given number of runs of stratified 2-fold cross-validation.
func RByTwo(runs int) Protocol { return CV(runs, 2) }

// Subsample is repeated random subsampling, also called the repeated holdout
// [Nadeau & Bengio 2003]: every run draws a training set without replacement
// and tests on the rest. Each run has one fold. trainFraction, more than 0
// and less than 1, is the share of the examples that are drawn.
//
// The draw is not stratified; with .Stratified(true) each class contributes
// its share, rounded down or up.
func Subsample(runs int, trainFraction float64) Protocol {
	return Protocol{kind: kindSubsample, runs: runs, folds: 1, train: trainFraction, seed: 1}
}

// LeaveOneOut tests on each example in turn, training on all others. Fold i
// tests example i-1. There is nothing random in it, hence only one run.
func LeaveOneOut() Protocol {
	return Protocol{kind: kindLeaveOneOut, runs: 1, seed: 1}
}

// Groups is repeated k-fold cross-validation that never divides a group:
// examples of one group (a patient, a document, a day) are all in the training
// set or all in the test set. Fold sizes are balanced: the largest and the
// smallest fold differ by no more than the size of the largest group. With
// .Stratified(true) sizes are balanced as one of several aims only, the others
// being the numbers of examples of each class. The package documentation
// has the rule.
//
// The fewer groups there are, the fewer different runs are possible; see
// [Plan.DistinctRuns].
func Groups(runs, folds int) Protocol {
	return Protocol{kind: kindGroups, runs: runs, folds: folds, seed: 1}
}

// TimeSeries tests on successive blocks of examples, training on those before
// each block. The order of the examples is the order of time, and the last
// block ends with the last example. There is nothing random in it, hence only
// one run. The zero [Window] is an expanding one without a gap.
func TimeSeries(folds int, w Window) Protocol {
	return Protocol{kind: kindTimeSeries, runs: 1, folds: folds, window: w, seed: 1}
}

// Weka is repeated cross-validation with the partitions of Weka's Experimenter
// (compared with version 3.6.14), index by index, so that results can be paired
// with Weka's. It is stratified if there are classes.
//
// Run j draws from Java's generator seeded with Seed()+j-1: with seed 1, the
// default, the run number is Weka's seed; with seed s, run 1 is that of
// Weka's command line option -s s. Training and test sets come in Weka's order,
// which matters to learners that depend on the order of their examples.
func Weka(runs, folds int) Protocol {
	return Protocol{kind: kindWeka, runs: runs, folds: folds, stratified: true, seed: 1}
}

// pack and spell convert between the two forms of the default protocol: the
// zero value, which is stored so that equality works, and the one with every
// field spelled out, which the methods use.
func (p Protocol) pack() Protocol {
	if p == (Protocol{}).spell() {
		return Protocol{}
	}
	return p
}

func (p Protocol) spell() Protocol {
	if p == (Protocol{}) {
		return Protocol{kind: kindCV, runs: 10, folds: 10, stratified: true, seed: 1}
	}
	return p
}

// Seed returns the seed that all randomness of the protocol derives from.
func (p Protocol) Seed() uint64 { return p.spell().seed }

// WithSeed returns the protocol with another seed. The seed belongs to the
// text form even where the partitions do not depend on it, since learners may
// derive theirs from it.
func (p Protocol) WithSeed(seed uint64) Protocol {
	p = p.spell()
	p.seed = seed
	return p.pack()
}

// Runs returns the number of runs.
func (p Protocol) Runs() int { return p.spell().runs }

// Folds returns the number of folds of a run, which is 1 for [Subsample] and
// 0 for [LeaveOneOut], where it is the number of examples.
func (p Protocol) Folds() int { return p.spell().folds }

// IsRandom reports whether runs of the protocol differ at random, so that more of
// them say more. Those of [LeaveOneOut], [TimeSeries] and [Predefined] do not.
func (p Protocol) IsRandom() bool {
	switch p.spell().kind {
	case kindLeaveOneOut, kindTimeSeries, kindPredefined:
		return false
	}
	return true
}

// WithRuns returns the protocol with another number of runs. Run j is the
// same whatever the number: more runs continue those that were there.
func (p Protocol) WithRuns(runs int) Protocol {
	p = p.spell()
	if p.kind == kindPredefined {
		p.parts = truncateRuns(p.parts, runs)
	}
	p.runs = runs
	return p.pack()
}

// Stratified returns the protocol with stratification by class switched on or
// off. It applies to [CV], [Subsample] and [Groups].
func (p Protocol) Stratified(on bool) Protocol {
	p = p.spell()
	p.stratified = on
	return p.pack()
}

// IsStratified reports whether the protocol balances classes, if there are any.
func (p Protocol) IsStratified() bool { return p.spell().stratified }

// Validate returns an error wrapping [ErrProtocol] if the protocol can be
// carried out on no examples at all, however many. [Protocol.Plan] calls it.
func (p Protocol) Validate() error {
	p = p.spell()
	if err := p.check(); err != nil {
		return fmt.Errorf("%w %q: %w", ErrProtocol, p.String(), err)
	}
	return nil
}

func (p Protocol) check() error {
	if p.runs < 1 || p.runs > maxRuns {
		return fmt.Errorf("runs=%d is not in 1..%d", p.runs, maxRuns)
	}
	switch p.kind {
	case kindCV, kindGroups, kindWeka:
		if p.folds < 2 || p.folds > maxFolds {
			return fmt.Errorf("folds=%d is not in 2..%d", p.folds, maxFolds)
		}
	case kindTimeSeries:
		if p.folds < 1 || p.folds > maxFolds {
			return fmt.Errorf("folds=%d is not in 1..%d", p.folds, maxFolds)
		}
		for _, name := range []string{"test", "maxtrain", "gap"} {
			if size := *p.count(name); size < 0 || size > math.MaxInt32 {
				return fmt.Errorf("%s=%d is not in 0..2^31-1", name, size)
			}
		}
	case kindSubsample:
		if !(p.train > 0 && p.train < 1) {
			return fmt.Errorf("train=%v is not between 0 and 1", p.train)
		}
	case kindPredefined:
		if err := checkParts(p.parts, p.runs); err != nil {
			return err
		}
	}
	if (p.kind == kindLeaveOneOut || p.kind == kindTimeSeries) && p.runs != 1 {
		return fmt.Errorf("runs=%d, but nothing in it is random: every run would be the same", p.runs)
	}
	if p.stratified != p.kind.stratified() && !p.kind.optionallyStratified() {
		if p.stratified {
			return fmt.Errorf("%s cannot be stratified", p.kind)
		}
		return fmt.Errorf("%s is always stratified", p.kind)
	}
	return nil
}
