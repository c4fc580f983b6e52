package stat

import (
	"fmt"
	"math"

	"github.com/learnbench/learnbench/learntest/stat/internal/dist"
)

// A Rule says when a required replicability counts as shown, and when as out of
// reach. [Retest.Adaptive] applies it.
type Rule struct {
	Required float64 // R₀, above 0.5 and below 1
	Pass     float64 // γ₁: level of the test that shows it. If zero, 0.05
	Refute   float64 // γ₂: level of the test that refutes it. If zero, 0.05
	Budget   int     // runs at most, no fewer than those of one repeat. If zero, ten times those

	// NoRejection asks about the conclusion that the test does not reject: −Z takes
	// the place of Z.
	NoRejection bool
}

// StrictRule returns the rule to use where a false pass is dear: γ₁ is 0.025
// and γ₂ 0.10.
func StrictRule(required float64) Rule {
	return Rule{Required: required, Pass: 0.025, Refute: 0.10}
}

// An Answer is what a [Rule] says of a required replicability.
type Answer uint8

// The answers. The zero value is none.
const (
	Undecided Answer = iota // neither shown nor refuted
	Shown                   // the replicability is as high as required
	Refuted                 // it is not
)

// String returns the answer in words.
func (a Answer) String() string {
	switch a {
	case Undecided:
		return "undecided"
	case Shown:
		return "shown"
	case Refuted:
		return "refuted"
	}
	return fmt.Sprintf("Answer(%d)", uint8(a))
}

// A Decision is the answer of a [Rule] and what it rests on.
type Decision struct {
	Answer     Answer
	Looked     int        // runs that were looked at, a multiple of those of one repeat
	Budget     int        // runs at most
	Next       int        // runs at which the rule looks next; 0 if it has decided or spent the budget
	Enough     int        // where undecided, a number of runs from which it would probably decide; else 0
	Needed     float64    // probability that a rerun agrees at which the replicability is as required
	AtMost     float64    // bound of the level 1−Refute on the probability that a rerun agrees
	Prediction Prediction // from the runs that were looked at
}

// Adaptive decides whether the replicability of the test, in the direction of
// the verdict, is as high as the rule requires. It looks at q.Runs, 2·q.Runs,
// 3·q.Runs, ... runs of d in order, as many as are there within the budget, and
// stops at the first look that decides. With θ₀ = Φ⁻¹((1+√(2R₀−1))/2), at which
// the replicability is R₀, a look at N runs whose score has the statistic T
// answers
//
//	shown    if P(T_ν(δ) ≥ T) ≤ γ₁,  δ = θ₀√(N/Runs), ν = N−1,
//	refuted  if P(T_ν(δ) ≤ T) ≤ γ₂,
//
// with T_ν(δ) noncentral t; that is, with γ₁ = γ₂ = 0.05, once the exact 90%
// interval of θ leaves θ₀. Where it is undecided and Next is not 0, train up
// to Next runs and ask again: the earlier looks come out the same. Undecided at the
// budget is not shown.
//
// The rule is for a claim that the test on its first q.Runs runs bears out: a rejection
// in its direction or, if the rule says so, no rejection. It does not check that (see
// Prediction.Rejected), and the verdict stays theirs, whatever it answers.
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
// (docs/replicability.md):
//
//	true R      up to .70  .80 ± .025  .90 ± .025  .97 to .985  .99 ± .005  above .995
//	shown, %    1.0        3.7         21.0        76.3         88.0        100.0
//	mean runs   31         59          73          54           45          11
//	counted, %  1.9        25.4        56.0        89.3         93.6        99.9
//
// where the last row is of ten repeats that are counted, at 100 runs always.
//
// It returns the errors of [Retest.Score], and one that wraps [ErrDomain] if
// the rule is out of range. Special case: if the score is infinite, the first
// look decides, and the prediction has the warning [ErrZeroVariance].
//
// Source: own rule; two one-sided noncentral t tests at each look.
func (q Retest) Adaptive(d Differences, rule Rule) (Decision, error) {
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
		return Decision{}, fmt.Errorf("%w: a budget of %d runs has no spread to judge by, need at least 2", ErrDomain, rule.Budget)
	}
	_, most := s.Bounds(1 - 2*rule.Refute)
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

// Look returns what the rule answers at one look at a score; its budget plays
// no part. The error wraps [ErrDomain] if the rule or the score is out of range.
func (r Rule) Look(s Score) (Answer, error) {
	if !s.valid() {
		return Undecided, fmt.Errorf("%w: score %v of %d runs from %d runs", ErrDomain, s.Z, s.Runs, s.N)
	}
	r, err := r.withDefaults(s.Runs)
	if err != nil {
		return Undecided, err
	}
	return r.look(s), nil
}

