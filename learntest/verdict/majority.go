package verdict

import (
	"fmt"
	"math"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/stat"
)

// guardsMajority reports whether the claim must not hold of a model that has learned nothing, nor
// such a model be called equivalent.
func (q question) guardsMajority() bool {
	return !q.AllowMajority && (q.Kind == NoRegression || q.Kind == Equivalent || q.Kind == Differs && q.Margin > 0)
}

// passesMajority returns an error for a margin with which the claim's own test would pass what always
// predicts the most frequent class in the candidate's place.
func (q question) passesMajority(test stat.Test, p *record.Pairs, baseline float64) error {
	if !q.guardsMajority() || p.CandidateHeader == nil || p.BaselineHeader == nil {
		return nil
	}
	class, score, ok := p.BaselineHeader.MajorityIn(q.unit.Name)
	if !ok {
		if class, score, ok = p.CandidateHeader.MajorityIn(q.unit.Name); !ok {
			return nil
		}
	}
	if q.Kind == Differs && float64(q.unit.Better)*(baseline-score) <= 0 {
		return nil // it has nothing to lose
	}
	passes, err := q.passes(test, p, score, -q.allowance())
	if err != nil || !passes {
		return err
	}
	advice := pointsHint(q.unit)
	if math.Abs(baseline-score) <= max(q.unseen(), DefaultMargin*q.unit.Span()) {
		advice = fmt.Sprintf(": the baseline, with %s, is so near to that that no margin of %s helps; claim it on balanced-accuracy", q.unit.FormatScore(baseline), q.unit.Name)
	}
	return fmt.Errorf("%w: with a %s of %s a model would pass that always predicts %q, which scores %s (AllowMajority or -allow-majority, if that is meant)%s",
		ErrClaim, q.room(), q.unit.FormatMargin(q.allowance()), class, q.unit.FormatScore(score), advice)
}

// majorityHeader returns the header that says what the most frequent class scores, if any does.
func majorityHeader(v *Verdict) *record.Header {
	for _, h := range []*record.Header{v.CandidateHeader, v.BaselineHeader} {
		if h == nil {
			continue
		}
		if _, _, ok := h.MajorityIn(v.Unit.Name); ok {
			return h
		}
	}
	return &noHeader
}

var noHeader record.Header

// LearnedNothing returns an error for a candidate that is no better than a model which has learned nothing
// but the most frequent class, as far as that is known. It returns no error for the baseline alone, which
// is often meant to be such. The error is among the Warnings of the verdict.
func (v *Verdict) LearnedNothing() error {
	if v.Outcome == Invalid {
		return nil
	}
	h := majorityHeader(v)
	class, score, noBetter := h.NoBetter(v.Unit, v.CandidateMean)
	if !noBetter {
		return nil
	}
	who := v.Candidate + " is no better"
	if _, _, neither := h.NoBetter(v.Unit, v.BaselineMean); neither {
		who = fmt.Sprintf("neither %s nor %s is better", v.Candidate, v.Baseline)
	}
	return fmt.Errorf("%s than always %q, which scores %s", who, class, v.Unit.FormatScore(score))
}
