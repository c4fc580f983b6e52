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
	many  bool // so many comparisons that no format but those in full says how replicable they are
	least map[design]unit.Number
}

// A design is what the values of p depend on that a test can have.
type design struct {
	test        string
	runs, folds int
}

// leastP returns the smallest p that the test of a verdict could have: that of differences
// which are nearly the same in all folds, and in the direction that is looked for.
func (f *referee) leastP(v *verdict.Verdict) unit.Number {
	k := design{v.Claim.Test.Name, v.Runs, v.Folds}
	if p, ok := f.least[k]; ok {
		return p
	}
	alternative := stat.TwoSided
	if f.Tail != Both {
		alternative = stat.Greater
	}
	p := unit.Number(stat.LeastP(v.Claim.Test, v.Runs, v.Folds, alternative))
	if f.least == nil {
		f.least = make(map[design]unit.Number)
	}
	f.least[k] = p
	return p
}

// compare is verdict.OfSelections, but keeps the error and the pairs.
func (f *referee) compare(candidate, baseline *match.Cell, claim verdict.Claim) (v verdict.Verdict, pairs *record.Pairs, err error) {
	if pairs, err = record.Pair(candidate.Selection(), baseline.Selection(), claim.Metric); err == nil {
		pairs.Second, pairs.SecondErr = record.PairSecond(candidate.Selection(), baseline.Selection(), claim.Metric, 0)
		v, err = f.judge(pairs, claim)
	}
	if err != nil && v.Err == nil {
		v = verdict.Fail(claim, err)
		v.Data, v.Candidate, v.Baseline = candidate.Data, candidate.Learner, baseline.Learner
	}
	return v, pairs, err
}

// judge judges in as much detail as is shown.
func (f *referee) judge(pairs *record.Pairs, claim verdict.Claim) (v verdict.Verdict, err error) {
	if claim.Margin, err = marginOf(&f.Margins, pairs.Unit, pairs.B[:pairs.Runs*pairs.Folds]); err != nil {
		return v, err
	}
	if pairs.Second != nil {
		claim.Halvings = pairs.Second.Runs
	}
	by := verdict.Brief
	switch {
	case f.Full:
		by = verdict.Judge
	case f.many:
		by = verdict.Bare
	}
	if v = f.Tail.judge(pairs, claim, by); v.Outcome == verdict.Invalid {
		return v, errors.New(v.Reason)
	}
	if err := pairs.SecondErr; err != nil && !errors.Is(err, record.ErrNotFound) {
		v.Warnings = append(v.Warnings, fmt.Errorf("no second opinion: %w", err))
	}
	return v, nil
}

// verdict returns what the report has of a verdict.
func (f *referee) verdict(v *verdict.Verdict, identical bool) *verdict.Facts {
	w := v.Facts()
	w.Identical = identical
	if !w.Judged() {
		return w
	}
	w.LeastP = f.leastP(v)
	w.Notes = notes(v, identical, f.nonInferior(&v.Claim))
	return w
}

// notes returns what a footnote has to say. A margin is there for equivalence, or to rule out losses.
func notes(v *verdict.Verdict, identical, nonInferior bool) []string {
	var texts []string
	if v.Reason != "" && v.Significance() != 0 && v.Outcome == verdict.Inconclusive && v.Claim.Kind == verdict.Differs {
		texts = append(texts, v.Reason)
	}
	if s := v.Second; s != nil && s.Asked && !identical {
		texts = append(texts, "second opinion "+s.String())
	}
	if v.Outcome == verdict.Same && v.Claim.Margin > 0 && !identical {
		texts = append(texts, "less than the margin apart: p = "+unit.FormatP(max(v.Above.P, v.Below.P)))
	}
	if half := (v.Above.Hi - v.Above.Lo) / 2; v.Outcome == verdict.Inconclusive && v.Claim.Margin > 0 && half >= v.Claim.Margin {
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
	if identical {
		texts = append(texts, "all scores are the same")
	}
	return texts
}

// claimed returns the verdict on the claim that is required of a comparison, for its text: the one that there is,
// or that on a regression by the margin. With a tail, p and interval of the difference are others than those
// of that claim.
func (f *referee) claimed(v *verdict.Verdict, pairs *record.Pairs) *verdict.Verdict {
	if !f.nonInferior(&v.Claim) || f.Tail != Both {
		return v
	}
	c := v.Claim
	c.Kind = verdict.NoRegression
	w := verdict.Judge(pairs, c)
	if w.Outcome == verdict.Invalid {
		return v
	}
	w.Warnings = v.Warnings
	return &w
}

// same reports whether the scores of the protocol's own runs are the same.
func same(p *record.Pairs) bool {
	own := p.Runs * p.Folds
	return slices.Equal(p.A[:own], p.B[:own])
}
