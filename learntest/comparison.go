package learntest

import (
	"fmt"
	"sync/atomic"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// A Comparison holds the records of two learners on one data set. The claims of
// package assert are made about it.
type Comparison struct {
	by        string // the name of the function that a test has called
	group     *group
	candidate string
	baseline  string
	stored    *record.Block // the baseline's; nil if it was run, too
	alone     bool          // there is no baseline
	path      string        // of the file with the baseline; empty if it was run, too
	env       environment
	err       error       // why there are no records
	asked     atomic.Bool // a claim was judged
}

// Records returns the records of all trials run so far, also for the other candidates of
// [CompareAll], and without the records of a stored baseline. The caller must not modify them.
// Records of later trials are not added to them.
func (c *Comparison) Records() *record.File {
	if c.group == nil {
		return record.NewFile()
	}
	return c.group.there.File()
}

// titles returns the names of candidate and baseline in texts.
func (c *Comparison) titles() (candidate, baseline string) {
	candidate, baseline = c.candidate, c.baseline
	if c.stored != nil && c.candidate == c.baseline {
		candidate, baseline = c.candidate+" now", c.baseline+version(&c.stored.Header)
	}
	if c.env.degrade > 0 {
		candidate += fmt.Sprintf(" degraded by %v", c.env.degrade)
	}
	return candidate, baseline
}

// selections returns the trials of candidate and baseline.
func (c *Comparison) selections() (candidate, baseline record.Selection) {
	g := c.group
	candidate = g.there.File().Of(g.set().Data.Name, c.candidate)
	baseline = candidate.File.Of(candidate.Data, c.baseline)
	if c.stored != nil {
		baseline.File = record.NewFile(c.stored)
	}
	trained := []string{c.candidate}
	if c.stored == nil {
		trained = append(trained, c.baseline)
	}
	candidate.First = g.firstRunsThere(trained...)
	baseline.First = candidate.First
	candidate.Title, baseline.Title = c.titles()
	return candidate, baseline
}

// errAlone is the error of a claim about two learners where there is one.
var errAlone = fmt.Errorf("%w: there is one learner, and no other one that it could be compared with: claim AtLeast or AtMost, or compare two with Compare", verdict.ErrClaim)

// about adds the subjects of a comparison to a verdict without records.
func about(c *Comparison, v verdict.Verdict) verdict.Verdict {
	v.Candidate, v.Baseline = c.titles()
	if c.group != nil {
		v.Data = c.group.set().Data.Name
	}
	return v
}

// notShort returns the verdict on an absolute claim, which -short does not judge.
func notShort(c *Comparison, claim verdict.Claim) verdict.Verdict {
	return about(c, verdict.Fail(claim,
		fmt.Errorf("%w: -short runs the first of %d runs, which is too little for a bound",
			verdict.ErrNotJudged, c.group.short)))
}
