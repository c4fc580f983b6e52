package verdict

import (
	"cmp"
	"fmt"
	"math"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/stat"
)

// Totals compares what all models of two learners cost that their seeds fix. Nothing is estimated.
type Totals struct {
	Models int     // of each learner
	Ratio  float64 // of the candidate's total by the baseline's
}

// judgeModels judges the ratio of what models themselves cost, such as their sizes. Costs that
// seeds fix are compared exactly, and others as times are: by the median of their ratios.
func (r ratioing) judgeModels() error {
	p := r.pairs
	if r.Claim.Metric != "" && r.Claim.Metric != p.Unit.Name {
		return fmt.Errorf("%w: it is about %s, the pairs are of %s", ErrClaim, r.Claim.Metric,
			p.Unit.Name)
	}
	r.Claim = ratioDefaults(r.Claim, p.Unit.Name)
	if err := checkLimit(r.Claim); err != nil {
		return err
	}
	if err := checkPairs(p); err != nil {
		return err
	}
	n := r.Runs * r.Folds
	r.CandidateMean, r.BaselineMean = mean(p.A[:n]), mean(p.B[:n])
	if !fixed(p.CandidateHeader, cmp.Or(p.CandidateLearner, p.Candidate)) ||
		!fixed(p.BaselineHeader, cmp.Or(p.BaselineLearner, p.Baseline)) {
		m, err := stat.RatioAtMost(p.A[:n], p.B[:n], r.Claim.Threshold, r.Claim.Alpha)
		if err != nil {
			return err
		}
		r.decide(&m, "the costs of models vary: more runs narrow the bound")
		return nil
	}
	if !(r.CandidateMean >= 0 && r.BaselineMean > 0) {
		return fmt.Errorf("mean %s of %s is %v, and of %s %v: there is no ratio", p.Unit.Name,
			p.Candidate, r.CandidateMean, p.Baseline, r.BaselineMean)
	}
	r.Totals = &Totals{Models: n, Ratio: r.CandidateMean / r.BaselineMean}
	r.Estimate = r.CandidateMean - r.BaselineMean
	shown := r.Totals.Ratio <= r.Claim.Threshold
	r.Decision = Finding{P: 1, Shown: shown, Lo: math.NaN(), Hi: math.NaN(), Level: 1 - r.Claim.Alpha}
	if shown {
		r.Decision.P = 0
		r.Outcome, r.Holds = Improved, true
	} else {
		r.Outcome, r.Reason = Regressed, "the totals have the ratio "+formatRatio(r.Totals.Ratio,
			math.Ceil)
	}
	r.Difference = r.Decision
	r.warn()
	return nil
}

// fixed reports whether the head says that its seed fixes a learner.
func fixed(h *record.Header, learner string) bool {
	return h.Of(learner).Determinism() == record.Deterministic
}
