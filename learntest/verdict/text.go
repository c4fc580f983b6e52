package verdict

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"github.com/learnbench/learnbench/learntest/unit"
)

// Statement returns the claim in one line, as in "nn improves on naivebayes
// on vehicle in accuracy".
func (v Verdict) Statement() string {
	if v.Candidate == "" {
		return fmt.Sprintf("candidate %s baseline", v.Claim.Kind)
	}
	does := v.Claim.Kind.String()
	if v.Budget != nil {
		does = "keeps within its budget of"
	}
	s := fmt.Sprintf("%s %s %s on %s", v.Candidate, does, v.Baseline, v.Data)
	if m := cmp.Or(v.Unit.Name, v.Claim.Metric); m != "" {
		s += " in " + m
	}
	if v.Claim.Probability > 0 {
		s += fmt.Sprintf(" with a posterior probability above %v", v.Claim.Probability)
	}
	return unit.Printable(s)
}

// Summary returns the verdict in one line, as in "nn vs naivebayes on vehicle:
// improved, accuracy +24.42 points, 95% interval +20.27 to +28.58 points, p = 2.6e-20".
func (v Verdict) Summary() string {
	s := v.headline()
	if v.Outcome == Invalid {
		return s
	}
	return fmt.Sprintf("%s, %s %s", s, unit.Printable(v.Unit.Name), unit.Printable(v.difference()))
}

func (v *Verdict) headline() string {
	s := v.Outcome.String()
	if v.Candidate != "" {
		s = unit.Printable(fmt.Sprintf("%s vs %s on %s: %s", v.Candidate, v.Baseline, v.Data, s))
	}
	// That a plain comparison shows no difference is no failure to explain.
	if v.Reason != "" && v.Reason != noDifference {
		s += ": " + reason(v.Reason)
	}
	return s
}

// String returns the verdict as a block of lines: the claim and its outcome;
// each fact with the p and the interval that belong to it; the test; what a rerun
// would say; what could have been shown; the data and protocol with the seed; the
// command that reproduces it; what would help.
func (v Verdict) String() string {
	var b strings.Builder
	fmt.Fprintln(&b, v.headline())
	for _, l := range v.lines() {
		fmt.Fprintf(&b, "  %-13s  %s\n", l.key, l.text)
	}
	return b.String()
}

type line struct{ key, text string }

func (v *Verdict) lines() []line {
	var ls []line
	add := func(key, format string, args ...any) {
		ls = append(ls, line{unit.Printable(key), unit.Printable(fmt.Sprintf(format, args...))})
	}
	if v.Outcome != Invalid {
		add(v.Unit.Name, "%s %s, %s %s", v.Candidate, v.Unit.FormatScore(v.CandidateMean),
			v.Baseline, v.Unit.FormatScore(v.BaselineMean))
		add("difference", "%s", v.difference())
		if key, text := v.against(); key != "" {
			add(key, "%s", text)
		}
		if v.Budget != nil {
			add("budget", "%s", v.Budget.text(v))
		}
		add("test", "%s", v.testLine())
		if v.Second != nil {
			add("second", "%s", v.Second)
		}
		if v.Rerun != nil {
			of := ""
			if v.Second != nil && v.Second.Asked {
				of = ", by the first test"
			}
			add("rerun", "%s%s", v.Rerun, of)
		}
		if v.Detectable > 0 { // not where folds do not differ, which a warning says
			add("detectable", "%s", v.detectable())
		}
	}
	if h := v.CandidateHeader; h != nil {
		add("protocol", "%s", h.Protocol)
		what := v.Data
		if t, ok := h.TargetOf(); ok {
			what = fmt.Sprintf("%s, %d examples, %v", what, t.Examples, t)
		}
		add("data", "%s, sha256 %.12s", what, h.DataDigest)
		if h.Reproduce != "" {
			add("reproduce", "%s", h.Reproduce)
		}
	}
	for _, h := range v.Help {
		add("help", "%s", h)
	}
	for _, w := range v.Warnings {
		add("warning", "%v", w)
	}
	return ls
}

// difference says whether there is one.
func (v *Verdict) difference() string {
	if v.Posterior != nil {
		f := &v.Difference
		return fmt.Sprintf("%s, %.4g%% credible interval %s", v.Unit.FormatDifference(v.Estimate), 100*f.Level, v.Unit.FormatInterval(f.Lo, f.Hi))
	}
	return v.Unit.FormatDifference(v.Estimate) + v.evidence(&v.Difference, v.Difference.P)
}

// evidence returns interval and p of a finding. The p is given, since it may be that
// of two findings.
func (v *Verdict) evidence(f *Finding, p float64) string {
	s := ""
	if !math.IsNaN(f.Lo) {
		s = fmt.Sprintf(", %.4g%% interval %s", 100*f.Level, v.Unit.FormatInterval(f.Lo, f.Hi))
	}
	s += ", p = " + unit.FormatP(p)
	if v.Adjustment != "" && p == v.Decision.P {
		s += fmt.Sprintf(", %s of %d p = %s", v.Adjustment, v.Family, unit.FormatP(v.AdjustedP))
	}
	return s
}

