package verdict

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"github.com/learnbench/learnbench/learntest/record"
)

// FormatScore returns a score as it is shown: 0.69862 of a fraction as
// "69.86%", others with four significant digits.
func FormatScore(u record.Unit, x float64) string {
	if IsFraction(u) {
		return fmt.Sprintf("%.2f%%", 100*x)
	}
	return fmt.Sprintf("%.4g", x)
}

// FormatDifference returns a difference of scores as it is shown: that of
// fractions in percentage points, as "+24.55 points".
func FormatDifference(u record.Unit, x float64) string {
	return formatNumber(u, x) + suffix(u)
}

// FormatInterval returns an interval of differences as it is shown.
func FormatInterval(u record.Unit, lo, hi float64) string {
	return formatNumber(u, lo) + " to " + formatNumber(u, hi) + suffix(u)
}

// FormatMargin returns a margin or another amount without a sign.
func FormatMargin(u record.Unit, x float64) string {
	return strings.TrimPrefix(FormatDifference(u, x), "+")
}

// FormatP returns a p-value as it is shown.
func FormatP(p float64) string {
	if p >= 0.001 {
		return fmt.Sprintf("%.3f", p)
	}
	return fmt.Sprintf("%.1e", p)
}

func formatNumber(u record.Unit, x float64) string {
	if IsFraction(u) {
		// Not -0.00 for what rounds to zero.
		return fmt.Sprintf("%+.2f", math.Round(1e4*x)/100+0)
	}
	return fmt.Sprintf("%+.4g", x+0)
}

func suffix(u record.Unit) string {
	if IsFraction(u) {
		return " points"
	}
	return ""
}

// Statement returns the claim in one line, as in "nn improves on naivebayes
// on vehicle in accuracy".
func (v Verdict) Statement() string {
	if v.Candidate == "" {
		return fmt.Sprintf("candidate %s baseline", v.Claim.Kind)
	}
	s := fmt.Sprintf("%s %s %s on %s", v.Candidate, v.Claim.Kind, v.Baseline, v.Data)
	if m := cmp.Or(v.Unit.Name, v.Claim.Metric); m != "" {
		s += " in " + m
	}
	return s
}

// Summary returns the verdict in one line, as in "nn vs naivebayes on vehicle:
// improved, accuracy +24.42 points, 95% interval +20.27 to +28.58 points, p = 2.6e-20".
func (v Verdict) Summary() string {
	s := v.headline()
	if v.Outcome == Invalid {
		return s
	}
	return fmt.Sprintf("%s, %s %s, p = %s", s, v.Unit.Name, v.difference(), FormatP(v.Result.P))
}

func (v *Verdict) headline() string {
	s := v.Outcome.String()
	if v.Candidate != "" {
		s = fmt.Sprintf("%s vs %s on %s: %s", v.Candidate, v.Baseline, v.Data, s)
	}
	if v.Reason != "" {
		s += ": " + v.Reason
	}
	return s
}

func (v *Verdict) difference() string {
	s := FormatDifference(v.Unit, v.Estimate)
	if !math.IsNaN(v.Lo) {
		s += fmt.Sprintf(", %.4g%% interval %s", 100*(1-v.Claim.Alpha), FormatInterval(v.Unit, v.Lo, v.Hi))
	}
	return s
}

// String returns the verdict as a block of lines: the claim and its outcome,
// the estimate with its interval, the test with p, replicability and sample size,
// the data and protocol with the seed, and the command that reproduces it.
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
		ls = append(ls, line{key, fmt.Sprintf(format, args...)})
	}
	if v.Outcome != Invalid {
		add(v.Unit.Name, "%s %s, %s %s", v.Candidate, FormatScore(v.Unit, v.CandidateMean),
			v.Baseline, FormatScore(v.Unit, v.BaselineMean))
		add("difference", "%s", v.difference())
		add("test", "%s", v.testLine())
		if v.Replicability != nil {
			add("replicability", "%s", v.Replicability)
		}
		if !math.IsNaN(v.Detectable) {
			add("detectable", "%s with %.4g%% power", FormatMargin(v.Unit, v.Detectable), 100*v.Claim.Power)
		}
	}
	if h := v.CandidateHeader; h != nil {
		add("protocol", "%s", h.Protocol)
		add("data", "%s, sha256 %.12s", v.Data, h.DataDigest)
		if h.Reproduce != "" {
			add("reproduce", "%s", h.Reproduce)
		}
	}
	for _, w := range v.Warnings {
		add("warning", "%v", w)
	}
	return ls
}

func (v *Verdict) testLine() string {
	r := v.Result
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
	s += ", p = " + FormatP(r.P)
	if v.Adjustment != "" {
		s += fmt.Sprintf(", %s of %d p = %s", v.Adjustment, v.Family, FormatP(v.AdjustedP))
	}
	switch v.Claim.Kind {
	case NoRegression, Equivalent:
		s += ", margin " + FormatMargin(v.Unit, v.Claim.Margin)
	case Improves:
		if v.Claim.OneSided {
			s += ", one-sided"
		}
		if v.Claim.Gain > 0 {
			s += ", gain " + FormatMargin(v.Unit, v.Claim.Gain)
		}
	}
	return s
}

// String returns the estimate and where it comes from.
func (r *Replicability) String() string {
	if r.Counted() {
		return fmt.Sprintf("%.3f, %d of %d repetitions reject", r.R, r.Rejections, r.Repeats)
	}
	return fmt.Sprintf("%.3f predicted, 90%% interval %.3f to %.3f", r.R, r.Lo, r.Hi)
}
