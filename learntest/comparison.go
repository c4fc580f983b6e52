package learntest

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// A Comparison holds the records of two learners on one data set. The claims of
// package assert are made about it.
type Comparison struct {
	group     *group
	candidate string
	baseline  string
	stored    *record.Block // the baseline's; nil if it was run, too
	env       environment
	err       error       // why there are no records
	asked     atomic.Bool // a claim was judged
}

// report tells the test about failed trials and, as attributes, the verdict.
// The first comparison of a group reports those of the baseline.
func (c *Comparison) report(t TB, first bool) {
	t.Helper()
	const most = 5
	failed, reported := false, 0
	for _, f := range c.Records().Failures() {
		if f.Learner != c.candidate && f.Learner != c.baseline {
			continue
		}
		failed = true
		if f.Learner == c.baseline && !first {
			continue
		}
		if reported++; reported <= most {
			t.Errorf("learntest.Compare: trial failed: %v: %s", f.Cell(), f.Err)
		}
	}
	if reported > most {
		t.Errorf("learntest.Compare: and %d more trials failed", reported-most)
	}
	if errors.Is(c.err, verdict.ErrNotJudged) {
		candidate, baseline := c.titles()
		t.Logf("%s vs %s on %s: %v", candidate, baseline, c.group.set().Data.Name, c.err)
		return
	}
	candidate, baseline := c.titles()
	v := c.judge(verdict.Claim{})
	if !failed {
		t.Logf("%s", v.Summary())
	}
	if errors.Is(v.Err, verdict.ErrNotJudged) {
		return
	}
	a, ok := t.(interface{ Attr(key, value string) })
	if !ok {
		return
	}
	n := c.group.there.Instance.Next()
	attr := func(key, value string) {
		// The testing package refuses values of several lines.
		a.Attr(fmt.Sprintf("learntest.%d.%s", n, key), strings.NewReplacer("\n", " ", "\r", " ").Replace(value))
	}
	attr("comparison", fmt.Sprintf("%s vs %s on %s", candidate, baseline, c.group.set().Data.Name))
	attr("verdict", v.Outcome.String())
	if v.Outcome != verdict.Invalid {
		attr("p", strconv.FormatFloat(v.Difference.P, 'g', -1, 64))
		if v.Rerun != nil {
			attr("replicability", strconv.FormatFloat(v.Rerun.R, 'g', -1, 64))
		}
	}
}

// Records returns the records of all trials run so far, those of other candidates
// of [CompareAll] included, and not those of a stored baseline. They must not be modified; those of trials that are run
// later are not added to them.
func (c *Comparison) Records() *record.File {
	if c.group == nil {
		return record.NewFile()
	}
	return c.group.there.File()
}

// Judge judges a claim about the candidate and the baseline. If that takes more
// runs than there are, or a second opinion, they are run. What was claimed before makes no
// difference.
func (c *Comparison) Judge(claim verdict.Claim) verdict.Verdict {
	c.asked.Store(true)
	return c.judge(claim)
}

func (c *Comparison) judge(claim verdict.Claim) verdict.Verdict {
	if c.err != nil {
		v := verdict.Fail(claim, c.err)
		v.Candidate, v.Baseline = c.titles()
		if c.group != nil {
			v.Data = c.group.set().Data.Name
		}
		return v
	}
	claim, err := c.settle(claim)
	if err != nil {
		return verdict.Fail(claim, err)
	}
	g := c.group
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.short > 0 {
		return c.judgeShort(claim)
	}
	consulted := false
	for runs := 0; ; {
		candidate, baseline := c.selections()
		v := verdict.OfSelections(candidate, baseline, claim)
		if v.NeedSecond && !consulted {
			consulted = true
			if err := g.consult(g.ctx, g.set(), claim.Halvings, c.candidate, c.baseline); err != nil {
				return verdict.Fail(claim, err)
			}
			continue
		}
		if v.NeedRuns <= runs {
			c.helpBudget(&v)
			return v
		}
		runs = v.NeedRuns
		if there := c.storedRuns(); there > 0 && runs > there {
			return verdict.Fail(claim, fmt.Errorf("the claim takes %d runs, and %d are stored: %s", runs, there, c.more(runs)))
		}
		if err := g.run(g.ctx, runs, c.candidate, c.baseline); err != nil {
			return verdict.Fail(claim, err)
		}
	}
}

// titles returns what candidate and baseline are called.
func (c *Comparison) titles() (candidate, baseline string) {
	candidate, baseline = c.candidate, c.baseline
	if c.stored != nil && c.candidate == c.baseline {
		candidate, baseline = c.candidate+", now", c.baseline+version(&c.stored.Header)
	}
	if c.env.degrade > 0 {
		candidate += fmt.Sprintf(" degraded by %v", c.env.degrade)
	}
	return candidate, baseline
}

// selections returns the trials of candidate and baseline.
func (c *Comparison) selections() (candidate, baseline record.Selection) {
	g := c.group
	candidate = record.Selection{File: g.there.File(), Data: g.set().Data.Name, Learner: c.candidate}
	baseline = record.Selection{File: candidate.File, Data: candidate.Data, Learner: c.baseline}
	if c.stored != nil {
		baseline.File = record.NewFile(c.stored)
	}
	candidate.Title, baseline.Title = c.titles()
	return candidate, baseline
}

// Verdicts returns the verdict of Judge, as package assert wants it.
func (c *Comparison) Verdicts(claim verdict.Claim) []verdict.Verdict {
	return []verdict.Verdict{c.Judge(claim)}
}