// proof is evidence of what is claimed, with what p it takes: it is the smaller the surer, where that of a
// difference may be of a loss.
func (v *Verdict) proof(f *Finding, p float64) string {
	return v.evidence(f, p) + fmt.Sprintf(" (it takes %.4g or less)", v.Claim.Alpha)
}

// against says where the difference lies in relation to the margin or the gain, if
// there is one.
func (v *Verdict) against() (key, text string) {
	c := &v.Claim
	switch {
	case v.Posterior != nil:
		return "posterior", v.posterior()
	case c.Kind == NoRegression:
		return "margin", fmt.Sprintf("less than %s worse: %s%s", v.Unit.FormatMargin(c.Margin), shownOrNot(v.Above.Shown), v.proof(&v.Above, v.Above.P))
	case c.Margin > 0:
		return "margin", fmt.Sprintf("less than %s apart: %s%s", v.Unit.FormatMargin(c.Margin), shownOrNot(v.Within()), v.proof(&v.Above, max(v.Above.P, v.Below.P)))
	case c.Gain > 0:
		return "gain", fmt.Sprintf("more than %s better%s: %s%s", v.Unit.FormatMargin(c.Gain), v.tails(), shownOrNot(v.Decision.Shown), v.proof(&v.Decision, v.Decision.P))
	case c.OneSided:
		return "one-sided", fmt.Sprintf("better: %s%s", shownOrNot(v.Decision.Shown), v.proof(&v.Decision, v.Decision.P))
	}
	return "", ""
}

func shownOrNot(ok bool) string {
	if ok {
		return "shown"
	}
	return "not shown"
}

func (v *Verdict) tails() string {
	if v.Claim.OneSided {
		return ", one-sided"
	}
	return ""
}

// detectable says what the test could have shown.
func (v *Verdict) detectable() string {
	power := 100 * v.Claim.Power
	switch v.Claim.Kind {
	case NoRegression, Equivalent:
		return fmt.Sprintf("a %s of %s with %.4g%% power, if there is no difference", v.room(), v.Unit.FormatMargin(v.Detectable), power)
	}
	return fmt.Sprintf("%s%s with %.4g%% power", v.Unit.FormatMargin(v.Detectable), v.beyond(), power)
}

// room is what the claim calls the difference that does not matter.
func (v *Verdict) room() string {
	if v.Posterior != nil {
		return "rope"
	}
	return "margin"
}

// beyond says from where a detectable difference counts, if not from zero.
func (v *Verdict) beyond() string {
	switch {
	case v.Claim.gain() == 0:
		return ""
	case v.Posterior != nil:
		return " beyond the rope"
	}
	return " beyond the gain"
}

func (v *Verdict) testLine() string {
	r := v.Difference.Result
	if v.Posterior != nil {
		return fmt.Sprintf("bayesian-correlated-t, n = %d×%d, df = %.4g", v.Runs, v.Folds, v.Posterior.DF)
	}
	s := fmt.Sprintf("%s, n = %d×%d", r.Test, v.Runs, v.Folds)
	statistic := "t"
	switch {
	case !math.IsNaN(r.DF2):
		s += fmt.Sprintf(", F = %.4g, df = %.4g and %.4g", r.Statistic, r.DF, r.DF2)
		statistic = ""
	case math.IsNaN(r.DF):
		s += fmt.Sprintf(", statistic = %.4g", r.Statistic)
		statistic = ""
	case math.IsInf(r.DF, 1):
		statistic = "z"
	}
	if statistic != "" {
		s += fmt.Sprintf(", %s = %.4g", statistic, r.Statistic)
		if statistic == "t" {
			s += fmt.Sprintf(", df = %.4g", r.DF)
		}
	}
	return s
}

// String returns what a rerun would find, and where that comes from.
func (r *Rerun) String() string {
	if r.Counted() {
		return fmt.Sprintf("%d of %d repetitions come to this conclusion: replicability %.3f", r.Agreeing, r.Repeats, r.R)
	}
	value, lo, note := fmt.Sprintf("%.3f", r.R), fmt.Sprintf("%.3f", r.Lo), ""
	if value < lo {
		note = " (a mean, which near 1 is below its interval)"
	}
	return fmt.Sprintf("%s with probability %.3f; replicability %s%s, 90%% interval %s to %.3f, predicted from %s", cmp.Or(r.Finds, "agrees"), r.P, value, note, lo, r.Hi, unit.FormatRuns(r.Runs))
}

// reason returns why there is no verdict in one line. Errors that were joined are
// separated by newlines.
func reason(s string) string { return unit.Printable(strings.ReplaceAll(s, "\n", "; ")) }
