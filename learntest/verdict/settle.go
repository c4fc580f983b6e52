package verdict

import (
	"fmt"
	"strings"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/unit"
)

// judgeFirst judges a claim by the first runs that settle it, or else by all. It looks at each of
// these in turn, however many runs there are: so a verdict depends neither on the claims that were
// made before it, nor on where a file of results ends.
func judgeFirst(p *record.Pairs, c Claim, e Extent) Verdict {
	s := &Settled{Runs: max(p.Runs, p.Planned), Error: c.Settle}
	rule := stat.Curtailment{Runs: s.Runs, Error: c.Settle}
	next := s.Runs
	if s.Why = c.takesAll(p, rule); s.Why == "" {
		for _, runs := range rule.Looks() {
			if runs > p.Runs {
				next = runs
				break
			}
			f := p.First(runs)
			prospect := prospectOf(f, c, rule)
			if prospect == stat.Unsettled {
				continue
			}
			v := judgeThese(f, c, e)
			if v.Outcome == Invalid || v.Holds != (prospect == stat.SettledYes) {
				continue // all runs will say
			}
			s.After = runs
			v.Settled = s
			return v
		}
	}
	if p.Runs == s.Runs {
		v := judgeThese(p, c, e)
		if c.Settle != 0 {
			s.After = s.Runs
			v.Settled = s
		}
		return v
	}
	why := s.Why
	if why == "" {
		why = "they do not settle the claim"
	}
	if p.Stop > 0 {
		why += ", and training was stopped there: " + record.TrainOn
	}
	v := Fail(c, fmt.Errorf("only %d of %d runs are there: %s", p.Runs, s.Runs, why))
	v.Data, v.Candidate, v.Baseline, v.NeedRuns = p.Data, p.Candidate, p.Baseline, next
	return v
}

// takesAll says why a claim takes all runs, whatever the first ones show; it is empty if it does
// not.
func (c Claim) takesAll(p *record.Pairs, rule stat.Curtailment) string {
	switch h := p.CandidateHeader; {
	case c.Settle == 0:
		return "the claim does not ask for fewer (Settle)"
	case c.Kind.Absolute():
		return "a bound of a score takes all"
	case p.Slice != nil:
		return "the first ones test few examples of a slice"
	case c.Kind == RatioAtMost:
		return "a bound of a ratio takes all"
	case c.AllRuns:
		return "the p-values of a family are adjusted"
	case c.Kind == Replicable || c.Replicability > 0 || c.Repeats > 0:
		return "a required replicability rests on them"
	case c.Halvings > 0:
		return "a second opinion is on them"
	case c.Probability > 0:
		return "a posterior probability has no rule to stop earlier"
	case isTimeSeries(h) || split.KindOf(h.Protocol) == "predefined":
		return fmt.Sprintf("runs of %q are not random", h.Protocol)
	}
	for _, h := range []*record.Header{p.CandidateHeader, p.BaselineHeader} {
		if h.DistinctRuns != "" {
			return fmt.Sprintf("only %d of the %d runs of %q are different partitions", h.Distinct(),
				rule.Runs, h.Protocol)
		}
	}
	if why, _ := unfit(p); why != "" {
		return why
	}
	if asked, ok := c.Margins.Of(p.Unit.Name); ok && asked.IsOfMean() {
		return "a margin in percent of a mean is known after them"
	}
	if d, err := c.WithDefaults(p.Unit); err == nil && d.Margin > 0 && p.RightA != nil &&
		p.RightB != nil {
		return "a margin is held against single examples, too, which are counted over all"
	}
	test, err := c.test(p.Runs, p.Folds)
	if err == nil {
		err = rule.Fits(test)
	}
	if err != nil {
		return strings.TrimPrefix(err.Error(), stat.ErrDomain.Error()+": ")
	}
	if one := p.First(1); c.Kind != Improves && c.Kind != Unbeaten && Tested(one) != Tested(p) {
		return "each run tests a part of the examples, and a margin takes the number of all"
	}
	return ""
}

