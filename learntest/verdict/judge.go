package verdict

import (
	"errors"
	"fmt"
	"math"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/unit"
)

// Judge judges a claim about the pairs, whose unit must be that of the claim's
// metric, if it names one.
//
// The test uses the protocol's own runs, however many there are; further runs,
// which repeat the test, count only for a replicability that the claim asks for. If
// there are too few of them the outcome is Invalid, and Verdict.NeedRuns says how
// many it takes.
//
// Significant means p ≤ alpha. The outcome is Same if all scores are the same, or if
// the claim has a margin and the difference is shown to be within it; else Improved
// or Regressed if the difference is significant; else Inconclusive. A required
// replicability that is not shown makes the outcome Inconclusive.
func Judge(p *record.Pairs, c Claim) Verdict { return judge(p, c, whole) }

// Brief is Judge without what takes most of the time and only explains a verdict:
// Detectable is NaN, and there is no Help.
func Brief(p *record.Pairs, c Claim) Verdict { return judge(p, c, brief) }

// Bare is Brief without a Rerun, unless the claim asks for a replicability: the prediction
// takes more time than the verdict.
func Bare(p *record.Pairs, c Claim) Verdict { return judge(p, c, bare) }

// An extent says how much of a verdict is wanted.
type extent uint8

const (
	whole extent = iota
	brief
	bare
)

func judge(p *record.Pairs, c Claim, e extent) Verdict {
	v := Verdict{
		Claim: c, Data: p.Data, Candidate: p.Candidate, Baseline: p.Baseline, Unit: p.Unit,
		CandidateHeader: p.CandidateHeader, BaselineHeader: p.BaselineHeader,
		Runs: p.Runs, Folds: p.Folds, Detectable: math.NaN(), extent: e,
	}
	if err := v.judge(p); err != nil {
		v.Outcome, v.Holds, v.Reason, v.Err = Invalid, false, err.Error(), err
	}
	return v
}

func (v *Verdict) judge(p *record.Pairs) error {
	if v.Claim.Metric != "" && v.Claim.Metric != p.Unit.Name {
		return fmt.Errorf("%w: it is about %s, the pairs are of %s", ErrClaim, v.Claim.Metric, p.Unit.Name)
	}
	c, err := v.Claim.WithDefaults(p.Unit)
	if err != nil {
		return err
	}
	v.Claim = c
	if err := checkPairs(p); err != nil {
		return err
	}
	n := v.Runs * v.Folds
	v.CandidateMean, v.BaselineMean = mean(p.A[:n]), mean(p.B[:n])
	if len(c.Margins.Metrics()) > 0 { // in percent of a mean
		if c, err = c.settle(p.Unit, v.BaselineMean); err != nil {
			return err
		}
		v.Claim = c
	}
	if c.MaxRuns > 0 && c.MaxRuns < v.Runs {
		return fmt.Errorf("%w: a budget of %d runs is less than the protocol's own %d", ErrClaim, c.MaxRuns, v.Runs)
	}
	test, doubts, err := c.fit(p)
	if err != nil {
		return err
	}
	if c.Probability == 0 {
		v.Claim.Test = test
	}
	v.Warnings = append(v.Warnings, doubts...)
	own := differences(p, 0, v.Runs)
	if err := v.refutable(test, p); err != nil {
		return err
	}
	if err := v.find(test, own); err != nil {
		return err
	}
	v.conclude()
	if err := v.consult(p, own); err != nil {
		return err
	}
	if err := v.replicate(test, p); err != nil {
		return err
	}
	v.warn(test)
	if v.extent == whole {
		v.detect()
		v.help(own)
	}
	return nil
}

// checkPairs returns an error unless there is a finite score of both learners
// for each fold of each run.
func checkPairs(p *record.Pairs) error {
	n := (p.Runs + p.More) * p.Folds
	if p.Runs < 1 || p.More < 0 || n == 0 || len(p.A) != n || len(p.B) != n || len(p.TrainN) != n || len(p.TestN) != n {
		return fmt.Errorf("%d candidate and %d baseline scores, %d and %d sizes for %d runs of %d folds",
			len(p.A), len(p.B), len(p.TrainN), len(p.TestN), p.Runs, p.Folds)
	}
	for i := range n {
		for _, s := range []struct {
			learner string
			score   float64
		}{{p.Candidate, p.A[i]}, {p.Baseline, p.B[i]}} {
			if math.IsNaN(s.score) || math.IsInf(s.score, 0) {
				return fmt.Errorf("%s of %s, run %d, fold %d, is %v", p.Unit.Name, s.learner, i/p.Folds+1, i%p.Folds+1, s.score)
			}
		}
	}
	return nil
}

