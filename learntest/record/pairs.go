package record

import "github.com/learnbench/learnbench/learntest/unit"

// Pairs are the paired scores of two learners in one metric, on one data set
// under one protocol. The protocol's own runs are complete. Further runs, which
// repeat the test, are there as far as both learners have them.
type Pairs struct {
	Data, Candidate, Baseline       string
	Unit                            unit.Unit
	CandidateHeader, BaselineHeader *Header // not to be changed

	// CandidateLearner and BaselineLearner are the names that the headers have of them; if empty,
	// Candidate and Baseline.
	CandidateLearner, BaselineLearner string

	Runs  int // of the protocol, or the first of these
	More  int // further runs
	Folds int // of each run

	// Planned is the number of runs of the protocol, of which Runs may be the first; 0 if it is
	// Runs.
	Planned int

	// Stop is the error with which the training of a learner was stopped, the smaller one if both
	// were; 0 if none was.
	Stop float64

	// SameProgram says that one learner, of the same program with the same parameters, has made
	// both sides, as far as their headers prove it.
	SameProgram bool

	// A and B are the scores of candidate and baseline, TrainN and TestN the
	// numbers of training and test examples. Fold f of run r, both from 1, is at
	// (r−1)·Folds+f−1. They may be shared with the file and are not to be changed.
	A, B          []float64
	TrainN, TestN []int32

	// ConstantA and ConstantB are how many models of each, of the protocol's own runs, made one
	// prediction for all test examples, and not by chance. They are 0 for a learner all of whose
	// models did so: it is made for it.
	ConstantA, ConstantB int
	constantA, constantB constancies

	// RightA and RightB are how often candidate and baseline are right on each example in all Runs,
	// of the metrics accuracy and error; nil where the results do not say, since no predictions
	// were kept.
	RightA, RightB []int

	// Slice is the slice of the examples that the scores are of; nil if they are of all.
	Slice *PairedSlice

	// MoreErr says why there are no more further runs, if that is because of a
	// trial that failed or a score that cannot be.
	MoreErr error

	// Items are the answers to items, whose means A and B are then; nil for other protocols. Runs
	// is 1, and Folds the number of items.
	Items *ItemPairs

	// Second are the pairs of the second opinion, whose runs are halvings; nil if there are
	// none, and SecondErr says why. Pair leaves both to its caller.
	Second    *Pairs
	SecondErr error
}

// First returns the pairs of the first so many of the protocol's own runs, without further ones.
func (p *Pairs) First(runs int) *Pairs {
	f, n := *p, runs*p.Folds
	f.Planned, f.Runs, f.More = max(p.Runs, p.Planned), runs, 0
	f.A, f.B, f.TrainN, f.TestN = p.A[:n:n], p.B[:n:n], p.TrainN[:n:n], p.TestN[:n:n]
	if f.Planned > f.Runs {
		f.RightA, f.RightB = nil, nil // which are of all
	}
	f.ConstantA, f.ConstantB = p.constantA.first(runs, p.Folds), p.constantB.first(runs, p.Folds)
	return &f
}

// A PairedSlice is the slice that pairs are of. Their scores are the sums of its members' scores in
// each cell, times Scale over the number of all members.
type PairedSlice struct {
	Slice
	Scale  float64
	Counts []int32 // members in each test set, in the order of Pairs.A
}

// ItemPairs are the answers to items behind Pairs, whose A and B are the means of each item.
type ItemPairs struct {
	Items []Item // by ascending id

	// A and B are the scores of candidate and baseline: of each repeat, by item. They may be shared
	// with the file and are not to be changed.
	A, B [][]float64

	// Versions, Replays and Probes are, of candidate and baseline, Entry.Version, Entry.Replay and
	// Entry.Probe.
	Versions [2]string
	Replays  [2]Replay
	Probes   [2]string

	// LeftOut counts the items that one side lacks, if the selections have asked for common items.
	LeftOut LeftOut
}

// LeftOut counts the items that just one side has answered, and that are not compared.
type LeftOut struct{ Candidate, Baseline int }