func (r *Rule) look(s Score) Answer {
	t, v, delta := s.T(), float64(s.N-1), r.theta()*math.Sqrt(float64(s.N)/float64(s.Runs))
	switch {
	case dist.NoncentralTSF(t, v, delta) <= r.Pass:
		return Shown
	case dist.NoncentralTCDF(t, v, delta) <= r.Refute:
		return Refuted
	}
	return Undecided
}

// Thresholds returns the scores Z at which a look at n runs, for a test on the
// given number of runs, answers that the replicability is refuted (at or below
// the first) and shown (at or above the second). The error wraps [ErrDomain] if
// the rule is out of range, runs < 1 or n < 2.
func (r Rule) Thresholds(runs, n int) (refuted, shown float64, err error) {
	if runs < 1 || n < 2 {
		return 0, 0, fmt.Errorf("%w: %d runs for a test on %d", ErrDomain, n, runs)
	}
	r, err = r.withDefaults(runs)
	if err != nil {
		return 0, 0, err
	}
	refuted, shown = r.thresholds(runs, n)
	return refuted, shown, nil
}

func (r *Rule) thresholds(runs, n int) (refuted, shown float64) {
	root, v := math.Sqrt(float64(n)/float64(runs)), float64(n-1)
	delta := r.theta() * root
	// The t that is exceeded with probability p; increasing in it are the log odds.
	at := func(p float64) float64 {
		f := func(t float64) float64 {
			return math.Log(dist.NoncentralTCDF(t, v, delta)/dist.NoncentralTSF(t, v, delta)) - math.Log((1-p)/p)
		}
		lo, hi := delta, delta
		for step := 1.0; f(lo) > 0; step *= 2 {
			lo -= step
		}
		for step := 1.0; f(hi) < 0; step *= 2 {
			hi += step
		}
		return dist.Root(f, lo, hi)
	}
	return at(1-r.Refute) / root, at(r.Pass) / root
}

// enough returns the smallest multiple of s.Runs beyond s.N at which a look
// decides with probability one half or more, given the score s: at N' runs the
// score is about normal with mean Z and the variance by which that of Z,
// Runs/N + Z²/(2ν), exceeds its counterpart at N'.
func (r *Rule) enough(s Score) int {
	variance := func(n int) float64 {
		return float64(s.Runs)/float64(n) + float64(s.Z*s.Z)/(2*float64(n-1))
	}
	decides := func(looks int) bool {
		n := looks * s.Runs
		refuted, shown := r.thresholds(s.Runs, n)
		sd := math.Sqrt(variance(s.N) - variance(n))
		return dist.NormalSF((shown-s.Z)/sd)+dist.NormalCDF((refuted-s.Z)/sd) >= 0.5
	}
	lo := s.N / s.Runs
	hi := lo + 1
	for !decides(hi) && hi < 1<<20 { // it is sure to decide in the end
		lo, hi = hi, 2*hi
	}
	for hi-lo > 1 {
		if mid := lo + (hi-lo)/2; decides(mid) {
			hi = mid
		} else {
			lo = mid
		}
	}
	return hi * s.Runs
}

// theta returns θ₀, at which the replicability is the required one.
func (r *Rule) theta() float64 {
	return dist.NormalInvSF((1 - r.Required) / (1 + math.Sqrt(2*r.Required-1)))
}

// withDefaults returns the rule for a test on the given number of runs, fully
// defined, or an error if it is out of range.
func (r Rule) withDefaults(runs int) (Rule, error) {
	if r.Pass == 0 {
		r.Pass = 0.05
	}
	if r.Refute == 0 {
		r.Refute = 0.05
	}
	if r.Budget == 0 {
		r.Budget = 10 * runs
	}
	switch {
	case !(r.Required > 0.5 && r.Required < 1):
		return Rule{}, fmt.Errorf("%w: required replicability %v is not above 0.5 and below 1", ErrDomain, r.Required)
	case !(r.Pass > 0 && r.Pass < 0.5 && r.Refute > 0 && r.Refute < 0.5):
		return Rule{}, fmt.Errorf("%w: levels %v and %v of the rule are not both between 0 and 0.5", ErrDomain, r.Pass, r.Refute)
	case r.Budget < runs:
		return Rule{}, fmt.Errorf("%w: a budget of %d runs for a test on %d", ErrDomain, r.Budget, runs)
	}
	return r, nil
}
