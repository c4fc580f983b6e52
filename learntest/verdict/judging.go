package verdict

import (
	"errors"
	"fmt"
	"slices"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/stat"
)

// An Extent says how much of a verdict is wanted. Whether the claim holds does not depend on it.
type Extent uint8

const (
	// Whole is all of it.
	Whole Extent = iota

	// Brief leaves out what takes most of the time: Detectable is NaN, and there is no Help.
	Brief

	// Bare is Brief without a Rerun, unless the claim asks for a replicability: its prediction takes
	// more time than the verdict.
	Bare
)

// A judging is a verdict in the making.
type judging struct {
	*Verdict
	pairs  *record.Pairs
	extent Extent

	test stat.Test
	own  stat.Differences // of the protocol's own runs
}

// prepare settles the claim, and returns an error if that makes no sense.
func (j *judging) prepare() error {
	p := j.pairs
	if j.Claim.Metric != "" && j.Claim.Metric != p.Unit.Name {
		return fmt.Errorf("%w: it is about %s, the pairs are of %s", ErrClaim, j.Claim.Metric,
			p.Unit.Name)
	}
	c, err := j.Claim.WithDefaults(p.Unit)
	if err != nil {
		return err
	}
	j.Claim = c
	if err := errors.Join(c.checkSlice(p), checkPairs(p)); err != nil {
		return err
	}
	n := j.Runs * j.Folds
	j.Tested = Tested(p)
	j.CandidateMean, j.BaselineMean = p.Means()
	if s := p.Slice; s != nil {
		j.Slice = &s.Slice
		if p.Items == nil {
			j.CandidateMean, j.BaselineMean = scoreOf(s, p.A[:n], p.Folds), scoreOf(s, p.B[:n], p.Folds)
		}
		if err := tooSmall(p); err != nil {
			return err
		}
	}
	if len(c.Margins.Metrics()) > 0 { // in percent of a mean
		if c, err = c.settle(p.Unit, j.BaselineMean); err != nil {
			return err
		}
		j.Claim = c
	}
	if c.MaxRuns > 0 && c.MaxRuns < j.Runs {
		return fmt.Errorf("%w: a budget of %d runs is less than the protocol's own %d", ErrClaim,
			c.MaxRuns, j.Runs)
	}
	if p.Items != nil {
		if err = c.checkItems(); err == nil {
			j.Items, j.test, err = itemClaim{c}.newItems(p)
		}
		if err == nil {
			err = j.Items.describe(p)
		}
		j.Tested = p.Folds
		if c.Test.Run == nil {
			j.Claim.Test = stat.Test{Name: itemsT} // the test itself holds these differences
		}
	} else if j.test, j.Warnings, err = c.fit(p); err == nil && c.Probability == 0 {
		j.Claim.Test = j.test
	}
	if err != nil {
		return err
	}
	if j.single, err = examplesOfPairs(p, j.test); err != nil {
		return err
	}
	if j.own, err = ownDifferences(p); err != nil {
		return err
	}
	if err := (refutation{j.question(), j.test, p, j.BaselineMean}).check(); err != nil {
		return err
	}
	j.Unchanged = p.SameProgram && slices.Equal(p.A[:n], p.B[:n])
	return nil
}

// conclude draws outcome and claim from the findings.
func (j *judging) conclude() {
	c := reading{j.question(), &j.Findings}.conclude()
	j.Outcome, j.Holds, j.Reason = c.outcome, c.holds, c.reason
	q := j.question()
	_, _, nothing := majorityHeader(j.Verdict).NoBetter(j.Unit, j.BaselineMean) // and so nothing to lose
	equivalent := q.Kind == Differs && j.Outcome == Same && !nothing
	if (j.Holds || equivalent) && q.guardsMajority() && j.Significance() <= 0 {
		err := j.LearnedNothing()
		if err == nil {
			return
		}
		j.Holds, j.Reason = false, err.Error()
		switch {
		case equivalent && j.Significance() < 0:
			j.Outcome = Regressed
		case equivalent:
			j.Outcome = Inconclusive
		}
	}
}
