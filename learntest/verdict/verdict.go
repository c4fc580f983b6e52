package verdict

import (
	"errors"
	"fmt"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/stat"
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
	Same                        // the difference is shown to be within the margin, or all scores are the same
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

	// CandidateMean and BaselineMean are the mean scores over the folds.
	CandidateMean, BaselineMean float64

	// Estimate is candidate − baseline in the unit of the metric, whichever
	// direction is better.
	Estimate float64

	// Difference is the two-sided test for a difference, with the interval of
	// level 1−Alpha.
	Difference Finding

	// Above and Below are the one-sided tests that δ > −Margin and δ < Margin,
	// each with the interval of level 1−2·Alpha that goes with both. They are zero if
	// the claim has no margin.
	Above, Below Finding

	// Decision is the test that the claim stands or falls with: one of those
	// above, or that of a one-sided claim or of a gain. For Equivalent it is that of
	// Above and Below which is less clear.
	Decision Finding

	// Posterior is the posterior distribution of the difference, taken in the
	// direction in which the metric is better, if the claim requires a Probability, and
	// else nil. The outcome then is the region that has more than it, and P of Decision
	// is one minus the probability of what is claimed.
	Posterior *stat.Posterior

	// Adjustment names the adjustment for a family of claims, Family is their
	// number, and AdjustedP is the adjusted p of Decision. They are zero unless
	// Adjust was applied.
	Adjustment string
	Family     int
	AdjustedP  float64

	// Detectable is the smallest difference that the test would have
	// detected with the power of the claim; for a claim with a margin, the smallest
	// margin that it would have shown with that power if there were no difference. Where
	// a second opinion was asked for, it is that of the test that detects less. NaN
	// if the test cannot say.
	Detectable float64

	Second *SecondOpinion // on the claim; nil unless it asks for one

	// NeedSecond says that the outcome is Invalid because the second opinion is asked for
	// and not there.
	NeedSecond bool

	Budget *Budget // what is used of one; nil unless WithBudget was applied

	Rerun *Rerun // what another partition would say; nil if that is not known

	// NeedRuns is how many runs, further ones included, it takes to judge the
	// claim, if the outcome is Invalid because there are fewer. It is 0 otherwise.
	NeedRuns int

	same         bool // all scores are the same
	unreplicable bool // it would hold but for the required replicability

	Help     []string // what would help a claim that does not hold
	Warnings []error  // doubts that do not forbid the verdict

	extent extent // what of it is wanted
}

// A Finding is the outcome of a test, with the interval that belongs to it. Where a second
// opinion was asked for, it is that of both tests, except for Result: P is the larger one, the
// interval the wider one, and Shown what both show.
type Finding struct {
	// Result is that of the test. Its differences are taken in the direction in
	// which the metric is better.
	Result stat.Result

	P     float64
	Shown bool // p ≤ alpha, and on the side of the alternative

	// Lo and Hi are the interval of the given level, in the unit of the metric;
	// NaN if the test has none.
	Lo, Hi, Level float64
}

// Significance returns +1 if the candidate is significantly better, -1 if it is
// significantly worse, and else 0.
func (v *Verdict) Significance() int {
	r := &v.Difference.Result
	switch {
	case !v.Difference.Shown:
		return 0
	case r.Estimate > 0:
		return 1
	}
	return -1
}

// Within reports whether the difference is shown to be within the margin.
func (v *Verdict) Within() bool { return v.Above.Shown && v.Below.Shown }

// ErrNotJudged is wrapped by the error of a verdict on a claim that is not to be judged
// here, since that is somebody else's task, or of which only some of the trials were run. Such
// a claim neither holds nor fails.
var ErrNotJudged = errors.New("not judged")

// Fail returns the verdict on a claim that cannot be judged because of err.
func Fail(c Claim, err error) Verdict {
	return Verdict{Claim: c, Outcome: Invalid, Reason: err.Error(), Err: err}
}
