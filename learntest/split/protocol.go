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
	kind       *kind // nil in the zero value only
	runs       int
	folds      int
	stratified bool
	seed       uint64
	train      float64
	window     Window
	parts      string // encoded partitions, see predefined.go
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
		return Protocol{kind: cv, runs: 10, folds: 10, stratified: true, seed: 1}
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

// Folds returns the number of folds of a run, which is 1 for [Subsample], 0 for
// [LeaveOneOut], where it is the number of examples, and for [Halves] that of both
// halves together.
func (p Protocol) Folds() int {
	p = p.spell()
	if p.kind.halves {
		return 2 * p.folds
	}
	return p.folds
}

// IsRandom reports whether runs of the protocol differ at random, so that more of
// them say more. Those of [LeaveOneOut], [TimeSeries] and [Predefined] do not.
func (p Protocol) IsRandom() bool { return p.spell().kind.random }

// WithRuns returns the protocol with another number of runs. Run j is the
// same whatever the number: more runs continue those that were there.
func (p Protocol) WithRuns(runs int) Protocol {
	p = p.spell()
	if p.kind.cut != nil {
		p.kind.cut(&p, runs)
	}
	p.runs = runs
	return p.pack()
}

// Stratified returns the protocol with stratification by class switched on or
// off. It applies to [CV], [Subsample], [Groups], [Halves] and [GroupHalves].
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
