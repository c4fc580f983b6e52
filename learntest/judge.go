package learntest

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/learnbench/learnbench/internal/ledger"
	"github.com/learnbench/learnbench/internal/revision"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/unit"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// Judge judges a claim about the candidate and the baseline. It trains further runs, or a second
// opinion, if the claim takes them. Earlier claims make no difference.
func (c *Comparison) Judge(claim verdict.Claim) verdict.Verdict {
	unbeaten := claim.Kind == verdict.Unbeaten
	if !unbeaten && claim.Kind != verdict.RatioAtMost { // a claim that holds of any loss is no gate
		c.asked.Store(true)
	}
	v := c.judge(claim)
	if unbeaten {
		c.helpBaseline(&v)
	}
	c.sayLost(&v)
	return v
}

// sayLost adds to a verdict on a claim that does not hold a warning that the baseline's commit is
// lost: whoever looks for the change cannot check it out. Other verdicts do without: the check
// takes git, at which go test's cache does not look.
func (c *Comparison) sayLost(v *verdict.Verdict) {
	if c.stored == nil || v.Holds || v.Level != nil || v.Outcome == verdict.Invalid {
		return
	}
	commit := c.stored.Header.Commit
	if lost := revision.Lost(".", commit); lost != "" {
		v.Warnings = append(v.Warnings,
			fmt.Errorf("the commit of the baseline, %s, %s, as after a squash or a rebase: its scores count, but nobody can build its learner from there", commit, lost))
	}
}

// helpBaseline adds to a verdict that a stored baseline is beaten how it is stored anew.
func (c *Comparison) helpBaseline(v *verdict.Verdict) {
	if v.Outcome != verdict.Improved {
		return
	}
	how := c.group.howToUpdate()
	if pinned, _ := ledger.Has(c.path); pinned {
		how = c.group.howToPin(c.path, false)
	}
	v.Help = append(v.Help, "the baseline is out of date: "+how)
}

func (c *Comparison) judge(claim verdict.Claim) verdict.Verdict {
	if c.err != nil {
		return about(c, verdict.Fail(claim, c.err))
	}
	claim, err := c.asConfigured(claim)
	if err != nil {
		return verdict.Fail(claim, err)
	}
	absolute := claim.Kind.Absolute()
	if c.alone && !absolute {
		return verdict.Fail(claim, errAlone)
	}
	g := c.group
	g.mu.Lock()
	defer g.mu.Unlock()
	ratio := claim.Kind == verdict.RatioAtMost
	if ratio && c.env.noRatio && (claim.Metric == "" || record.IsTime(claim.Metric)) {
		return about(c, verdict.Fail(claim, fmt.Errorf("%w: %s=off skips claims about times",
			verdict.ErrNotJudged, envRatio)))
	}
	if g.short > 0 && (absolute || ratio) {
		return notShort(c, claim)
	}
	if g.short > 0 {
		return c.judgeShort(claim)
	}
	consulted := false
	for runs := 0; ; {
		candidate, baseline := c.selections()
		if absolute {
			baseline = candidate
		}
		v := verdict.Of(candidate, baseline, claim)
		if !absolute && !ratio && c.asStored(&v, &candidate) {
			v = verdict.Of(candidate, baseline, claim)
		}
		if v.NeedSecond && !consulted {
			consulted = true
			if err := g.consult(g.ctx, g.set(), claim.Halvings, c.candidate, c.baseline); err != nil {
				return verdict.Fail(claim, err)
			}
			continue
		}
		if v.NeedRuns <= runs {
			g.stop(c, &v)
			c.helpBudget(&v)
			return v
		}
		runs = v.NeedRuns
		if there := c.storedRuns(); there > 0 && runs > there {
			return verdict.Fail(claim, fmt.Errorf("the claim takes %d runs, and %d are stored: %s", runs,
				there, c.more(runs)))
		}
		if err := g.run(g.ctx, runs, c.candidate, c.baseline); err != nil {
			return verdict.Fail(claim, err)
		}
	}
}

