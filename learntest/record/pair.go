package record

import (
	"errors"
	"fmt"

	"github.com/learnbench/learnbench/learntest/unit"
)

// Pairs are the paired scores of two learners in one metric, on one data set
// under one protocol. The protocol's own runs are complete. Further runs, which
// repeat the test, are there as far as both learners have them.
type Pairs struct {
	Data, Candidate, Baseline       string
	Unit                            unit.Unit
	CandidateHeader, BaselineHeader *Header // not to be changed

	// CandidateLearner and BaselineLearner are the names that the headers have of them; if empty, Candidate and Baseline.
	CandidateLearner, BaselineLearner string

	Runs  int // of the protocol, or the first of these
	More  int // further runs
	Folds int // of each run

	// Planned is the number of runs of the protocol, of which Runs may be the first; 0 if it is Runs.
	Planned int

	// Stop is the error with which the training of a learner was stopped, the smaller one if both were; 0 if none was.
	Stop float64

	// SameProgram says that one learner, of the same program with the same parameters, has made both
	// sides, as far as their headers prove it.
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

	// RightA and RightB are how often candidate and baseline are right on each example in all Runs, of the metrics accuracy and
	// error; nil where the results do not say, since no predictions were kept.
	RightA, RightB []int

	// Slice is the slice of the examples that the scores are of; nil if they are of all.
	Slice *PairedSlice

	// MoreErr says why there are no more further runs, if that is because of a
	// trial that failed or a score that cannot be.
	MoreErr error

	// Items are the answers to items, whose means A and B are then; nil for other protocols. Runs is 1, and
	// Folds the number of items.
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

// Pair pairs the scores of two learners in a metric, cell by cell. The
// selections may be of the same file, as in the comparison of two learners, or
// of two, as in the comparison of a learner before and after a change.
//
// It returns an error, and no pairs, unless all of this holds:
//   - the data set, the learners and the metric are there (else ErrNotFound);
//   - every cell of the protocol's own runs has exactly one trial on both sides
//     (ErrIncomplete, ErrDouble);
//   - no trial of these failed (ErrFailedTrial);
//   - every score of these is within the range of the unit (ErrValue);
//   - both sides have the same data set, digests, protocol and unit, and in
//     every cell the same numbers of training and test examples (ErrMismatch);
//   - a learner that occurs in several experiments has the same results in all
//     (ErrAmbiguous).
//
// Several of these errors may be joined.
//
// Trials of a second opinion are left out: see [PairSecond].
//
// The metric may be one of a slice, as in "accuracy{clinic=A}". Slices of one name must then have
// equal members on both sides, and equal numbers of them in every cell. Further runs are left out.
func Pair(candidate, baseline Selection, metric string) (*Pairs, error) {
	if _, slice := unit.CutSlice(metric); slice != "" {
		return pairSlice(candidate, baseline, metric)
	}
	a, err := candidate.scores("candidate", metric)
	if err != nil {
		return nil, err
	}
	b, err := baseline.scores("baseline", metric)
	if err != nil {
		return nil, err
	}
	return pairScores(candidate, baseline, a, b)
}

// pairScores pairs the scores of two selections.
func pairScores(candidate, baseline Selection, a, b *scores) (*Pairs, error) {
	if (a.stop > 0 || b.stop > 0) && a.folds == b.folds && a.planned == b.planned {
		runs := min(a.runs, b.runs)
		a, b = a.first(runs), b.first(runs)
	}
	more := min(a.more, b.more)
	ofItems := a.block.items != nil
	var left LeftOut
	if candidate.Common && baseline.Common && ofItems && b.block.items != nil && a.header.DataDigest != b.header.DataDigest {
		var err error
		if a, b, left, err = onCommonItems(a, b); err != nil {
			return nil, err
		}
	}
	n := (a.runs + more) * a.folds
	if err := a.comparable(b, n, ErrMismatch); err != nil {
		return nil, err
	}
	if !ofItems && a.planned == b.planned && a.runs != b.runs {
		return nil, fmt.Errorf("%w: %d runs of %s and %d of %s", ErrMismatch, a.runs, a.where, b.runs, b.where)
	}
	p := &Pairs{
		Data: candidate.Data, Candidate: candidate.title(), Baseline: baseline.title(),
		Unit:            a.unit,
		CandidateHeader: a.header, BaselineHeader: b.header,
		CandidateLearner: candidate.Learner, BaselineLearner: baseline.Learner,
		SameProgram: candidate.Learner == baseline.Learner && a.header.ofSameProgram(b.header),
		Runs:        a.runs, More: more, Folds: a.folds,
		ConstantA: a.constant.first(a.runs, a.folds), ConstantB: b.constant.first(b.runs, b.folds),
		constantA: a.constant, constantB: b.constant,
		RightA: a.right, RightB: b.right,
	}
	if ofItems {
		p.pairItems(a, b)
		p.Items.LeftOut = left
		return p, nil
	}
	p.A, p.B, p.TrainN, p.TestN = a.values[:n:n], b.values[:n:n], a.trainN[:n:n], a.testN[:n:n]
	if a.runs < a.planned {
		p.Planned = a.planned
		p.Stop = leastStop(a.stop, b.stop)
	}
	if a.more == more {
		p.MoreErr = errors.Join(p.MoreErr, a.moreErr)
	}
	if b.more == more {
		p.MoreErr = errors.Join(p.MoreErr, b.moreErr)
	}
	return p, nil
}
