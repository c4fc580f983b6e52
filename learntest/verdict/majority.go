package verdict

import (
	"fmt"

	"github.com/learnbench/learnbench/learntest/record"
)

// guardsMajority reports whether the claim must not hold of a model that has learned nothing, nor
// such a model be called equivalent.
func (q question) guardsMajority() bool {
	return !q.AllowMajority && (q.Kind == NoRegression || q.Kind == Equivalent || q.Kind == Differs &&
		q.Margin > 0)
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

// LearnedNothing returns an error for a candidate that is no better than a model which has learned
// nothing but the most frequent class, as far as that is known. It returns no error for the
// baseline alone, which is often meant to be such. The error is among the Warnings of the verdict.
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
