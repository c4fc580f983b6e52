package verdict

import (
	"fmt"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/stat"
)

// An Outcome is what the data show about the difference of two learners.
type Outcome uint8

// The outcomes. The zero value is the safe one.
const (
	Invalid      Outcome = iota // it could not be judged
	Inconclusive                // neither a difference nor equivalence was shown
	Improved                    // the candidate is significantly better
	Regressed                   // the candidate is significantly worse
	Same                        // the difference is significantly within the margin
)

// Outcomes returns all outcomes.
func Outcomes() []Outcome {
	return []Outcome{Invalid, Inconclusive, Improved, Regressed, Same}
}

// String returns the outcome in a word: invalid, inconclusive, improved,
// regressed or equivalent.
func (o Outcome) String() string {
	switch o {
	case Invalid:
		return "invalid"
	case Inconclusive:
		return "inconclusive"
	case Improved:
		return "improved"
	case Regressed:
		return "regressed"
	case Same:
		return "equivalent"
	}
	return fmt.Sprintf("Outcome(%d)", uint8(o))
}

// A Verdict is the judgement of a claim.
type Verdict struct {
	Claim   Claim // with its defaults
	Outcome Outcome
	Holds   bool   // the claim
	Reason  string // why it does not hold, or why the outcome is Invalid; else empty

	Data, Candidate, Baseline       string
	Unit                            record.Unit
	CandidateHeader, BaselineHeader *record.Header // nil if there are no records
	Runs, Folds                     int            // of the test

	// CandidateMean and BaselineMean are the mean scores over the folds.
	CandidateMean, BaselineMean float64

	// Estimate is candidate − baseline in the unit of the metric, whichever
	// direction is better, and Lo and Hi are its two-sided interval of level
	// 1−Alpha. They are NaN if the test has none.
	Estimate, Lo, Hi float64

	// Result is that of the test of the claim. Its differences are taken in
	// the direction in which the metric is better, less the gain or plus the margin.
	Result stat.Result

	// Adjustment names the adjustment for a family of claims, Family is their
	// number, and AdjustedP is the adjusted p of Result. They are zero unless
	// Adjust was applied.
	Adjustment string
	Family     int
	AdjustedP  float64

	// Detectable is the smallest difference that the test would have
	// detected with the power of the claim. NaN if the test cannot say.
	Detectable float64

	Replicability *Replicability // nil if it is not known

	// NeedRuns is how many runs, further ones included, it takes to judge the
	// claim, if the outcome is Invalid because there are fewer. It is 0 otherwise.
	NeedRuns int

	Warnings []error // doubts that do not forbid the verdict
}

// Replicability is how likely the test comes to the same conclusion on other
// random partitions of the same data.
type Replicability struct {
	R float64 // the estimate

	// Repeats and Rejections are the number of repetitions and how many of
	// them rejected the null hypothesis. They are 0 if R is predicted.
	Repeats, Rejections int

	// Lo and Hi are the 90% interval of a prediction from the runs of the
	// test itself. They are NaN if R is counted.
	Lo, Hi float64
}

// Counted reports whether R is counted from repetitions rather than predicted.
func (r *Replicability) Counted() bool { return r.Repeats > 0 }

// Fail returns the verdict on a claim that cannot be judged because of err.
func Fail(c Claim, err error) Verdict {
	return Verdict{Claim: c, Outcome: Invalid, Reason: err.Error()}
}
