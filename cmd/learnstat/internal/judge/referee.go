package judge

import (
	"errors"
	"fmt"
	"slices"

	"github.com/learnbench/learnbench/cmd/learnstat/internal/match"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// A referee judges pairs.
type referee struct {
	*Options
	many     bool    // so many comparisons that no format but those in full says how replicable they are
	rowLevel float64 // of a gate on differences; 0 if there is none
	least    map[design]unit.Number
}

// A design is a test with its numbers of runs and folds: they limit the p that it can have.
type design struct {
	test        string
	runs, folds int
	clusters    int // of items; 0 of other protocols
}

// leastP returns the smallest p that the test of a verdict could have: the p of differences which
// are nearly equal in all folds, in the tested direction.
func (f *referee) leastP(v *verdict.Verdict) unit.Number {
	k := design{test: v.Claim.Test.Name, runs: v.Runs, folds: v.Folds}
	if v.Items != nil {
		k.clusters = v.Items.Clusters
	}
	if p, ok := f.least[k]; ok {
		return p
	}
	alternative := stat.TwoSided
	if f.Tail != Both {
		alternative = stat.Greater
	}
	p := unit.Number(verdict.LeastP(v, alternative))
	if f.least == nil {
		f.least = make(map[design]unit.Number)
	}
	f.least[k] = p
	return p
}

// A judgement is a verdict, and that on what the gate asks: the same one, if it asks for nothing
// else.
type judgement struct {
	verdict.Verdict
	asked verdict.Verdict
	pairs *record.Pairs
}

// compare is verdict.Of, but keeps the error and the pairs.
func (f *referee) compare(candidate, baseline *match.Cell, claim verdict.Claim) (j judgement,
	err error,
) {
	if j.pairs, err = record.Pair(candidate.Selection(), baseline.Selection(),
		claim.Metric); err == nil {
		if j.pairs.Slice == nil {
			j.pairs.Second, j.pairs.SecondErr = record.PairSecond(candidate.Selection(),
				baseline.Selection(), claim.Metric, 0)
		}
		err = f.judge(&j, claim)
	}
	if err != nil && j.Err == nil {
		j.Verdict = verdict.Fail(claim, err)
		j.Data, j.Candidate, j.Baseline = candidate.Data, candidate.Learner, baseline.Learner
	}
	return j, err
}

// judge judges in as much detail as is shown.
func (f *referee) judge(j *judgement, claim verdict.Claim) (err error) {
	pairs := j.pairs
	early := pairs.Planned > pairs.Runs // training was stopped
	if asked, ok := f.Margins.Of(pairs.Unit.Name); ok && asked.IsOfMean() && early {
		return fmt.Errorf("only %d of %d runs are there, and a margin in percent of a mean takes all: %s",
			pairs.Runs, pairs.Planned, record.TrainOn)
	}
	if claim.Margin, err = marginOf(&f.Margins, pairs.Unit,
		pairs.B[:pairs.Runs*pairs.Folds]); err != nil {
		return err
	}
	if pairs.Second != nil {
		claim.Halvings = pairs.Second.Runs
	}
	extent := verdict.Brief
	switch {
	case f.Full:
		extent = verdict.Whole
	case f.many:
		extent = verdict.Bare
	}
	if j.Verdict = f.Tail.judge(pairs, claim, extent); errors.Is(j.Err, verdict.ErrTooSmall) {
		return j.Err
	} else if j.Outcome == verdict.Invalid {
		return errors.New(j.Reason)
	}
	if err := pairs.SecondErr; err != nil && !errors.Is(err, record.ErrNotFound) {
		j.Warnings = append(j.Warnings, fmt.Errorf("no second opinion: %w", err))
	}
	j.asked = j.Verdict
	if question, tail := f.question(claim); question != nil {
		for _, h := range []*record.Header{pairs.CandidateHeader, pairs.BaselineHeader} {
			if _, _, nothing := h.NoBetter(pairs.Unit, j.BaselineMean); nothing && !early { // and so nothing to lose
				question.AllowMajority = true
			}
		}
		if j.asked = tail.judge(pairs, *question, extent); j.asked.Outcome == verdict.Invalid {
			return errors.New(j.asked.Reason)
		}
	}
	return nil
}

// question returns the claim that the gate asks of a comparison of which the given one is judged;
// nil if it asks for no other. A difference is asked for at the level of rows. A requirement has no
// tail, except an improvement.
func (f *referee) question(claim verdict.Claim) (asked *verdict.Claim, tail Tail) {
	switch what := f.Gate.asks(claim.Metric); {
	case what == improved && f.Tail == Both:
		claim.Kind, claim.Margin = verdict.Improves, 0
	case what == nonInferior && claim.Margin > 0:
		claim.Kind = verdict.NoRegression
	case what == equivalent && claim.Margin > 0:
		claim.Kind = verdict.Equivalent
	case what == "" && 0 < f.rowLevel && f.rowLevel < claim.Alpha:
		claim.Alpha, tail = f.rowLevel, f.Tail
	default:
		return nil, Both
	}
	other := claim // a copy of its own only where there is one
	return &other, tail
}

// facts returns the facts of a judgement for the report: the forecast of a rerun and the detectable
// difference belong to the claim that the gate asks for.
func (f *referee) facts(j *judgement, identical bool) *verdict.Facts {
	w := j.Facts()
	w.Identical = identical
	if !w.Judged() {
		return w
	}
	asked := j.asked.Facts()
	w.Rerun, w.Detectable = asked.Rerun, asked.Detectable
	w.LeastP = f.leastP(&j.Verdict)
	w.Notes = notes(&j.Verdict, identical, f.Gate.asks(j.Claim.Metric) == nonInferior)
	if reason := j.refused(); reason != "" && w.Margin != nil {
		w.Reason, w.Margin.Within, w.Margin.NonInferior, w.Margin.Reason = reason, false, false, reason
		if w.Outcome == equivalent && !identical {
			w.Outcome = inconclusive
		}
		w.Notes = append(w.Notes, reason)
	}
	return w
}

// refused returns why a requirement is not met whose test shows it: that is not replicable, or the
// candidate has learned nothing.
func (j *judgement) refused() string {
	a := &j.asked
	shown := a.Within() && a.Outcome != verdict.Same
	if a.Claim.Kind == verdict.NoRegression || a.Claim.Kind == verdict.Equivalent {
		shown = a.Decision.Shown
	}
	if a.Claim.Margin == 0 || !shown {
		return ""
	}
	return a.Reason
}

// notes returns what a footnote has to say. A margin is there for equivalence, or to rule out
// losses.
func notes(v *verdict.Verdict, identical, nonInferior bool) []string {
	var texts []string
	if v.Reason != "" && v.Significance() != 0 && v.Outcome == verdict.Inconclusive &&
		v.Claim.Kind == verdict.Differs {
		texts = append(texts, v.Reason)
	}
	if s := v.Second; s != nil && s.Asked && !identical {
		texts = append(texts, "second opinion "+s.String())
	}
	if s := v.Settled; s != nil && s.After < s.Runs {
		texts = append(texts, "settled "+s.String())
	}
	if v.Outcome == verdict.Same && v.Claim.Margin > 0 && !identical {
		texts = append(texts, "less than the margin apart: p = "+unit.FormatP(max(v.Above.P, v.Below.P)))
	}
	if v.Examples != nil && !identical {
		texts = append(texts, v.Examples.Note())
	}
	if half := (v.Above.Hi - v.Above.Lo) / 2; v.Outcome == verdict.Inconclusive &&
		v.Claim.Margin > 0 && half >= v.Claim.Margin {
		cannot := "equivalence cannot be shown with these runs"
		if nonInferior {
			cannot = "a loss of the margin cannot be ruled out with these runs where there is no difference"
		}
		texts = append(texts, cannot+": the interval is "+v.Unit.FormatMargin(half)+" to either side, the margin "+v.Unit.FormatMargin(v.Claim.Margin))
	}
	for _, w := range v.Warnings {
		if !identical || !errors.Is(w, stat.ErrZeroVariance) {
			texts = append(texts, w.Error())
		}
	}
	switch {
	case v.Unchanged:
		texts = append(texts, v.Alike())
	case identical:
		texts = append(texts, "all scores are equal")
	}
	return texts
}

// text returns the verdict whose text is shown: the verdict on the gate's claim, unless it leaves
// out a margin or a tail that the table has.
func (f *referee) text(j *judgement) *verdict.Verdict {
	v := j.Verdict
	if a := &j.asked; f.Tail == Both && a.Outcome != verdict.Invalid &&
		a.Claim.Kind != verdict.Differs && a.Claim.Margin == v.Claim.Margin {
		v = *a
		v.Warnings = j.Warnings
	}
	v.Rerun, v.Detectable = j.asked.Rerun, j.asked.Detectable
	return &v
}

// same reports whether the scores of the protocol's own runs are equal.
func same(p *record.Pairs) bool {
	own := p.Runs * p.Folds
	return slices.Equal(p.A[:own], p.B[:own])
}
