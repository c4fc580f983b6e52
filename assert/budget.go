package assert

import (
	"fmt"
	"math"

	"github.com/learnbench/learnbench/learntest/verdict"
)

// WithinBudget claims that the candidate has lost less than a budget against the
// baseline, which is a pinned reference: a result file that only learnbench pin moves. The
// budget is in the unit of the metric, as in 0.02 for two percentage points of accuracy.
//
//	c := learntest.Against(t, data, candidate, "testdata/pinned.txt")
//	assert.WithinBudget(t, c, 0.02)
//
// The reference has a ledger beside it, testdata/pinned.ledger, and the claim fails unless the
// ledger shows how the reference came about: its last entry is about this very file, each entry
// moves what the one above wrote, and the differences add up. To make the first reference, run the
// test with LEARNTEST_OUT and give its result file to learnbench pin, as the claim that fails says.
//
// It is the claim of NoRegression with the budget as its margin: a one-sided test at
// level alpha, with the corrected variance, rejects that the loss is the budget or more. What
// differs is the baseline, which stays where it is while changes add up, and the
// text: how much of the budget is used, and at most used. A failure says that the budget
// is used up, or that the data can no longer verify it: a loss that is estimated to be
// within the budget, but not shown to be.
func WithinBudget(t TestingT, c Comparison, budget float64, options ...Option) bool {
	if h, ok := t.(helper); ok {
		h.Helper()
	}
	return claim(t, budgeted{c, budget}, verdict.Claim{Kind: verdict.NoRegression, Margin: budget},
		options)
}

// budgeted is a comparison with a pinned reference.
type budgeted struct {
	Comparison
	budget float64
}

// A reference is a comparison whose baseline may be a pinned reference, as in a
// *learntest.Comparison.
type reference interface {
	// Pinned returns an error unless it is.
	Pinned() error
}

// pinned returns an error unless all comparisons are with pinned references.
func pinned(c Comparison) error {
	switch c := c.(type) {
	case Family:
		for _, member := range c {
			if err := pinned(member); err != nil {
				return err
			}
		}
		return nil
	case reference:
		return c.Pinned()
	}
	return fmt.Errorf("%w: a budget is for a candidate and a pinned reference, and a %T has none: of items, claim NoRegression against the reference", verdict.ErrClaim, c)
}

// Verdicts returns the verdicts of the comparison with the used part of the budget.
func (b budgeted) Verdicts(c verdict.Claim) []verdict.Verdict {
	var err error
	switch {
	case !(b.budget > 0) || math.IsInf(b.budget, 1):
		err = fmt.Errorf("%w: a budget of %v is not a positive number", verdict.ErrClaim, b.budget)
	case c.Margin != b.budget:
		err = fmt.Errorf("%w: Margin is for other claims: the budget is the margin", verdict.ErrClaim)
	case c.Probability != 0:
		err = fmt.Errorf("%w: a budget is verified by a test, not by a posterior probability",
			verdict.ErrClaim)
	}
	if err == nil {
		err = pinned(b.Comparison)
	}
	if err != nil {
		return []verdict.Verdict{verdict.Fail(c, err)}
	}
	vs := b.Comparison.Verdicts(c)
	for i, v := range vs {
		vs[i] = v.WithBudget()
	}
	return vs
}
