package items

import (
	"fmt"
	"slices"
	"sync"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// A Comparison is about a candidate and a baseline on the items of a suite. The claims of package assert are made about
// it.
type Comparison struct {
	t    TB
	by   string // the function that a test has called
	cfg  Config
	env  environment
	path string // of the file with the baseline; empty if there is none

	suite               string
	items               []record.Item // that are asked
	candidate, baseline string
	titles              [2]string     // what texts call them, if not by their names
	stored              *record.Block // the baseline's answers; nil if it is asked, too
	short               int           // number of all items, of which -short has left some; else 0
	calls               []call
	keeper              *keeper // of the answers

	mu    sync.Mutex
	now   *record.Block // answers of the systems that are asked
	done  bool          // they were asked
	asked bool          // a claim was made
	err   error         // why there is nothing to judge
}

// Verdicts judges a claim about candidate and baseline, as package assert wants it. The first claim that makes
// sense asks the systems.
func (c *Comparison) Verdicts(claim verdict.Claim) []verdict.Verdict {
	c.t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	v := c.judge(claim)
	if claim.Kind != verdict.Unbeaten || v.Outcome == verdict.Invalid { // which holds of any loss
		c.asked = true
	}
	if v.Outcome == verdict.Invalid {
		v.Data, v.Candidate, v.Baseline = c.suite, c.candidate, c.baseline
	}
	return []verdict.Verdict{v}
}

func (c *Comparison) judge(claim verdict.Claim) verdict.Verdict {
	c.t.Helper()
	if c.err != nil {
		return verdict.Fail(claim, c.err)
	}
	if claim.Alpha == 0 && claim.Probability == 0 && claim.Kind != verdict.Unbeaten {
		claim.Alpha = c.env.alpha
	}
	if err := c.check(claim); err != nil {
		return verdict.Fail(claim, err)
	}
	c.ask()
	if c.err != nil {
		return verdict.Fail(claim, c.err)
	}
	if c.short > 0 {
		return c.judgeShort(claim)
	}
	return verdict.OfSelections(c.selection(0), c.selection(1), claim)
}

// check returns an error for a claim that no answers could decide, before any is asked for.
func (c *Comparison) check(claim verdict.Claim) error {
	c.t.Helper()
	if claim.Kind == verdict.Unbeaten && c.stored == nil {
		return fmt.Errorf("%w: only a stored baseline can be out of date: compare with one by items.Against", verdict.ErrClaim)
	}
	u := c.cfg.Metrics[0]
	if claim.Metric != "" {
		at := slices.IndexFunc(c.cfg.Metrics, func(u unit.Unit) bool { return u.Name == claim.Metric })
		if at < 0 {
			return fmt.Errorf("%w: metric %s is not among Config.Metrics", verdict.ErrClaim, claim.Metric)
		}
		u = c.cfg.Metrics[at]
	}
	note, err := claim.ForItems(u, c.items)
	if err != nil || c.done || c.short > 0 {
		return err
	}
	if note != "" {
		c.t.Logf("note: %s", note)
	}
	if c.stored == nil {
		return nil
	}
	// Whether a margin can be missed, or shown, depends on the baseline's scores alone.
	if v := verdict.OfSelections(c.selection(1), c.selection(1), claim); v.Outcome == verdict.Invalid {
		return v.Err
	}
	return nil
}

// selection returns the answers of the candidate, 0, or the baseline, 1.
func (c *Comparison) selection(side int) record.Selection {
	s := record.Selection{File: record.NewFile(c.now), Data: c.suite, Learner: c.candidate, Title: c.titles[side]}
	if side == 1 {
		s.Learner = c.baseline
		if c.stored != nil {
			s.File = record.NewFile(c.stored)
		}
	}
	return s
}

// leastShort is how many items -short leaves at least.
const leastShort = 20

// choose returns the numbers of the items that are asked: under -short a tenth, by the digests of their ids.
func (c *Comparison) choose() []int {
	var chosen []int
	for i := range c.items {
		chosen = append(chosen, i)
	}
	n := max(leastShort, (len(c.items)+9)/10)
	if !isShort() || c.env.out != "" || c.env.update != "" || len(c.items) <= n && c.cfg.Repeats == 1 {
		return chosen
	}
	c.short, c.cfg.Repeats = len(c.items), 1
	key := func(i int) string {
		digest, _ := dataset.DigestOf("short", c.items[i].ID) // of texts, which have one
		return digest
	}
	slices.SortFunc(chosen, func(i, j int) int {
		if key(i) < key(j) {
			return -1
		}
		return 1
	})
	chosen = chosen[:min(n, len(chosen))]
	slices.Sort(chosen)
	var items []record.Item
	for _, i := range chosen {
		items = append(items, c.items[i])
	}
	c.items = items
	return chosen
}

// judgeShort judges a claim by some items alone. They can show a regression beyond the claim, and nothing else.
func (c *Comparison) judgeShort(claim verdict.Claim) verdict.Verdict {
	v := verdict.OfSelections(c.selection(0), c.selection(1), verdict.Claim{Metric: claim.Metric, Alpha: claim.Alpha})
	v.Claim.Kind, v.Holds = claim.Kind, false
	if v.Outcome == verdict.Invalid {
		return v
	}
	full, err := claim.WithDefaults(v.Unit)
	if err != nil {
		return verdict.Fail(claim, err)
	}
	allowed := full.Margin
	if len(claim.Margins.Metrics()) > 0 {
		if allowed, err = claim.Margins.Value(v.Unit, v.BaselineMean); err != nil {
			return verdict.Fail(claim, err)
		}
	}
	loss := -float64(v.Unit.Better) * v.Estimate
	if v.Outcome == verdict.Regressed && loss > allowed && claim.Kind != verdict.Unbeaten {
		v.Reason = fmt.Sprintf("the candidate is significantly worse on %d of %d items, which is all that -short asks", len(c.items), c.short)
		return v
	}
	return verdict.Fail(claim, fmt.Errorf("%w: -short asks %d of %d items, which show no significant regression beyond the claim", verdict.ErrNotJudged, len(c.items), c.short))
}
