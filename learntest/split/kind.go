package split

import (
	"fmt"
	"math"
	"slices"
)

// Limits on what a protocol may ask for, so that a mistyped number is an error
// rather than an exhausted memory.
const (
	maxRuns  = 1_000_000
	maxFolds = math.MaxUint16
)

// A Protocol says how examples are partitioned into training and test sets.
//
// A Protocol is an immutable value. Two protocols are equal (==) if and only if they have
// the same meaning. The zero value is [TenByTen] with seed 1, and every constructor starts
// with seed 1.
//
// Constructors accept any arguments; [Protocol.Validate] and [Protocol.Plan] return an
// error for impossible ones.
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

// A kind is one way to partition examples, as the rest of the package sees it. Kinds are never
// changed.
type kind struct {
	name     string    // first word of the text form
	settings []setting // in canonical order

	stratified bool // what the constructor sets
	optional   bool // whether Stratified may change it
	unsaid     bool // whether the text form leaves out the word for the constructor's setting

	random bool // runs differ at random
	groups bool // needs the groups of the examples
	folds  int  // of a run, if that is no setting; 0 if it is, or as many as examples
	halves bool // each half of the examples has as many folds as the setting says
	sizes

	repeats bool // runs are repeats of items, which are folds

	// check returns an error for settings without any plan, however many examples there are.
	check func(p *Protocol) error

	plan func(p Protocol, ex *members) (layout, error)

	// cut shortens the protocol to fewer runs where that takes more than another
	// number of them. It may be nil.
	cut func(p *Protocol, runs int)

	// unreadable, if not nil, is the reason why no text form can be parsed.
	unreadable error
}

// A setting is a word name=value of the text form. It may be left out if it has a
// default and that is its value.
type setting struct {
	name string
	def  string

	// at returns the place of the value in a protocol: an *int, a *float64, or the
	// *string of partitions, of which the text has the digest.
	at func(p *Protocol) any
}

func atRuns(p *Protocol) any  { return &p.runs }
func atFolds(p *Protocol) any { return &p.folds }

// checkFolds returns an error unless there are at least as many folds.
func (p *Protocol) checkFolds(least int) error {
	if p.folds < least || p.folds > maxFolds {
		return fmt.Errorf("folds=%d is not in %d..%d", p.folds, least, maxFolds)
	}
	return nil
}

func (p *Protocol) checkTwoFolds() error { return p.checkFolds(2) }

// checkOneRun returns an error if a protocol that is not random has several runs.
func (p *Protocol) checkOneRun() error {
	if p.runs != 1 {
		return fmt.Errorf("runs=%d, but nothing in it is random: all runs would be identical", p.runs)
	}
	return nil
}

// sizes are the promises of a kind of protocol about the sizes of training and test sets.
type sizes struct {
	all   bool // every example is in the training or in the test set
	even  bool // the sizes of the test sets of a run differ by at most one
	cover bool // every example is in one test set of each run
}

// runsName returns the name of the number of runs in the text form.
func (k *kind) runsName() string {
	switch {
	case k.halves:
		return "m"
	case k.repeats:
		return "repeats"
	}
	return "runs"
}

// needs reports whether every text form of the kind has a setting.
func (k *kind) needs(name string) bool {
	return slices.ContainsFunc(k.settings, func(s setting) bool {
		return s.name == name &&
			s.def == ""
	})
}
