package verdict

import (
	"fmt"

	"github.com/learnbench/learnbench/learntest/record"
)

// constant returns the class that is most frequent among the test examples, and the mean score of
// always predicting it, where a header says so.
func (v *Verdict) constant() (class string, score float64, ok bool) {
	for _, h := range []*record.Header{v.CandidateHeader, v.BaselineHeader} {
		if class, score, ok = h.MajorityIn(v.Unit.Name); ok {
			return class, score, true
		}
	}
	return "", 0, false
}

// warnMajority warns of a candidate that is no better than a model which has learned nothing but
// the most frequent class. Nothing is said of the baseline alone, which is often meant to be such.
func (v *Verdict) warnMajority() {
	class, score, ok := v.constant()
	better := float64(v.Unit.Better)
	if !ok || better*(v.CandidateMean-score) > 0 {
		return
	}
	who := v.Candidate + " is no better"
	if better*(v.BaselineMean-score) <= 0 {
		who = fmt.Sprintf("neither %s nor %s is better", v.Candidate, v.Baseline)
	}
	v.Warnings = append(v.Warnings, fmt.Errorf("%s than always %q, which scores %s", who, class, FormatScore(v.Unit, score)))
}
