package verdict

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/unit"
)

// Statement returns the claim in one line, as in "nn improves on naivebayes
// on vehicle in accuracy".
func (v Verdict) Statement() string {
	if v.Claim.Kind.Absolute() {
		return levelText{&v}.statementLevel()
	}
	if v.Claim.Kind == RatioAtMost {
		return ratioText{&v}.statementRatio()
	}
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

// Summary returns the difference in one line, whatever the claim, as in "nn is 24.42 points better than
// naivebayes on vehicle in accuracy, 95% interval +20.27 to +28.58 points, p = 2.6e-20".
func (v Verdict) Summary() string {
	if v.Outcome == Invalid || v.Level != nil || isRatio(&v) {
		return sentence{&v}.headline()
	}
	s := sentence{&v}.difference() + unit.Printable(v.prose().uncertainty())
	if v.isEarly() {
		s += fmt.Sprintf("; settled after %d of %d runs", v.Settled.After, v.Settled.Runs)
	}
	return s
}

// String returns the verdict as a block of lines: the claim and its outcome;
// each fact with the p and the interval that belong to it; the test; what a rerun
// would say; what could have been shown; the data and protocol with the seed; the
// command that reproduces it; what would help.
func (v Verdict) String() string {
	var b strings.Builder
	fmt.Fprintln(&b, sentence{&v}.headline())
	add := func(key, format string, args ...any) {
		fmt.Fprintf(&b, "  %-13s  %s\n", unit.Printable(key), unit.Printable(fmt.Sprintf(format, args...)))
	}
	if v.Level != nil && v.Outcome != Invalid {
		levelText{&v}.linesLevel(add)
	} else if isRatio(&v) && v.Outcome != Invalid {
		ratioText{&v}.linesRatio(add)
	} else if v.Outcome != Invalid {
		add(v.Unit.Name, "%s %s, %s %s", v.Candidate, v.Unit.FormatScore(v.CandidateMean),
			v.Baseline, v.Unit.FormatScore(v.BaselineMean))
		p := v.prose()
		add("difference", "%s%s", v.Unit.FormatDifference(v.Estimate), p.uncertainty())
		if key, text := p.against(); key != "" {
			add(key, "%s", text)
		}
		if v.Examples != nil {
			add("examples", "%s", v.Examples.text(v.Unit, v.Above.Level))
		}
		if v.Budget != nil {
			add("budget", "%s", v.Budget.text(v.Unit))
		}
		if v.Items != nil {
			v.Items.lines(add, p.Findings.Difference.Result, [2]string{v.Candidate, v.Baseline})
		} else {
			add("test", "%s", p.test(v.Runs, v.Folds))
		}
		if v.Slice != nil {
			of := "examples"
			if v.Items != nil {
				of = "items"
			}
			add("slice", "%s, %d %s", v.Slice.Name, v.Slice.Members, of)
		}
		if v.Settled != nil {
			add("settled", "%s", v.Settled)
		}
		if v.Second != nil {
			add("second", "%s", v.Second)
		}
		if v.Rerun != nil {
			add("rerun", "%s", v.Rerun)
		}
		if v.Detectable > 0 { // not where folds do not differ, which a warning says
			of := ""
			if v.Second != nil && !v.Second.Asked {
				of = ", by the first test alone"
			}
			add("detectable", "%s%s", p.detectable(v.Detectable), of)
		}
	}
	if h := v.CandidateHeader; h != nil {
		add("protocol", "%s", h.Protocol)
		what := v.Data
		if t, ok := h.TargetOf(); ok {
			what = fmt.Sprintf("%s, %d examples, %v", what, t.Examples, t)
		}
		if share := v.copies(); share > 0 {
			what += ", " + copiesInWords(share)
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
	return b.String()
}

// A prose puts the findings into words.
type prose struct {
	question
	*Findings
	adjusted string // the adjusted p of the decision, in words; empty without one
}

func (v *Verdict) prose() prose {
	p := prose{v.question(), &v.Findings, ""}
	if v.Adjustment != "" {
		p.adjusted = fmt.Sprintf(", %s of %d p = %s", v.Adjustment, v.Family, unit.FormatP(v.AdjustedP))
	}
	return p
}

// uncertainty returns the interval of the difference and its p.
func (w prose) uncertainty() string {
	f := &w.Findings.Difference
	if w.Posterior != nil {
		return fmt.Sprintf(", %.4g%% credible interval %s", 100*f.Level, w.unit.FormatInterval(f.Lo, f.Hi))
	}
	return w.evidence(f, f.P)
}

// evidence returns interval and p of a finding. The p is given, since it may be the larger one
// of two findings.
func (w prose) evidence(f *Finding, p float64) string {
	s := ""
	if !math.IsNaN(f.Lo) {
		s = fmt.Sprintf(", %.4g%% interval %s", 100*f.Level, w.unit.FormatInterval(f.Lo, f.Hi))
	}
	s += ", p = " + unit.FormatP(p)
	if p == w.Decision.P {
		s += w.adjusted
	}
	return s
}

// proof is evidence of the claim, with the p that it takes: the smaller the p, the surer the claim, where the p of a
// difference may speak of a loss.
func (w prose) proof(shown bool, f *Finding, p float64) string {
	return shownOrNot(shown) + w.evidence(f, p) + fmt.Sprintf(" (it takes %.4g or less)", w.Alpha)
}

// against says where the difference lies in relation to the margin or the gain, if
// there is one.
func (w prose) against() (key, text string) {
	margin := w.unit.FormatMargin(w.Margin)
	switch {
	case w.Posterior != nil:
		return "posterior", w.regions()
	case w.settled():
		return "margin", fmt.Sprintf("nothing was changed, which is less than %s", margin)
	case w.Kind == NoRegression:
		return "margin", fmt.Sprintf("less than %s worse: %s", margin, w.proof(w.Above.Shown, &w.Above, w.Above.P))
	case w.Margin > 0:
		return "margin", fmt.Sprintf("less than %s apart: %s", margin, w.proof(w.Within(), &w.Above, max(w.Above.P, w.Below.P)))
	case w.Gain > 0:
		tails := ""
		if w.OneSided {
			tails = ", one-sided"
		}
		return "gain", fmt.Sprintf("more than %s better%s: %s", w.unit.FormatMargin(w.Gain), tails, w.proof(w.Decision.Shown, &w.Decision, w.Decision.P))
	case w.OneSided:
		return "one-sided", "better: " + w.proof(w.Decision.Shown, &w.Decision, w.Decision.P)
	}
	return "", ""
}

// regions shows the regions of the posterior distribution and the claimed region.
func (w prose) regions() string {
	p := w.Posterior
	parts := []string{"P(better) " + formatProbability(p.Better)}
	if p.Rope > 0 {
		parts = append(parts, "P(within "+w.unit.FormatMargin(p.Rope)+") "+formatProbability(p.Equivalent))
	}
	parts = append(parts, "P(worse) "+formatProbability(p.Worse))
	region, _ := w.claimed(p)
	return fmt.Sprintf("%s; P(%s) above %v: %s", strings.Join(parts, ", "), region, w.Probability, shownOrNot(w.Decision.Shown))
}

func shownOrNot(ok bool) string {
	if ok {
		return "shown"
	}
	return "not shown"
}

// detectable says what the test could have shown.
func (w prose) detectable(x float64) string {
	size := w.unit.FormatMargin(x)
	if w.Kind == NoRegression || w.Kind == Equivalent {
		return fmt.Sprintf("a %s of %s with %.4g%% power, if there is no difference", w.room(), size, 100*w.Power)
	}
	return fmt.Sprintf("a difference of %s%s with %.4g%% power", size, w.beyond(), 100*w.Power)
}

// test says which test it was, on how many folds, and its statistic.
func (w prose) test(runs, folds int) string {
	if w.Posterior != nil {
		return fmt.Sprintf("bayesian-correlated-t, n = %d×%d, df = %.4g", runs, folds, w.Posterior.DF)
	}
	r := w.Findings.Difference.Result
	return fmt.Sprintf("%s, n = %d×%d, %s", r.Test, runs, folds, statistic(r))
}

func statistic(r stat.Result) string {
	switch {
	case !math.IsNaN(r.DF2):
		return fmt.Sprintf("F = %.4g, df = %.4g and %.4g", r.Statistic, r.DF, r.DF2)
	case math.IsNaN(r.DF):
		return fmt.Sprintf("statistic = %.4g", r.Statistic)
	case math.IsInf(r.DF, 1):
		return fmt.Sprintf("z = %.4g", r.Statistic)
	}
	return fmt.Sprintf("t = %.4g, df = %.4g", r.Statistic, r.DF)
}
