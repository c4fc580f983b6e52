package verdict

import "fmt"

// manyCopies is the share of test examples with a copy in training above which a claim is about
// little else.
const manyCopies = 0.2

// copies returns the share of test examples with a copy in training; 0 if the header of neither
// side says it.
func (v *Verdict) copies() float64 {
	if v.Claim.Kind == RatioAtMost {
		return 0 // they take as long as others
	}
	share := 0.0
	if v.CandidateHeader != nil {
		share = v.CandidateHeader.CopiesInTraining()
	}
	if v.BaselineHeader != nil {
		share = max(share, v.BaselineHeader.CopiesInTraining())
	}
	return share
}

func copiesInWords(share float64) string {
	return fmt.Sprintf("%.3g%% of test examples have a copy in training", 100*share)
}

// MostlyCopies returns an error if more than a fifth of the test examples have a copy in the
// training set of their trial, if a header says so. The scores then say little of new examples,
// whatever the claim.
func (v *Verdict) MostlyCopies() error {
	share := v.copies()
	if share <= manyCopies {
		return nil
	}
	return fmt.Errorf("%s: a learner that remembers them looks better than it is on new examples",
		copiesInWords(share))
}
