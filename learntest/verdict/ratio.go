package verdict

import (
	"cmp"
	"fmt"
	"math"
	"time"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/unit"
)

// leastTime is the mean time in seconds below which a ratio is not judged. Of trainings of 15 µs
// whoever comes first is slower in 17 comparisons of 20, even if the learners take turns.
const leastTime = 100e-6

// A ratioing is a verdict on a ratio of times in the making.
type ratioing struct {
	*Verdict
	pairs *record.Pairs
}

// checkRatio returns the claim with its defaults, or an error if it makes no sense.
func (c Claim) checkRatio() (Claim, error) {
	fail := func(format string, args ...any) (Claim, error) {
		return c, fmt.Errorf("%w: %s", ErrClaim, fmt.Sprintf(format, args...))
	}
	c = ratioDefaults(c, cmp.Or(c.Metric, record.FitTime))
	if !record.IsTime(c.Metric) {
		return fail("a ratio is claimed of times, %s and %s, which are measured in every trial, or of costs of models (metric.Cost), and not of %s", record.FitTime, record.PredictTime, c.Metric)
	}
	return c, checkLimit(c)
}

// ratioDefaults returns a claim of RatioAtMost with its defaults.
func ratioDefaults(c Claim, metric string) Claim {
	c.Metric = metric
	if c.Alpha == 0 {
		c.Alpha = DefaultAlpha
	}
	if c.Power == 0 {
		c.Power = 0.8
	}
	return c
}

// checkLimit returns an error if the limit or an option of a claim of RatioAtMost makes no sense.
func checkLimit(c Claim) error {
	fail := func(format string, args ...any) error {
		return fmt.Errorf("%w: %s", ErrClaim, fmt.Sprintf(format, args...))
	}
	switch {
	case !(c.Threshold > 0) || math.IsInf(c.Threshold, 1):
		return fail("a limit of ×%v is not a positive number: 1.2 allows a fifth more", c.Threshold)
	case c.Margin != 0 || len(c.Margins.Metrics()) > 0 || c.Gain != 0 || c.Rope != 0 ||
		c.Probability != 0 || c.OneSided || c.Halvings != 0 || c.AllowMajority:
		return fail("a claim that a learner %s another's takes neither a margin, a gain, a rope, a probability nor a second opinion: its limit takes their place", c.Kind)
	case c.Test.Run != nil:
		return fail("a claim that a learner %s another's has a test of its own, of the median ratio",
			c.Kind)
	case c.Replicability != 0 || c.Repeats != 0:
		return fail("a claim that a learner %s another's takes no replicability: other partitions do not change times", c.Kind)
	}
	return c.check()
}

func (r ratioing) judge() error {
	p := r.pairs
	c, err := r.Claim.checkRatio()
	r.Claim = c
	if err != nil {
		return err
	}
	if p.Unit.Name != c.Metric {
		return fmt.Errorf("%w: it is about %s, the pairs are of %s", ErrClaim, c.Metric, p.Unit.Name)
	}
	if err := checkPairs(p); err != nil {
		return err
	}
	n := r.Runs * r.Folds
	r.CandidateMean, r.BaselineMean = mean(p.A[:n]), mean(p.B[:n])
	for i := range n { // before the means, which say less
		if p.A[i] <= 0 || p.B[i] <= 0 {
			return fmt.Errorf("%s of run %d, fold %d is %v and %v: too short for the clock: %s", c.Metric,
				i/r.Folds+1, i%r.Folds+1, p.A[i], p.B[i], repeatInside)
		}
	}
	for _, side := range []struct {
		name string
		mean float64
	}{{p.Candidate, r.CandidateMean}, {p.Baseline, r.BaselineMean}} {
		if side.mean < leastTime {
			return fmt.Errorf("the mean %s of %s is below %s, which is too short for a ratio: %s",
				timeWords(c.Metric), side.name, formatTime(leastTime), repeatInside)
		}
	}
	m, err := stat.RatioAtMost(p.A[:n], p.B[:n], c.Threshold, c.Alpha)
	if err != nil {
		return err
	}
	r.decide(&m, "other programs and short trainings widen the bound: measure where nothing else runs, or in more runs")
	return nil
}