// differences returns those of runs from..from+runs-1, counted from 0, in the
// direction in which the metric is better.
func differences(p *record.Pairs, from, runs int) stat.Differences {
	lo, hi := from*p.Folds, (from+runs)*p.Folds
	d := stat.Differences{Runs: runs, Folds: p.Folds, X: make([]float64, hi-lo)}
	train, tested := 0, 0
	for i := range d.X {
		a, b := p.A[lo+i], p.B[lo+i]
		d.X[i] = float64(p.Unit.Better) * (a - b)
		d.Scale = max(d.Scale, math.Abs(a), math.Abs(b))
		train += int(p.TrainN[lo+i])
		tested += int(p.TestN[lo+i])
	}
	d.Ratio = float64(tested) / float64(train)
	return d
}

// find applies the tests.
func (v *Verdict) find(test stat.Test, d stat.Differences) error {
	c := &v.Claim
	r, err := test.Run(d, stat.TwoSided)
	if err != nil {
		return err
	}
	v.Difference = v.finding(r)
	v.Estimate = float64(v.Unit.Better) * r.Mean
	v.same = d.Zero()
	if c.Probability > 0 {
		return v.believe(d)
	}
	if c.Margin > 0 {
		e, err := test.Equivalence(d, -c.Margin, c.Margin)
		if err != nil {
			return err
		}
		v.Above, v.Below = v.finding(e.Lower), v.finding(e.Upper)
	}
	switch {
	case c.Kind == NoRegression:
		v.Decision = v.Above
	case c.Kind == Equivalent:
		v.Decision = v.Above
		if v.Below.P > v.Above.P {
			v.Decision = v.Below
		}
	case c.Kind == Improves && (c.OneSided || c.Gain > 0):
		alt := stat.TwoSided
		if c.OneSided {
			alt = stat.Greater
		}
		if r, err = test.Against(d, c.Gain, alt); err != nil {
			return err
		}
		v.Decision = v.finding(r)
		v.Decision.Shown = v.Decision.Shown && r.Beyond() == 1
	default:
		v.Decision = v.Difference
	}
	return nil
}

// finding says what a result shows. A test may estimate the difference by less than all
// folds: it shows nothing if their mean lies on the other side of the null hypothesis.
func (v *Verdict) finding(r stat.Result) Finding {
	alpha, better := v.Claim.Alpha, float64(v.Unit.Better)
	f := Finding{Result: r, P: r.P, Level: 1 - alpha, Shown: r.P <= alpha}
	if f.Shown && r.Beyond() == 0 {
		f.Shown = false
		v.Warnings = append(v.Warnings, fmt.Errorf("%s estimates the difference as %s, on the other side of %s than the mean of all folds: it shows nothing",
			r.Test, v.Unit.FormatDifference(better*r.Estimate), v.Unit.FormatDifference(better*r.Null)))
	}
	if r.Alternative != stat.TwoSided {
		f.Level = 1 - 2*alpha
		r.Alternative = stat.TwoSided // the interval that goes with tests on both sides
	}
	if f.Lo, f.Hi = r.Interval(f.Level); v.Unit.Better == unit.Lower {
		f.Lo, f.Hi = -f.Hi, -f.Lo
	}
	return f
}

// conclude draws the outcome, and whether the claim holds, from what was found.
func (v *Verdict) conclude() {
	switch {
	case v.Posterior != nil:
		v.Outcome, v.Holds = v.believed(), v.Decision.Shown
	default:
		v.weigh()
	}
	if !v.Holds {
		v.Reason = v.notShown()
	}
}

// weigh draws outcome and claim from significance tests.
func (v *Verdict) weigh() {
	switch {
	case v.same, v.Within():
		v.Outcome = Same
	case v.Significance() > 0, v.Claim.Kind == Improves && v.Decision.Shown && v.Decision.Result.Beyond() == 1:
		v.Outcome = Improved
	case v.Significance() < 0:
		v.Outcome = Regressed
	default:
		v.Outcome = Inconclusive
	}
	switch v.Claim.Kind {
	case Differs:
		v.Holds = v.Difference.Shown
	case Improves:
		v.Holds = v.Decision.Shown && v.Decision.Result.Beyond() == 1
	case NoRegression:
		v.Holds = v.Above.Shown
	case Equivalent:
		v.Holds = v.Within()
	case Replicable:
		v.Holds = true // until its replicability is looked at
	}
}

