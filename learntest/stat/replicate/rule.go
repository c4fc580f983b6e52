package replicate

import (
	"fmt"
	"math"

	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/internal/dist"
)

// A Rule says when a required replicability is shown, and when it is refuted.
// [Retest.Adaptive] applies it.
//
// Pass and Refute are levels of a single look. Over the ten looks of the default budget a
// replicability of exactly R₀ = 0.9 is shown in 19% of cases, and in 11% by [StrictRule].
type Rule struct {
	Required float64 // R₀, above 0.5 and below 1
	Pass     float64 // γ₁: level of the test that shows it, at each look. If zero, 0.05
	Refute   float64 // γ₂: level of the test that refutes it, at each look. If zero, 0.05
	Budget   int     // largest number of runs, at least the runs of one repeat. If zero, ten times those

	// NoRejection asks about the conclusion that the test does not reject: −Z takes
	// the place of Z.
	NoRejection bool
}

// StrictRule returns a rule for claims where a false pass is expensive: γ₁ is 0.025 and γ₂
// 0.10. The ten looks together show a replicability of exactly R₀ = 0.9 in 11% of cases,
// not in 19%.
func StrictRule(required float64) Rule {
	return Rule{Required: required, Pass: 0.025, Refute: 0.10}
}

// An Answer is the result of a [Rule] about a required replicability.
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

// look returns what the rule answers at one look at a score.
func (r *Rule) look(s Score) Answer {
	t, v, delta := s.statistic(), float64(s.N-1), r.theta()*math.Sqrt(float64(s.N)/float64(s.Runs))
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
// the first) and shown (at or above the second). The error wraps [stat.ErrDomain] if
// the rule is out of range, runs < 1 or n < 2.
func (r Rule) Thresholds(runs, n int) (refuted, shown float64, err error) {
	if runs < 1 || n < 2 {
		return 0, 0, fmt.Errorf("%w: %d runs for a test on %d", stat.ErrDomain, n, runs)
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
			return math.Log(dist.NoncentralTCDF(t, v, delta)/dist.NoncentralTSF(t, v,
				delta)) - math.Log((1-p)/p)
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

// enough returns the smallest multiple of s.Runs beyond s.N at which a look decides with
// probability one half or more, given the score s: at N' runs the score is about normal with
// mean Z; its variance is the variance of Z, Runs/N + Z²/(2ν), minus the counterpart at N'.
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
		return Rule{}, fmt.Errorf("%w: required replicability %v is not above 0.5 and below 1",
			stat.ErrDomain, r.Required)
	case !(r.Pass > 0 && r.Pass < 0.5 && r.Refute > 0 && r.Refute < 0.5):
		return Rule{}, fmt.Errorf("%w: levels %v and %v of the rule are not both between 0 and 0.5",
			stat.ErrDomain, r.Pass, r.Refute)
	case r.Budget < runs:
		return Rule{}, fmt.Errorf("%w: a budget of %d runs for a test on %d", stat.ErrDomain,
			r.Budget, runs)
	}
	return r, nil
}
