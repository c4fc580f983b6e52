package learntest

import (
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/learnbench/learnbench/learntest/verdict"
)

// report tells the test about failed trials and, as attributes, the verdict.
// The first comparison of a group reports the failed trials of the baseline.
func (c *Comparison) report(t TB, first bool) {
	t.Helper()
	failed := c.reportFailures(t, first)
	if errors.Is(c.err, verdict.ErrNotJudged) {
		candidate, baseline := c.titles()
		t.Logf("%s vs %s on %s: %v", candidate, baseline, c.group.set().Data.Name, c.err)
		return
	}
	if c.group.gamma > 0 && c.err == nil && !failed {
		c.group.reportSettled(t, c)
		return
	}
	v := c.judge(verdict.Claim{})
	if !failed {
		t.Logf("%s", v.Summary())
	}
	if !errors.Is(v.Err, verdict.ErrNotJudged) {
		addAttributes(t, c, &v)
	}
}

// addAttributes adds the verdict on a comparison to the attributes of the test.
func addAttributes(t TB, c *Comparison, v *verdict.Verdict) {
	candidate, baseline := c.titles()
	a, ok := t.(interface{ Attr(key, value string) })
	if !ok {
		return
	}
	n := c.group.there.Instance.Next()
	attr := func(key, value string) {
		// The testing package refuses values of several lines.
		a.Attr(fmt.Sprintf("learntest.%d.%s", n, key), strings.NewReplacer("\n", " ", "\r",
			" ").Replace(value))
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

// places are the parts of errors that differ from trial to trial though the cause is one.
var places = regexp.MustCompile(`\b(example|line|row) \d+`)

func causeOf(err string) string { return places.ReplaceAllString(err, "$1") }

// reportFailures tells the test about failed trials, and returns whether there are any.
func (c *Comparison) reportFailures(t TB, first bool) bool {
	t.Helper()
	const most = 5
	failed, reported, alike := false, 0, 0
	causes := make(map[string]int) // trials
	for _, f := range c.Records().Failures() {
		if f.Learner == c.candidate || f.Learner == c.baseline && first {
			causes[causeOf(f.Err)]++
		}
	}
	for _, f := range c.Records().Failures() {
		if f.Learner != c.candidate && f.Learner != c.baseline {
			continue
		}
		failed = true
		if f.Learner == c.baseline && !first {
			continue
		}
		cause := causeOf(f.Err)
		n, again := causes[cause]
		if !again || reported == most {
			continue
		}
		reported++
		delete(causes, cause)
		alike += n - 1
		t.Errorf("%s: trial failed: %v: %s", c.by, f.Cell(), f.Err)
	}
	others := 0
	for _, n := range causes {
		others += n
	}
	switch {
	case others > 0:
		t.Errorf("%s: and %s failed", c.by, moreTrials(alike+others))
	case alike > 0:
		t.Errorf("%s: and %s failed with the same cause", c.by, moreTrials(alike))
	}
	return failed
}

// logDrawing logs the command that draws the results among the artifacts. Only the first
// comparison that shares them logs it. A stored baseline is at the path; without one, it is empty.
func (c *Comparison) logDrawing(t TB, path string) {
	t.Helper()
	if c.group == nil || c.err != nil || c.group.there.Artifacts == "" || path != "" &&
		c.group.short > 0 {
		return // nothing was stored, or with -short less than the baseline has
	}
	dir := c.group.there.Artifacts
	words := "learnstat -plot " + shellWord(filepath.Join(dir, "pictures")) + " -html " +
		shellWord(filepath.Join(dir, "report.html"))
	if path == "" {
		words += " -baseline " + shellWord(c.baseline)
	} else if absolute, err := filepath.Abs(path); err == nil {
		words += " " + shellWord(absolute)
	}
	t.Logf("pictures: %s %s", words, shellWord(c.group.there.Artifact()))
}

// missClaim makes a test fail that has compared learners and asks nothing of the comparison.
func (c *Comparison) missClaim(t TB, function, what, claim string) {
	t.Helper()
	if c.asked.Load() || c.group.cfg.NoClaim {
		return
	}
	if s, ok := t.(interface{ Skipped() bool }); ok && s.Skipped() {
		return
	}
	if f, ok := t.(interface{ Failed() bool }); ok && f.Failed() {
		return // perhaps before it came to its claim
	}
	t.Errorf("%s: nothing was claimed of %s when the test ended: it passes whatever the scores are: claim something, as in %s, look at c.Judge(verdict.Claim{}), or set Config.NoClaim if that is meant",
		function, what, claim)
}

func moreTrials(n int) string {
	if n == 1 {
		return "1 more trial"
	}
	return fmt.Sprintf("%d more trials", n)
}

// reportSettled tells the test, when it ends, how many runs the claims about a comparison have
// taken.
func (g *group) reportSettled(t TB, c *Comparison) {
	t.Helper()
	folds := g.set().Plan.Folds()
	t.Logf("settle %v: %d of %d trainings a learner before any claim; each claim trains as many more as it takes", g.gamma, g.firstRuns()*folds, g.cfg.Protocol.Runs()*folds)
	t.Cleanup(func() {
		t.Helper()
		candidate, baseline := c.selections()
		title := fmt.Sprintf("%s vs %s on %s", candidate.Title, baseline.Title, candidate.Data)
		switch all := g.cfg.Protocol.Runs(); {
		case candidate.First == 0:
			t.Logf("%s: all %d runs were trained to settle the claims", title, all)
		case c.asked.Load():
			t.Logf("%s: settled after %d of %d runs", title, candidate.First, all)
		}
		v := verdict.Of(candidate, baseline, verdict.Claim{Settle: g.gamma})
		if v.NeedRuns == 0 { // else nobody has asked whether there is any difference
			addAttributes(t, c, &v)
		}
	})
}
