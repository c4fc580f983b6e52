package learntest

import (
	"errors"
	"fmt"

	"github.com/learnbench/learnbench/internal/gotest"
	"github.com/learnbench/learnbench/internal/ledger"
	"github.com/learnbench/learnbench/learntest/internal/results"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// Pinned returns an error unless the baseline is a pinned reference: a file that nothing but
// learnbench pin has written, as its ledger shows. [assert.WithinBudget] asks for it.
//
// [assert.WithinBudget]: https://pkg.go.dev/github.com/learnbench/learnbench/assert#WithinBudget
func (c *Comparison) Pinned() error {
	c.asked.Store(true)
	if c.path == "" {
		return fmt.Errorf("%w: a budget is for a candidate and a pinned reference: compare with one by learntest.Against", verdict.ErrClaim)
	}
	if c.group == nil {
		return nil // the error says why
	}
	how := c.group.howToPin
	if errors.Is(c.err, results.ErrNoFile) {
		return fmt.Errorf("%w: there is no reference %s: %s", ErrConfig, c.path, how(c.path, true))
	}
	switch err := ledger.Check(c.path); {
	case errors.Is(err, ledger.ErrNone):
		return fmt.Errorf("%w: %w: restore the ledger; if there never was one, remove the reference: %s",
			ErrConfig, err, how(c.path, true))
	case err != nil:
		return fmt.Errorf("%w: %w: git log shows who changed it: restore both files; %s", ErrConfig, err,
			how(c.path, false))
	}
	return nil
}

// withoutFile says that there is no file to compare with: which claim is made shows whether it is
// to be a baseline or a reference. Results of the candidate are stored nevertheless if they are
// wanted, since a reference is made of them.
func (c *Comparison) withoutFile(t TB, err error) {
	t.Helper()
	c.err = err
	g := c.group
	if g.cfg.Results.Out != "" {
		g.ctx = gotest.BeforeDeadline(t)
		if err := g.run(g.ctx, g.cfg.runs()); err != nil {
			t.Errorf("learntest.Against: %v", err)
		}
		c.reportFailures(t, true)
	}
	t.Cleanup(func() {
		t.Helper()
		if s, ok := t.(interface{ Skipped() bool }); ok && s.Skipped() {
			return
		}
		// A verdict that is only looked at fails nothing.
		failed := c.asked.Load()
		if f, ok := t.(interface{ Failed() bool }); ok {
			failed = f.Failed()
		}
		if !failed {
			t.Errorf("learntest.Against: %v", err)
		}
	})
}
