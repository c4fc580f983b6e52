package record

import (
	"errors"
	"fmt"

	"github.com/learnbench/learnbench/learntest/unit"
)

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
	if candidate.Common && baseline.Common && ofItems && b.block.items != nil &&
		a.header.DataDigest != b.header.DataDigest {
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
		return nil, fmt.Errorf("%w: %d runs of %s and %d of %s", ErrMismatch, a.runs, a.where,
			b.runs, b.where)
	}
	p := &Pairs{
		Data: candidate.Data, Candidate: candidate.title(), Baseline: baseline.title(),
		Unit:            a.unit,
		CandidateHeader: a.header, BaselineHeader: b.header,
		CandidateLearner: candidate.Learner, BaselineLearner: baseline.Learner,
		SameProgram: candidate.Learner == baseline.Learner && sameProgram(a.header, b.header),
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
