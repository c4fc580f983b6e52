package items

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/learnbench/learnbench/internal/catalogue"
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/stat/itemwise"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// A Comparison is about a candidate and a baseline on the items of a suite. The claims of package
// assert are made about it.
type Comparison struct {
	t    TB
	by   string // the function that a test has called
	cfg  Config
	env  environment
	path string // of the file with the baseline; empty if there is none

	suite               string
	items               []record.Item  // that are asked
	slices              []record.Slice // of the suite
	candidate, baseline string
	titles              [2]string     // what texts call them, if not by their names
	stored              *record.Block // the baseline's answers; nil if it is asked, too
	short               int           // number of all items, of which -short or LEARNTEST_ITEMS has left some; else 0
	calls               []call
	keeper              *keeper // of the answers

	mu    sync.Mutex
	now   *record.Block // answers of the systems that are asked
	done  bool          // they were asked
	asked bool          // a claim was made
	err   error         // why there is nothing to judge
}

// Verdicts judges a claim about candidate and baseline, as package assert wants it, on the suite or
// on each of the slices that it is about. The first claim that makes sense asks the systems.
func (c *Comparison) Verdicts(claim verdict.Claim) []verdict.Verdict {
	c.t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	if claim.Slices == nil || c.err != nil || c.env.items != "" {
		return []verdict.Verdict{c.verdict(claim)}
	}
	of, err := c.checkSlices(claim)
	if err != nil {
		v := verdict.Fail(claim, err)
		v.Data, v.Candidate, v.Baseline = c.suite, c.candidate, c.baseline
		return []verdict.Verdict{v}
	}
	var vs []verdict.Verdict
	for _, metric := range of {
		claim.Metric = metric
		v := c.verdict(claim)
		if v.Err != nil && !errors.Is(v.Err, verdict.ErrTooSmall) {
			_, slice := unit.CutSlice(metric)
			v.Err = fmt.Errorf("slice %s: %w", slice, v.Err)
			v.Reason = v.Err.Error()
		}
		vs = append(vs, v)
	}
	return vs
}

// checkSlices returns the metric of each slice that a claim is about, or an error if no answers
// could decide the claim about one of them, or about any.
func (c *Comparison) checkSlices(claim verdict.Claim) (metrics []string, err error) {
	of, err := claim.Slices.Match(c.slices)
	if err != nil {
		return nil, err
	}
	metric, small := cmp.Or(claim.Metric, c.cfg.Metrics[0].Name), 0
	var last error
	for _, s := range of {
		claim.Metric = unit.OfSlice(metric, s.Name)
		metrics = append(metrics, claim.Metric)
		if _, err := c.check(claim); errors.Is(err, verdict.ErrTooSmall) {
			small, last = small+1, err
		} else if err != nil {
			return nil, fmt.Errorf("slice %s: %w", s.Name, err)
		}
	}
	if c.short == 0 && (small == len(of) || small > 0 && claim.Slices.All) {
		return nil, fmt.Errorf("%w: %d of %d slices cannot be judged: %v", verdict.ErrClaim, small,
			len(of), last)
	}
	return metrics, nil
}

func (c *Comparison) verdict(claim verdict.Claim) verdict.Verdict {
	c.t.Helper()
	v := c.judge(claim)
	if claim.Kind != verdict.Unbeaten || v.Outcome == verdict.Invalid { // which holds of any loss
		c.asked = true
	}
	if v.Outcome == verdict.Invalid {
		v.Data, v.Candidate, v.Baseline = c.suite, c.candidate, c.baseline
	}
	return v
}

func (c *Comparison) judge(claim verdict.Claim) verdict.Verdict {
	c.t.Helper()
	if c.err != nil {
		return verdict.Fail(claim, c.err)
	}
	if claim.Alpha == 0 && claim.Probability == 0 && claim.Kind != verdict.Unbeaten {
		claim.Alpha = c.env.alpha
	}
	if claim.Kind == verdict.RatioAtMost && claim.Metric == "" {
		claim.Metric = c.cfg.Metrics[0].Name
	}
	if c.env.items != "" {
		return showSome(c, claim)
	}
	note, err := c.check(claim)
	if n := tooShort(c, claim); err != nil && n > 0 {
		return verdict.Fail(claim, fmt.Errorf("%w: -short asks %d of %d items, in %d clusters, too few for a test", verdict.ErrNotJudged, len(c.items), c.short, n))
	}
	if err != nil && !errors.Is(err, verdict.ErrTooSmall) { // such a slice is shown
		return verdict.Fail(claim, err)
	}
	if note != "" {
		c.t.Logf("note: %s", note)
	}
	if c.short > 0 && claim.Kind == verdict.RatioAtMost {
		return verdict.Fail(claim, fmt.Errorf("%w: -short asks %d of %d items, which decide no claim about costs", verdict.ErrNotJudged, len(c.items), c.short))
	}
	c.ask()
	if c.err != nil {
		return verdict.Fail(claim, c.err)
	}
	if c.short > 0 {
		return c.judgeShort(claim)
	}
	return verdict.Of(c.selection(0), c.selection(1), claim)
}

