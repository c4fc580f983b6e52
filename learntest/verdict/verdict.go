package verdict

import (
	"errors"
	"fmt"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/itemwise"
	"github.com/learnbench/learnbench/learntest/unit"
)

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

	Level *Level // of an absolute claim; else nil

	// Of a claim of RatioAtMost, one of these; else nil.
	Ratio  *stat.MedianRatio // of times, and of costs of models that vary
	Costs  *itemwise.Ratio   // of costs of items
	Totals *Totals           // of costs of models that seeds fix

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

	// Unchanged reports that one learner, of one program with equal parameters, has made both
	// sides, and all scores are equal: nothing was changed, so that the tested examples have missed
	// nothing.
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

// A Level is where the score of one learner lies in relation to a threshold. Shown takes the
// corrected test on score less threshold and, for means over examples in a range, Wilson's bound on
// the examples of a run: the test alone does not see that few examples rarely fail. All scores are
// in the unit of the metric.
type Level struct {
	Threshold float64
	Bound     float64 // least score that is shown, or largest where lower is better: the threshold that would hold
	Ceiling   float64 // bound on the other side
	P         float64 // the larger one of both

	T      stat.Result // test on score less threshold, in the direction in which the metric is better
	Wilson *stat.Wilson
	WilsonP,
	WilsonBound float64 // NaN without Wilson

	Lo, Hi    float64 // interval of the mean by the test, of level 1−Alpha
	MeanFlips float64 // share of pairs of partitions on which a comparison of the mean alone differs; NaN of one run
	FlipsLo,
	FlipsHi float64 // its 90% interval
	Needs float64 // true score with which the claim holds with the claim's power; NaN if unknown
}

// A Settled says how many runs decided a claim that the first runs may settle.
type Settled struct {
	After int     // runs
	Runs  int     // of the protocol
	Error float64 // the largest probability that all runs would decide otherwise
	Why   string  // why the claim takes all runs, whatever the first ones show; else empty
}

// String returns the decision in words.
func (s *Settled) String() string {
	switch {
	case s.Why != "":
		return fmt.Sprintf("by all %d runs: %s", s.Runs, s.Why)
	case s.After == s.Runs:
		return fmt.Sprintf("by all %d runs: the first ones left it open", s.Runs)
	}
	return fmt.Sprintf("after %d of %d runs: the verdict of all %[2]d agrees with probability %.4g or more", s.After, s.Runs, 1-s.Error)
}

// A Budget is the loss that a candidate may have against a pinned reference, and the used
// part of it. All amounts are losses in the unit of the metric, whichever direction is
// better there: negative ones are gains.
type Budget struct {
	Total float64 // the margin of the claim

	// Used is the estimated loss. AtMost is the upper end of its one-sided confidence
	// interval, whose level is Confidence: the budget is kept just if that is less
	// than Total. It is NaN if the test has no interval.
	Used, AtMost, Confidence float64

	first bool // AtMost is by the first test alone
}

// isEarly reports whether fewer runs than all have settled the verdict.
func (v *Verdict) isEarly() bool { return v.Settled != nil && v.Settled.After < v.Settled.Runs }

// isRatio reports whether a verdict has judged a ratio of times or costs.
func isRatio(v *Verdict) bool { return v.Ratio != nil || v.Costs != nil || v.Totals != nil }
