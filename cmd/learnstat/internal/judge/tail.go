package judge

import (
	"fmt"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// A Tail says in which direction a difference is looked for. It is a flag.
type Tail uint8

// The tails.
const (
	Both   Tail = iota // any difference
	Better             // that the candidate is better
	Worse              // that it is worse
)

// String returns the name.
func (t *Tail) String() string { return [...]string{"both", "better", "worse"}[*t] }

// Set takes a name.
func (t *Tail) Set(name string) error {
	for _, x := range []Tail{Both, Better, Worse} {
		if x.String() == name {
			*t = x
			return nil
		}
	}
	return fmt.Errorf("tail %q is none of both, better and worse", name)
}

// judge judges a claim about the pairs in the direction of the tail. A one-sided test decides about
// its own difference, so that p and interval belong together; it cannot show a difference in the
// other direction. A margin is another question, with two one-sided tests of equal level, as
// without a tail.
func (t Tail) judge(p *record.Pairs, c verdict.Claim, e verdict.Extent) verdict.Verdict {
	if t == Both {
		return verdict.Judge(p, c, e)
	}
	v := t.oneSided(p, c, e)
	if c.Margin == 0 || v.Outcome == verdict.Invalid {
		return v
	}
	w := verdict.Judge(p, c, verdict.Bare)
	if w.Outcome == verdict.Invalid {
		return w
	}
	v.Claim.Margin, v.Above, v.Below, v.Examples = w.Claim.Margin, w.Above, w.Below, w.Examples
	if s := v.Second; s != nil && !s.Asked {
		v.Second = w.Second
	}
	switch {
	case !v.Within():
	case w.Outcome == verdict.Same:
		v.Outcome, v.Reason = verdict.Same, w.Reason
	case v.Outcome == verdict.Inconclusive:
		v.Reason = w.Reason
	}
	return v
}

// oneSided judges whether there is a difference in the direction of the tail.
func (t Tail) oneSided(p *record.Pairs, c verdict.Claim, e verdict.Extent) verdict.Verdict {
	c.Kind, c.OneSided, c.Margin = verdict.Improves, true, 0
	if t == Worse { // that the baseline is better
		p = swapped(p)
	}
	v := verdict.Judge(p, c, e)
	if v.Outcome == verdict.Invalid {
		return v
	}
	v.Difference = v.Decision
	if v.Outcome == verdict.Regressed {
		v.Outcome = verdict.Inconclusive
	}
	if t == Worse {
		mirror(&v)
	}
	return v
}

// swapped returns the pairs with the learners exchanged.
func swapped(p *record.Pairs) *record.Pairs {
	q := *p
	q.Candidate, q.Baseline, q.A, q.B = p.Baseline, p.Candidate, p.B, p.A
	q.RightA, q.RightB = p.RightB, p.RightA
	q.CandidateHeader, q.BaselineHeader = p.BaselineHeader, p.CandidateHeader
	if p.Second != nil {
		q.Second = swapped(p.Second)
	}
	return &q
}

// mirror makes a verdict on the baseline one on the candidate.
func mirror(v *verdict.Verdict) {
	v.Candidate, v.Baseline = v.Baseline, v.Candidate
	v.CandidateHeader, v.BaselineHeader = v.BaselineHeader, v.CandidateHeader
	v.CandidateMean, v.BaselineMean = v.BaselineMean, v.CandidateMean
	v.Estimate = -v.Estimate
	d := &v.Difference
	d.Lo, d.Hi = -d.Hi, -d.Lo
	d.Result.Statistic, d.Result.Estimate, d.Result.Mean = -d.Result.Statistic, -d.Result.Estimate,
		-d.Result.Mean
	if s := v.Second; s != nil {
		r := &s.Result
		r.Statistic, r.Estimate, r.Mean = -r.Statistic, -r.Estimate, -r.Mean
		s.Estimate, s.Lo, s.Hi = -s.Estimate, -s.Hi, -s.Lo
	}
	if v.Outcome == verdict.Improved {
		v.Outcome = verdict.Regressed
	}
}
