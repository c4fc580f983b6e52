package replicate

import (
	"fmt"

	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/internal/dist"
)

// A Decision is the answer of a [Rule] and its evidence.
type Decision struct {
	Answer     Answer
	Looked     int        // runs that were looked at, a multiple of the runs of one repeat
	Budget     int        // runs at most
	Next       int        // runs at which the rule looks next; 0 if it has decided or spent the budget
	Enough     int        // where undecided, a number of runs from which it would probably decide; else 0
	Needed     float64    // probability that a rerun agrees at which the replicability is as required
	AtMost     float64    // bound of the level 1−Refute on the probability that a rerun agrees
	Prediction Prediction // from the runs that were looked at
}

// Adaptive decides whether the replicability of the test, in the direction of the verdict, is
// as high as the rule requires. It looks at q.Runs, 2·q.Runs, 3·q.Runs, ... runs of d in
// order, within the budget, and stops at the first look that decides. With θ₀ =
// Φ⁻¹((1+√(2R₀−1))/2), at which the replicability is R₀, a look at N runs whose score has the
// statistic T answers
//
//	shown    if P(T_ν(δ) ≥ T) ≤ γ₁,  δ = θ₀√(N/Runs), ν = N−1,
//	refuted  if P(T_ν(δ) ≤ T) ≤ γ₂,
//
// with T_ν(δ) noncentral t; that is, with γ₁ = γ₂ = 0.05, once the exact 90% interval of θ
// leaves θ₀. Where it is undecided and Next is not 0, train up to Next runs and ask again: the
// earlier looks do not change. Undecided at the budget is not shown.
//
// The rule is for a claim that the test on its first q.Runs runs supports: a rejection in its
// direction or, if the rule says so, no rejection. The rule does not check that (see
// Prediction.Rejected), and its answer does not change their verdict.
//
// For a test on 10 runs, R₀ = 0.9 (θ₀ = 1.618) and the default levels, in terms
// of the score Z:
//
//	N          10      20     30     50     100
//	shown    ≥ 3.9197  3.0702 2.7578 2.4712 2.2036
//	refuted  ≤ -.0272  .4550  .6637  .8731  1.0857
//
// so that a clear case, of score 3.92 or more, costs no run beyond the test's
// own; for a test on 5 runs that takes a score of 5.02, on 20 runs 3.55, and with
// [StrictRule] on 10 runs 4.51. [Rule.Thresholds] has the others. For exactly
// normal runs, given that the first 10 reject, and a budget of 100:
//
//	true R      .70  .80  .90  .95  .97  .99  .999
//	shown, %    2.7  5.8  19.0 43.1 63.0 91.5 99.9
//	mean runs   58   74   81   74   64   43   23
//
// Of significant verdicts on real and simulated data, in ranges of true R
// (docs/research/replicability.md):
//
//	true R      up to .70  .80 ± .025  .90 ± .025  .97 to .985  .99 ± .005  above .995
//	shown, %    1.0        3.7         21.0        76.3         88.0        100.0
//	mean runs   31         59          73          54           45          11
//	counted, %  1.9        25.4        56.0        89.3         93.6        99.9
//
// where the last row is of ten repeats that are counted, at 100 runs always.
//
// It returns the errors of [Retest.Predict], and one that wraps [stat.ErrDomain] if
// the rule is out of range. Special case: if the score is infinite, the first
// look decides, and the prediction has the warning [stat.ErrZeroVariance].
//
// Source: own rule; two one-sided noncentral t tests at each look.
func (q Retest) Adaptive(d stat.Differences, rule Rule) (Decision, error) {
	rule, err := rule.withDefaults(q.Runs)
	if err != nil {
		return Decision{}, err
	}
	p, err := q.forScore(d)
	if err != nil {
		return Decision{}, err
	}
	c := Decision{Budget: rule.Budget}
	var s Score
	for N := q.Runs; N <= min(d.Runs, rule.Budget) && c.Answer == Undecided; N += q.Runs {
		if N < 2 {
			continue // a single run has no spread
		}
		if s, err = p.score(N); err != nil {
			return Decision{}, err
		}
		if rule.NoRejection {
			s.Z = -s.Z
		}
		c.Looked, c.Answer = N, rule.look(s)
	}
	if c.Looked == 0 {
		return Decision{}, fmt.Errorf("%w: a budget of %d runs has no spread to judge by, need at least 2", stat.ErrDomain, rule.Budget)
	}
	_, most := s.bounds(1 - 2*rule.Refute)
	c.Needed, c.AtMost = dist.NormalCDF(rule.theta()), dist.NormalCDF(most)
	if c.Answer == Undecided {
		c.Enough = rule.enough(s)
		if c.Looked+q.Runs <= rule.Budget {
			c.Next = c.Looked + q.Runs
		}
	}
	c.Prediction, err = p.predict(c.Looked)
	return c, err
}