// decide answers the claim by the median ratio. The advice is on how to narrow its bound.
func (r ratioing) decide(m *stat.MedianRatio, advice string) {
	r.Ratio = m
	r.Estimate = r.CandidateMean - r.BaselineMean
	r.Decision = Finding{
		P: m.P, Shown: m.P <= r.Claim.Alpha, Lo: math.NaN(), Hi: math.NaN(),
		Level: 1 - r.Claim.Alpha,
	}
	r.Difference = r.Decision
	switch {
	case r.Decision.Shown:
		r.Outcome, r.Holds = Improved, true
	case m.Least > r.Claim.Threshold:
		r.Outcome, r.Reason = Regressed, "it takes at least "+formatRatio(m.Least, math.Floor)
	default:
		r.Outcome, r.Reason = Inconclusive, "at most "+formatRatio(m.Most, math.Ceil)+" is shown"
		r.Help = []string{advice + "; a limit of " + formatRatio(m.Most, math.Ceil) +
			" would have held here"}
	}
	r.warn()
}

// repeatInside is the remedy for times that are too short.
const repeatInside = "claim the time of larger data, or of a learner that repeats its work inside"

// warn adds the doubts that do not forbid the verdict.
func (r ratioing) warn() {
	add := func(format string, args ...any) {
		r.Warnings = append(r.Warnings,
			fmt.Errorf(format, args...))
	}
	if r.CandidateHeader != r.BaselineHeader && !r.Unit.OfModel {
		add("both sides were measured in runs of their own: whatever else the machine did meanwhile is in the ratio; learners of one run are trained in turn")
		if a, b := r.CandidateHeader.Toolchain, r.BaselineHeader.Toolchain; a != b {
			add("the sides were built by %s and %s", a, b)
		}
	}
	if r.Claim.Threshold >= 10 {
		add("a limit of ×%v allows %v times as much: 20%% more is 1.2", r.Claim.Threshold,
			r.Claim.Threshold)
	}
}

func timeWords(name string) string {
	if name == record.PredictTime {
		return "prediction time"
	}
	return "training time"
}

// RatioCells returns the cells of a table for a judged ratio: the mean times or costs of baseline
// and candidate, their ratio with its bound, and p. The ratio of times is the median of ratios, the
// ratio of costs the ratio of means.
func RatioCells(v *Verdict) []string {
	if x := v.Costs; x != nil {
		return []string{
			v.Unit.FormatScore(v.BaselineMean), v.Unit.FormatScore(v.CandidateMean),
			formatRatio(x.Ratio, math.Round), formatRatio(x.Upper, math.Ceil), unit.FormatP(x.P),
		}
	}
	cells := []string{formatCost(v, v.BaselineMean), formatCost(v, v.CandidateMean)}
	if x := v.Totals; x != nil {
		return append(cells, formatRatio(x.Ratio, math.Round), formatRatio(x.Ratio, math.Ceil), "exact")
	}
	m := v.Ratio
	return append(cells, formatRatio(m.Median, math.Round), formatRatio(m.Most, math.Ceil),
		unit.FormatP(m.P))
}

// formatCost formats a time, or what a model costs.
func formatCost(v *Verdict, x float64) string {
	if v.Unit.OfModel {
		return v.Unit.FormatScore(x)
	}
	return formatTime(x)
}

// formatRatio formats a ratio with two digits after the point, rounded by the function: a bound may
// not look better than it is.
func formatRatio(x float64, round func(float64) float64) string {
	digits := 2
	if x < 0.1 {
		digits = 4
	}
	scale := math.Pow10(digits)
	y := x * scale
	if near := math.Round(y); math.Abs(y-near) < 1e-9*near { // such as 1.15
		y = near
	}
	return fmt.Sprintf("×%.*f", digits, round(y)/scale)
}

// formatTime formats seconds with three digits.
func formatTime(seconds float64) string {
	for _, u := range []struct {
		least float64
		name  string
	}{{1, "s"}, {1e-3, "ms"}} {
		if seconds >= u.least {
			return fmt.Sprintf("%.3g %s", seconds/u.least, u.name)
		}
	}
	return fmt.Sprintf("%.3g µs", seconds*float64(time.Second/time.Microsecond))
}
