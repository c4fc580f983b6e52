package verdict

import (
	"cmp"
	"errors"
	"fmt"
	"math"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/stat"
)

// Judge judges a claim about the pairs, whose unit must be the unit of the
// claim's metric, if it names one.
//
// The test uses the protocol's own runs, however many there are; further runs,
// which repeat the test, count only for a replicability that the claim asks for. If
// there are too few of them the outcome is Invalid, and Verdict.NeedRuns says how
// many it takes.
//
// Significant means p ≤ alpha. The outcome is Same if all scores are equal, or if
// the claim has a margin and the difference is shown to be within it; else Improved
// or Regressed if the difference is significant; else Inconclusive. A required
// replicability that is not shown makes the outcome Inconclusive.
//
// Pairs of the first runs of a protocol are judged only if they settle the claim, and the claim has
// a Settle, or training was stopped there, with an error of its own (see record.Pairs.Stop). Else
// the outcome is Invalid, and Verdict.NeedRuns says how many runs to train next.
//
// Extents leave out what only explains the verdict.
func Judge(p *record.Pairs, c Claim, extents ...Extent) Verdict {
	var e Extent
	for _, x := range extents {
		e = max(e, x)
	}
	if p.Stop > 0 && (c.Settle == 0 || p.Stop < c.Settle) {
		c.Settle = p.Stop
	}
	if p.Items == nil && (c.Settle != 0 || p.Planned > p.Runs) {
		return judgeFirst(p, c, e)
	}
	return judgeThese(p, c, e)
}

// judgeThese judges a claim by the runs of the pairs.
func judgeThese(p *record.Pairs, c Claim, e Extent) Verdict {
	if c.Kind.Absolute() {
		return judgeLevel(p, c, e)
	}
	if c.Kind == RatioAtMost {
		return judgeRatio(p, c)
	}
	v := Verdict{
		Claim: c, Data: p.Data, Candidate: p.Candidate, Baseline: p.Baseline, Unit: p.Unit,
		CandidateHeader: p.CandidateHeader, BaselineHeader: p.BaselineHeader,
		Runs: p.Runs, Folds: p.Folds, Detectable: math.NaN(),
	}
	j := judging{Verdict: &v, pairs: p, extent: e}
	err := j.prepare()
	if err == nil {
		err = j.decide()
	}
	if err != nil {
		v.Outcome, v.Holds, v.Reason, v.Err = Invalid, false, err.Error(), err
	}
	return v
}

// decide answers the claim.
func (j *judging) decide() error {
	q := j.question()
	f, doubts, err := q.find(j.test, j.own)
	j.Findings, j.Warnings = f, append(j.Warnings, doubts...)
	if err != nil {
		return err
	}
	j.conclude()
	if q.Halvings > 0 {
		if err := j.consult(); err != nil {
			return err
		}
	}
	if j.pairs.Planned > j.Runs || j.Slice != nil { // a rerun might be settled by other runs; of slices, none is foretold
		j.warn()
		if j.extent == Whole && j.Slice != nil {
			j.Detectable = j.power().detectable()
		}
		if !j.Holds && j.extent == Whole {
			j.Help = j.power().help(j.own, j.Outcome, j.Detectable)
		}
		return nil
	}
	first := j.Second != nil && j.Second.Asked || q.heldByExamples()
	q.single = nil // which are counted over the protocol's own runs
	r, err := repetition{q, j.test, j.pairs, &j.Findings, j.Holds, first}.judge(j.extent != Bare)
	j.Rerun, j.NeedRuns, j.Help = r.rerun, r.need, r.help
	if err != nil {
		return err
	}
	if r.reason != "" {
		j.Outcome, j.Holds, j.Reason = Inconclusive, false, r.reason
	}
	j.warn()
	if j.extent != Whole {
		return nil
	}
	w := j.power()
	j.Detectable = w.detectable()
	if !j.Holds && r.reason == "" {
		j.Help = append(j.Help, w.help(j.own, j.Outcome, j.Detectable)...)
	}
	return nil
}

// warn adds the doubts that do not forbid the verdict.
func (j *judging) warn() {
	add := func(format string, args ...any) {
		j.Warnings = append(j.Warnings,
			fmt.Errorf(format, args...))
	}
	if r := &j.Difference.Result; r.Estimate != r.Mean {
		add("%s estimates the difference as %s, not as the mean: its interval is about that", r.Test,
			j.Unit.FormatDifference(float64(j.Unit.Better)*r.Estimate))
	}
	if j.test.Naive {
		add("%s takes the folds for independent, which overlapping training sets are not: expect far more false alarms than the level says", j.test.Name)
	}
	for _, w := range j.Difference.Result.Warnings {
		if errors.Is(w, stat.ErrZeroVariance) {
			what := "the differences are"
			if j.Estimate == 0 {
				what = "the scores of both learners are"
			}
			w = fmt.Errorf("%s equal %s: %w", what, j.question().everywhere(), w)
		}
		j.Warnings = append(j.Warnings, w)
	}
	q := j.question()
	q.unchanged = false // it may be tomorrow
	if note := q.seesTooLittle(); note != "" && (j.Holds || j.Claim.Kind == Differs) {
		add("%s", note)
	}
	if err := j.LearnedNothing(); err != nil {
		j.Warnings = append(j.Warnings, err)
	}
	if j.pairs.SameProgram && !j.Unchanged {
		add("%s has other scores than before, although program, parameters, command and data are equal: its seed does not fix it, or it depends on a variable, a file or a service that it does not declare", j.Candidate)
	}
	if j.Items != nil {
		j.Warnings = append(j.Warnings, j.Items.doubts...)
		return
	}
	j.Warnings = append(j.Warnings, unsteady(j.pairs, j.Claim)...)
	for _, l := range []struct {
		name, learner string
		header        *record.Header
	}{{j.Candidate, j.pairs.CandidateLearner, j.CandidateHeader}, {
		j.Baseline, j.pairs.BaselineLearner,
		j.BaselineHeader,
	}} {
		switch l.header.Of(cmp.Or(l.learner, l.name)).Probe() {
		case record.NotProbed:
			add("%s was not trained again: nobody knows whether its seed fixes it, or whether it keeps something between trainings", l.name)
		case record.NotDeterministic:
			add("%s is not deterministic: trained twice with the same seed, it predicted differently, so that a rerun differs by more than the partition", l.name)
		}
	}
}

// judgeRatio judges a claim of RatioAtMost.
func judgeRatio(p *record.Pairs, c Claim) Verdict {
	v := Verdict{
		Claim: c, Data: p.Data, Candidate: p.Candidate, Baseline: p.Baseline, Unit: p.Unit,
		CandidateHeader: p.CandidateHeader, BaselineHeader: p.BaselineHeader,
		Runs: p.Runs, Folds: p.Folds, Detectable: math.NaN(),
	}
	judge := ratioing{&v, p}.judge
	switch {
	case p.Items != nil:
		judge = ratioing{&v, p}.judgeCosts
	case p.Unit.OfModel:
		judge = ratioing{&v, p}.judgeModels
	}
	if err := judge(); err != nil {
		v.Outcome, v.Holds, v.Reason, v.Err = Invalid, false, err.Error(), err
	}
	return v
}
