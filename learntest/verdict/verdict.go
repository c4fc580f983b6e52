package verdict

import (
	"errors"
	"fmt"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/itemwise"
	"github.com/learnbench/learnbench/learntest/unit"
)

// An Outcome sums up what the data show about the difference of two learners.
type Outcome uint8

// The outcomes. The zero value is the safe one.
const (
	Invalid      Outcome = iota // it could not be judged
	Inconclusive                // neither a difference nor equivalence was shown
	Improved                    // the candidate is significantly better
	Regressed                   // the candidate is significantly worse
	Same                        // the difference is shown to be within the margin, or all scores are equal
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

// A Verdict is the judgement of a claim. It has two facts, which are never mixed:
// whether there is a difference, in Difference, and where it lies in relation to
// the margin, in Above and Below. The outcome and whether the claim holds follow from
// them.
type Verdict struct {
	Claim   Claim // with its defaults
	Outcome Outcome
	Holds   bool   // the claim
	Reason  string // why it does not hold, or why the outcome is Invalid; else empty
	Err     error  // why the outcome is Invalid; else nil

	Data, Candidate, Baseline       string
	Unit                            unit.Unit
	CandidateHeader, BaselineHeader *record.Header // nil if there are no records
	Runs, Folds                     int            // of the test
	Tested                          int            // distinct examples that are tested; 0 if that is unknown

	Slice *record.Slice // of the examples that the claim is about; nil if it is about all

	// CandidateMean and BaselineMean are the mean scores over the folds.
	CandidateMean, BaselineMean float64

	Level *Level            // of an absolute claim; else nil
	Ratio *stat.MedianRatio // of a claim of RatioAtMost about times; else nil
	Costs *itemwise.Ratio   // of a claim of RatioAtMost about the costs of items; else nil

	Items *Items // of answers to items; else nil

	Findings // of the tests, also of a second opinion

	single *singles // against which a margin is held, besides the test; nil if there are none

	// Adjustment names the adjustment for a family of claims, Family is their
	// number, and AdjustedP is the adjusted p of Decision. They are zero unless
	// Adjust was applied.
	Adjustment string
	Family     int
	AdjustedP  float64

	// Detectable is the smallest difference that the test would have
	// detected with the power of the claim; for a claim with a margin, the smallest
	// margin that it would have shown with that power if there were no difference. Where
	// a second opinion was asked for, it is the difference for the test that detects less; where
	// the claim has one that was not asked for, it is the difference for the first test alone.
	// NaN if the test cannot say.
	Detectable float64

	Second *SecondOpinion // on the claim; nil unless it asks for one

	// NeedSecond says that the outcome is Invalid because the second opinion is asked for
	// and not there.
	NeedSecond bool

	Budget *Budget // the used part of a budget; nil unless WithBudget was applied

	// Unchanged reports that one learner, of one program with equal parameters, has made both sides, and all scores
	// are equal: nothing was changed, so that the tested examples have missed nothing.
	Unchanged bool

	Rerun *Rerun // what another partition would say; nil if that is not known

	Settled *Settled // by how many runs the claim is decided; nil unless it has a Settle

	// NeedRuns is how many runs, further ones included, it takes to judge the
	// claim, if the outcome is Invalid because there are fewer. It is 0 otherwise.
	NeedRuns int

	Help     []string // what would help a claim that does not hold
	Warnings []error  // doubts that do not forbid the verdict
}

// question returns the judged claim.
func (v *Verdict) question() question {
	return question{v.Claim, v.Unit, v.Tested, v.Unchanged, v.Items, v.single}
}

// ErrNotJudged is wrapped by the error of a verdict on a claim that is not to be judged
// here, since that is somebody else's task, or of which only some of the trials were run. Such
// a claim neither holds nor fails.
var ErrNotJudged = errors.New("not judged")

// Fail returns the verdict on a claim that cannot be judged because of err.
func Fail(c Claim, err error) Verdict {
	return Verdict{Claim: c, Outcome: Invalid, Reason: err.Error(), Err: err}
}