// notShown says why the claim does not hold.
func (v *Verdict) notShown() string {
	switch {
	case v.Posterior != nil:
		return v.notBelieved()
	case v.Outcome == Regressed && v.Claim.Kind != Differs:
		return "the candidate is significantly worse"
	case v.Outcome == Improved && v.Claim.Kind == Equivalent:
		return "the candidate is significantly better, and a difference of more than " + v.Unit.FormatMargin(v.Claim.Margin) + " was not ruled out"
	case v.Claim.Kind == Improves && v.Claim.Gain > 0:
		return "a gain of more than " + v.Unit.FormatMargin(v.Claim.Gain) + " was not shown"
	case v.Claim.Kind == Improves:
		return "no significant improvement"
	case v.Claim.Kind == NoRegression:
		return "a regression by more than " + v.Unit.FormatMargin(v.Claim.Margin) + " was not ruled out"
	case v.Claim.Kind == Equivalent:
		return "a difference of more than " + v.Unit.FormatMargin(v.Claim.Margin) + " was not ruled out"
	}
	return noDifference
}

// noDifference is the reason of a claim of a difference that is not shown.
const noDifference = "no significant difference"

// detect finds what the test could have shown, or the one of two that detects less.
func (v *Verdict) detect() {
	v.Detectable = v.detectableBy(v.Difference.Result, v.Above.Result, v.Decision.Result)
	if s := v.Second; s != nil && s.Asked {
		v.Detectable = math.Max(v.Detectable, v.detectableBy(s.Result, s.Result, s.Result))
	}
}

// detectableBy returns what a test could have shown, given its results on whether there is a
// difference, whether that is above the margin, and on what the claim stands or falls with.
func (v *Verdict) detectableBy(r, above, decision stat.Result) float64 {
	c := &v.Claim
	nan := math.NaN()
	switch {
	case v.Posterior != nil && c.Kind == Equivalent:
		return v.detectableRope()
	case v.Posterior != nil:
		r.Alternative = stat.Greater
	}
	power := c.Power
	switch {
	case v.Posterior != nil:
	case c.Kind == NoRegression:
		r = above
	case c.Kind == Equivalent:
		// Both tests must reject: each does so where the other one surely does with
		// power (1+power)/2 at a difference of zero.
		r, power = above, (1+c.Power)/2
	case c.Kind == Improves:
		r = decision
	}
	x, err := r.Detectable(c.tail(), power)
	if err != nil {
		return nan
	}
	return x
}

func (v *Verdict) warn(test stat.Test) {
	if r := &v.Difference.Result; r.Estimate != r.Mean {
		v.Warnings = append(v.Warnings, fmt.Errorf("%s estimates the difference as %s, not as the mean: its interval is about that",
			r.Test, v.Unit.FormatDifference(float64(v.Unit.Better)*r.Estimate)))
	}
	if test.Naive {
		v.Warnings = append(v.Warnings, fmt.Errorf("%s takes the folds for independent, which overlapping training sets are not: expect far more false alarms than the level says", test.Name))
	}
	for _, w := range v.Difference.Result.Warnings {
		if errors.Is(w, stat.ErrZeroVariance) {
			what := "the differences are"
			if v.Estimate == 0 {
				what = "the scores of both learners are"
			}
			w = fmt.Errorf("%s the same in every fold: %w", what, w)
		}
		v.Warnings = append(v.Warnings, w)
	}
	if err := v.LearnedNothing(); err != nil {
		v.Warnings = append(v.Warnings, err)
	}
	for _, l := range []struct {
		name   string
		header *record.Header
	}{{v.Candidate, v.CandidateHeader}, {v.Baseline, v.BaselineHeader}} {
		if l.header.DeterminismOf(l.name) == record.NotDeterministic {
			v.Warnings = append(v.Warnings, fmt.Errorf("%s is not deterministic: trained twice with the same seed, it predicted differently, so that a rerun differs by more than the partition", l.name))
		}
	}
}

func mean(xs []float64) float64 {
	sum := 0.0
	for _, x := range xs {
		sum += x
	}
	return sum / float64(len(xs))
}