// prospectOf returns the prospect that the claim holds of all runs, given the first ones.
func prospectOf(p *record.Pairs, c Claim, rule stat.Curtailment) stat.Prospect {
	v := Verdict{Claim: c, Unit: p.Unit, Runs: p.Runs, Folds: p.Folds}
	j := judging{Verdict: &v, pairs: p, extent: Bare}
	if err := j.prepare(); err != nil {
		return stat.Unsettled // all runs may do better
	}
	if j.Unchanged { // in the other runs, too
		if q := j.question(); q.settled() || q.Kind == Unbeaten {
			return stat.SettledYes
		}
		return stat.SettledNo
	}
	l, err := rule.Look(j.test, j.own)
	if err != nil {
		return stat.Unsettled
	}
	o := outlook{question: j.question(), rule: rule, test: j.test, pairs: p}
	x := o.claim(l)
	if x == stat.SettledNo && o.Kind != Differs || x == stat.Unsettled {
		return x
	}
	if !o.isSane() || !o.hasLearned() {
		return stat.Unsettled
	}
	return x
}

// An outlook is a claim on all runs, as its first runs see it.
type outlook struct {
	question
	rule  stat.Curtailment
	test  stat.Test
	pairs *record.Pairs
}

// claim returns the prospect of the claim itself. Of a plain comparison with a margin, the
// outcome is settled, too.
func (o outlook) claim(l stat.Look) stat.Prospect {
	u, margin := o.unseen(), o.Margin
	better, worse := l.Above(0, o.Alpha/2), l.Below(0, o.Alpha/2)
	var above, below stat.Prospect
	if margin > 0 {
		above = l.Above(-margin, o.Alpha).Both(l.MeanAbove(u - margin))
		below = l.Below(margin, o.Alpha).Both(l.MeanBelow(margin - u))
	}
	switch {
	case o.Kind == Improves && o.OneSided:
		return l.Above(o.Gain, o.Alpha)
	case o.Kind == Improves:
		return l.Above(o.Gain, o.Alpha/2)
	case o.Kind == NoRegression:
		return above
	case o.Kind == Equivalent:
		return above.Both(below)
	case o.Kind == Unbeaten:
		return better.Not()
	case margin > 0 && (above == stat.Unsettled || below == stat.Unsettled):
		return stat.Unsettled
	}
	return better.Either(worse)
}

// hypothetical returns the look at a candidate with a score in every fold against the baseline.
func (o outlook) hypothetical(score float64) (stat.Look, error) {
	return o.rule.Look(o.test, differences(o.constant(score), 0, o.pairs.Runs))
}

// constant returns the pairs with a score in every fold of the candidate.
func (o outlook) constant(score float64) *record.Pairs {
	p := *o.pairs
	p.A = make([]float64, len(p.B))
	for i := range p.A {
		p.A[i] = score
	}
	return &p
}

// isSane reports whether it is settled that a margin can fail, and a gain be shown, against the
// baseline, as question.refutable wants it.
func (o outlook) isSane() bool {
	passes := func(score, null float64) stat.Prospect {
		l, err := o.hypothetical(score)
		if err != nil {
			return stat.Unsettled
		}
		if null >= 0 {
			return l.Above(null, o.Alpha)
		}
		return l.Above(null, o.Alpha).Both(l.MeanAbove(o.unseen() + null))
	}
	finite := func(x float64) bool { return x-x == 0 }
	if size := o.allowance(); size > 0 {
		worst := o.unit.Worst()
		if finite(worst) && passes(worst, -size) != stat.SettledNo {
			return false
		}
		if !finite(worst) {
			zero, err := o.hypothetical(0) // its differences are the baseline's scores, or less these
			if err != nil || zero.MeanAbove(size).Either(zero.MeanBelow(-size)) != stat.SettledYes {
				return false
			}
		}
		if _, score, ok := o.majority(); ok && o.guardsMajority() &&
			passes(score, -size) != stat.SettledNo {
			return false
		}
	}
	best := o.unit.Best()
	return o.gain() == 0 || !finite(best) || passes(best, o.gain()) == stat.SettledYes
}

// hasLearned reports whether it is settled that the candidate is better than what always predicts
// the most frequent class, where that counts.
func (o outlook) hasLearned() bool {
	_, score, ok := o.majority()
	if !ok || !o.guardsMajority() {
		return true
	}
	p := o.constant(score)
	p.A, p.B = o.pairs.A, p.A
	l, err := o.rule.Look(o.test, differences(p, 0, p.Runs))
	return err == nil && l.MeanAbove(0) == stat.SettledYes
}

// majority returns what the most frequent class scores, if that is known.
func (o outlook) majority() (class string, score float64, ok bool) {
	v := Verdict{
		CandidateHeader: o.pairs.CandidateHeader, BaselineHeader: o.pairs.BaselineHeader,
		Unit: unit.Unit{Name: o.unit.Name},
	}
	return majorityHeader(&v).MajorityIn(o.unit.Name)
}
