package verdict

import "fmt"

// LearnedNothing returns an error for a candidate that is no better than a model which has learned nothing
// but the most frequent class, as far as that is known. Nothing is said of the baseline alone, which is
// often meant to be such. The error is among the Warnings of the verdict.
func (v *Verdict) LearnedNothing() error {
	if v.Outcome == Invalid || v.CandidateHeader == nil || v.BaselineHeader == nil {
		return nil
	}
	h := v.CandidateHeader
	if _, _, ok := h.MajorityIn(v.Unit.Name); !ok {
		h = v.BaselineHeader
	}
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