// tooShort returns the number of clusters that -short has left, if these are too few for the
// claim's test; else 0.
func tooShort(c *Comparison, claim verdict.Claim) int {
	least := verdict.LeastClusters
	if claim.Test.Run != nil {
		least = itemwise.LeastFlipped
	}
	if n, of := record.ClusterNumbers(c.items); c.short > 0 && of != nil && n < least {
		return n
	}
	return 0
}

// check returns an error for a claim that no answers could decide, before any is asked for, and a
// note if only an improvement could show its margin.
func (c *Comparison) check(claim verdict.Claim) (note string, err error) {
	if claim.Kind == verdict.Unbeaten && c.stored == nil {
		return "", fmt.Errorf("%w: only a stored baseline can be out of date: compare with one by items.Against", verdict.ErrClaim)
	}
	u, items := c.cfg.Metrics[0], c.items
	metric, slice := unit.CutSlice(claim.Metric)
	if metric != "" {
		at := slices.IndexFunc(c.cfg.Metrics, func(u unit.Unit) bool { return u.Name == metric })
		if at < 0 {
			var names []string
			for _, u := range c.cfg.Metrics {
				names = append(names, u.Name)
			}
			return "", fmt.Errorf("%w: metric %s is not among Config.Metrics%s", verdict.ErrClaim, metric,
				catalogue.Suggest(metric, names))
		}
		u = c.cfg.Metrics[at]
	}
	if slice != "" {
		items = slices.DeleteFunc(slices.Clone(items),
			func(it record.Item) bool { return !slices.Contains(it.Slices, slice) })
		u.Name = claim.Metric
	}
	note, err = claim.ForItems(&c.now.Header, u, items)
	if err != nil || c.done || c.short > 0 {
		return "", err
	}
	if c.stored != nil {
		// Whether a margin can be missed, or shown, depends on the baseline's scores alone.
		if v := verdict.Of(c.selection(1), c.selection(1), claim); v.Outcome == verdict.Invalid {
			return "", v.Err
		}
	}
	return note, nil
}

// selection returns the answers of the candidate, 0, or the baseline, 1.
func (c *Comparison) selection(side int) record.Selection {
	s := record.Selection{
		File: record.NewFile(c.now), Data: c.suite, Learner: c.candidate,
		Title: c.titles[side],
	}
	if side == 1 {
		s.Learner = c.baseline
		if c.stored != nil {
			s.File = record.NewFile(c.stored)
		}
	} else if c.env.degrade > 0 {
		s.Title = fmt.Sprintf("%s degraded by %v", cmp.Or(s.Title, s.Learner), c.env.degrade)
	}
	return s
}

// leastShort is how many items -short leaves at least.
const leastShort = 20

// choose returns the numbers of the items that are asked: under -short a tenth, by the digests of
// their ids.
func (c *Comparison) choose() ([]int, error) {
	if c.env.items != "" {
		chosen, err := matching(c.env.items, c.suite, c.items)
		c.short, c.items = len(c.items), only(c.items, chosen)
		return chosen, err
	}
	var chosen []int
	for i := range c.items {
		chosen = append(chosen, i)
	}
	n := max(leastShort, (len(c.items)+9)/10)
	if !isShort() || c.env.out != "" || c.env.update != "" || len(c.items) <= n && c.cfg.Repeats == 1 {
		return chosen, nil
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
	c.items = only(c.items, chosen)
	return chosen, nil
}

// only returns the items of these numbers.
func only(items []record.Item, chosen []int) (some []record.Item) {
	for _, i := range chosen {
		some = append(some, items[i])
	}
	return some
}

// judgeShort judges a claim by some items alone. They can show a regression beyond the claim, and
// nothing else.
func (c *Comparison) judgeShort(claim verdict.Claim) verdict.Verdict {
	v := verdict.Of(c.selection(0), c.selection(1), verdict.Claim{
		Metric: claim.Metric,
		Alpha:  claim.Alpha, Test: claim.Test,
	})
	v.Claim.Kind, v.Holds = claim.Kind, false
	if _, slice := unit.CutSlice(claim.Metric); slice != "" &&
		(errors.Is(v.Err, verdict.ErrTooSmall) || !slices.ContainsFunc(c.items,
			func(it record.Item) bool { return slices.Contains(it.Slices, slice) })) {
		return verdict.Fail(claim, fmt.Errorf("%w: -short asks %d of %d items, too few of which are in slice %s", verdict.ErrNotJudged, len(c.items), c.short, slice))
	}
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
