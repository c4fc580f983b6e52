package verdict

import (
	"cmp"
	"fmt"
	"strings"

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

// Summary returns the difference in one line, whatever the claim, as in "nn is 24.42 points better
// than naivebayes on vehicle in accuracy, 95% interval +20.27 to +28.58 points, p = 2.6e-20".
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
		fmt.Fprintf(&b, "  %-13s  %s\n", unit.Printable(key),
			unit.Printable(fmt.Sprintf(format, args...)))
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
			if ChosenAfterwards(&v) {
				of += ", chosen after the predictions were there: to be tried on other data"
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
