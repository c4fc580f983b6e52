package verdict

import (
	"fmt"
	"math"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/stat"
)

// A refutation asks what the test of a claim would say of candidates with known scores.
type refutation struct {
	question
	test     stat.Test
	pairs    *record.Pairs
	baseline float64 // its mean score
}

// check returns an error for a margin with which no candidate, however bad, could
// have failed against this baseline, and for a gain that no candidate could have
// shown: a gate that cannot fail is none.
func (q refutation) check() error {
	p, baseline := q.pairs, q.baseline
	if q.Kind == Unbeaten && q.items != nil && q.items.leastP(q.test.Name, stat.TwoSided) > q.Alpha {
		return fmt.Errorf("%w: no result of %s on %s has a p of %v or less: no baseline would be beaten",
			ErrClaim, q.test.Name, q.items, q.Alpha)
	}
	if q.Kind == Unbeaten && q.items == nil &&
		!(stat.LeastP(q.test, p.Runs, p.Folds, stat.TwoSided) <= q.Alpha) {
		return fmt.Errorf("%w: no result of %s on %d×%d folds has a p of %v or less: no baseline would be beaten", ErrClaim, q.test.Name, p.Runs, p.Folds, q.Alpha)
	}
	u := q.unit
	what, size := "a margin", q.allowance()
	if q.Probability > 0 {
		what = "a rope"
	}
	if size > 0 {
		if err := q.outOfReach(); err != nil {
			return err
		}
		worst := u.Worst()
		if math.IsInf(worst, 0) {
			if size >= math.Abs(baseline) && baseline != 0 {
				return fmt.Errorf("%w: %s of %s is as large as the baseline's mean of %s: no candidate would fail that is merely bad", ErrClaim, what, u.FormatMargin(size), u.FormatScore(baseline))
			}
			return nil
		}
		passes, err := q.passes(worst, -size)
		if err == nil && !passes {
			return q.passesMajority()
		}
		if err == nil {
			return fmt.Errorf("%w: with %s of %s even a candidate with %s %s would hold against this baseline%s", ErrClaim, what, u.FormatMargin(size), u.FormatScore(worst), q.everywhere(), pointsHint(u))
		}
		return err
	}
	if size = q.gain(); size > 0 {
		if q.Probability == 0 {
			what = "a gain"
		}
		best := u.Best()
		if math.IsInf(best, 0) {
			return nil
		}
		passes, err := q.passes(best, size)
		if err == nil && !passes {
			return fmt.Errorf("%w: %s of %s could not be shown even by a candidate with %s %s against this baseline%s", ErrClaim, what, u.FormatMargin(size), u.FormatScore(best), q.everywhere(), pointsHint(u))
		}
		return err
	}
	return nil
}

// passes reports whether a candidate with this score in every fold would be
// shown to be better by more than null.
func (q refutation) passes(score, null float64) (bool, error) {
	p := q.pairs
	same := *p
	same.More = 0
	n := p.Runs * p.Folds
	same.A, same.B, same.TrainN, same.TestN = make([]float64, n), p.B[:n], p.TrainN[:n], p.TestN[:n]
	for i := range same.A {
		same.A[i] = score
		if s := p.Slice; s != nil && p.Items == nil {
			same.A[i] = score * s.Scale * float64(s.Counts[i]) / float64(s.Members)
		}
	}
	if p.Items != nil {
		_, test, err := itemClaim{q.Claim}.newItems(&same)
		if err != nil {
			return false, err
		}
		r, err := test.Against(differences(&same, 0, 1), null, stat.Greater)
		return err == nil && r.P <= q.tail() && r.Beyond() == 1, err
	}
	d, err := ownDifferences(&same)
	if err != nil {
		return false, err
	}
	r, err := q.test.Against(d, null, stat.Greater)
	if err != nil {
		return false, err
	}
	if null < 0 && q.missed(r.Estimate-null) > q.tail() {
		return false, nil
	}
	return r.P <= q.tail() && r.Beyond() == 1, nil
}

// passesMajority returns an error for a margin with which the claim's own test would pass what
// always predicts the most frequent class in the candidate's place.
func (q refutation) passesMajority() error {
	p, baseline := q.pairs, q.baseline
	if !q.guardsMajority() || p.CandidateHeader == nil || p.BaselineHeader == nil {
		return nil
	}
	class, score, ok := p.BaselineHeader.MajorityIn(q.unit.Name)
	if !ok {
		if class, score, ok = p.CandidateHeader.MajorityIn(q.unit.Name); !ok {
			return nil
		}
	}
	if q.Kind == Differs && float64(q.unit.Better)*(baseline-score) <= 0 {
		return nil // it has nothing to lose
	}
	passes, err := q.passes(score, -q.allowance())
	if err != nil || !passes {
		return err
	}
	advice := pointsHint(q.unit)
	if math.Abs(baseline-score) <= max(q.unseen(), DefaultMargin*q.unit.Span()) {
		advice = fmt.Sprintf(": the baseline, with %s, is so near to that that no margin of %s helps; claim it on balanced-accuracy", q.unit.FormatScore(baseline), q.unit.Name)
	}
	return fmt.Errorf("%w: with a %s of %s a model would pass that always predicts %q, which scores %s (AllowMajority or -allow-majority, if that is meant)%s",
		ErrClaim, q.room(), q.unit.FormatMargin(q.allowance()), class, q.unit.FormatScore(score), advice)
}

// outOfReach returns an error for a margin that even a candidate with the best possible score
// could not show.
func (q refutation) outOfReach() error {
	u, margin := q.unseen(), q.allowance()
	if u == 0 || margin == 0 || q.Kind != NoRegression && q.Kind != Equivalent {
		return nil
	}
	room := float64(q.unit.Better) * (q.unit.Best() - q.baseline)
	if margin+room > u {
		return nil
	}
	return fmt.Errorf("%w: %s cannot show a %s of %s against a baseline with %s, however good the candidate is: %s",
		ErrClaim, q.cases(), q.room(), q.unit.FormatMargin(margin), q.unit.FormatScore(q.baseline),
		q.seesTooLittle())
}
