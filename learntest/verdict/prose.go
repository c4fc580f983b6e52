package verdict

import (
	"fmt"
	"math"
	"strings"

	"github.com/learnbench/learnbench/learntest/unit"
)

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
		return fmt.Sprintf(", %.4g%% credible interval %s", 100*f.Level,
			w.unit.FormatInterval(f.Lo, f.Hi))
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

// proof is evidence of the claim, with the p that it takes: the smaller the p, the surer the claim,
// where the p of a difference may speak of a loss.
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
		return "margin", fmt.Sprintf("less than %s worse: %s", margin,
			w.proof(w.Above.Shown, &w.Above, w.Above.P))
	case w.Margin > 0:
		return "margin", fmt.Sprintf("less than %s apart: %s", margin, w.proof(w.Within(), &w.Above,
			max(w.Above.P, w.Below.P)))
	case w.Gain > 0:
		tails := ""
		if w.OneSided {
			tails = ", one-sided"
		}
		return "gain", fmt.Sprintf("more than %s better%s: %s", w.unit.FormatMargin(w.Gain), tails,
			w.proof(w.Decision.Shown, &w.Decision, w.Decision.P))
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
	return fmt.Sprintf("%s; P(%s) above %v: %s", strings.Join(parts, ", "), region, w.Probability,
		shownOrNot(w.Decision.Shown))
}

// detectable says what the test could have shown.
func (w prose) detectable(x float64) string {
	size := w.unit.FormatMargin(x)
	if w.Kind == NoRegression || w.Kind == Equivalent {
		return fmt.Sprintf("a %s of %s with %.4g%% power, if there is no difference", w.room(),
			size, 100*w.Power)
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