// asStored adds the digest of the program to the head of the candidate's results if a claim does
// not hold, and reports whether it has. If the stored results have the same digest, equal scores
// are a proof, and others a doubt. The digest takes opening the files of the test's directory: a
// result that go test caches depends on them from then on.
func (c *Comparison) asStored(v *verdict.Verdict, candidate *record.Selection) bool {
	if c.stored == nil || c.stored.Header.Binary == "" || v.Holds || v.Unchanged {
		return false
	}
	if _, baseline := c.selections(); v.NeedRuns > 0 && candidate.First > 0 &&
		!alike(*candidate, baseline, cmp.Or(v.Claim.Metric, c.group.cfg.Metrics[0].Name)) {
		return false // more runs are trained anyway
	}
	program, err := c.group.there.Program()
	if err != nil {
		return false // nothing shows that it is one program
	}
	blocks := slices.Clone(candidate.File.Blocks())
	for i, b := range blocks {
		blocks[i] = b.Clone()
		blocks[i].Header.Binary = program
	}
	candidate.File = record.NewFile(blocks...)
	return true
}

// alike reports whether candidate and baseline have equal scores in a metric.
func alike(candidate, baseline record.Selection, metric string) bool {
	p, err := record.Pair(candidate, baseline, metric)
	return err == nil && slices.Equal(p.A, p.B)
}

// Verdicts returns the verdict of Judge, as package assert wants it, or one for each of the slices
// that the claim is about.
func (c *Comparison) Verdicts(claim verdict.Claim) []verdict.Verdict {
	if claim.Slices == nil || c.err != nil {
		return []verdict.Verdict{c.Judge(claim)}
	}
	c.asked.Store(true)
	slices, err := claim.Slices.Match(c.group.set().Block().Header.SliceList())
	if err != nil {
		return []verdict.Verdict{about(c, verdict.Fail(claim, err))}
	}
	metric := cmp.Or(claim.Metric, c.group.cfg.Metrics[0].Name)
	vs := make([]verdict.Verdict, len(slices))
	for i, s := range slices {
		claim.Metric = unit.OfSlice(metric, s.Name)
		vs[i] = c.Judge(claim)
	}
	return vs
}

// judgeShort judges a claim by the first run alone. That run can show a regression beyond the
// claim, or a beaten baseline in a file, and nothing else.
func (c *Comparison) judgeShort(claim verdict.Claim) verdict.Verdict {
	candidate, baseline := c.selections()
	v := verdict.Of(candidate, baseline, verdict.Claim{
		Metric: claim.Metric,
		Alpha:  claim.Alpha,
	})
	v.Claim.Kind, v.Holds = claim.Kind, false
	if v.Outcome == verdict.Invalid {
		return v
	}
	allowed, err := allowance(claim, &v)
	if err != nil {
		return verdict.Fail(claim, err)
	}
	beaten, loss := claim.Kind == verdict.Unbeaten, -float64(v.Unit.Better)*v.Estimate
	switch {
	case beaten && v.Outcome == verdict.Improved:
		v.Reason = fmt.Sprintf("the candidate is significantly better in the first of %d runs, which is all that -short runs", c.group.short)
		return v
	case !beaten && v.Outcome == verdict.Regressed && loss > allowed:
		v.Reason = fmt.Sprintf("the candidate is significantly worse in the first of %d runs, which is all that -short runs", c.group.short)
		return v
	}
	shows := "shows no significant regression"
	switch {
	case beaten:
		shows = "shows no significant gain"
	case v.Outcome == verdict.Regressed:
		shows = "shows no loss above " + v.Unit.FormatMargin(allowed)
	case v.Detectable > 0: // not where all folds are alike, nor of a test that cannot say
		shows += fmt.Sprintf(" (it would show one of %s in %.4g%% of cases)",
			v.Unit.FormatMargin(v.Detectable), 100*v.Claim.Power)
	}
	v.Err = fmt.Errorf("%w: -short runs the first of %d runs, which %s", verdict.ErrNotJudged,
		c.group.short, shows)
	v.Outcome, v.Reason = verdict.Invalid, v.Err.Error()
	return v
}

// allowance returns the loss that a claim allows, in the unit of a verdict's metric.
func allowance(claim verdict.Claim, v *verdict.Verdict) (float64, error) {
	if claim.Kind != verdict.NoRegression && claim.Kind != verdict.Equivalent {
		return 0, nil
	}
	claim, err := claim.WithDefaults(v.Unit)
	if err != nil {
		return 0, err
	}
	if len(claim.Margins.Metrics()) > 0 { // in percent of a mean
		return claim.Margins.Value(v.Unit, v.BaselineMean)
	}
	return max(claim.Margin, claim.Rope), nil
}
