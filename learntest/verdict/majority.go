package verdict

import "fmt"

// warnMajority warns of a candidate that is no better than a model which has learned nothing but
// the most frequent class. Nothing is said of the baseline alone, which is often meant to be such.
func (v *Verdict) warnMajority() {
	h := v.CandidateHeader
	if _, _, ok := h.MajorityIn(v.Unit.Name); !ok {
		h = v.BaselineHeader
	}
	class, score, noBetter := h.NoBetter(v.Unit, v.CandidateMean)
	if !noBetter {
		return
	}
	who := v.Candidate + " is no better"
	if _, _, neither := h.NoBetter(v.Unit, v.BaselineMean); neither {
		who = fmt.Sprintf("neither %s nor %s is better", v.Candidate, v.Baseline)
	}
	v.Warnings = append(v.Warnings, fmt.Errorf("%s than always %q, which scores %s", who, class, FormatScore(v.Unit, score)))
}
