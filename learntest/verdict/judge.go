package verdict

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/stat"
)

// Judge judges a claim about the pairs, whose unit must be that of the claim's
// metric, if it names one.
//
// The test uses the protocol's own runs, however many there are; further runs,
// which repeat the test, serve to count its replicability if the claim asks for
// that. If there are too few of them the outcome is Invalid, and Verdict.NeedRuns
// says how many it takes. Significant means p ≤ alpha. The outcome
// is Improved if the difference is significant and in favour of the candidate; else
// equivalent if all scores are the same, or if there is a margin and the two one-sided
// tests at alpha place the difference within it; else Regressed if the difference is significant; else
// Inconclusive. A required replicability that is not reached makes the outcome
// Inconclusive.
func Judge(p *record.Pairs, c Claim) Verdict {
	v := Verdict{
		Claim: c, Data: p.Data, Candidate: p.Candidate, Baseline: p.Baseline, Unit: p.Unit,
		CandidateHeader: p.CandidateHeader, BaselineHeader: p.BaselineHeader,
		Runs: p.Runs, Folds: p.Folds, Detectable: math.NaN(),
	}
	if err := v.judge(p); err != nil {
		v.Outcome, v.Holds, v.Reason = Invalid, false, err.Error()
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
	test, err := c.test(v.Runs, v.Folds)
	if err != nil {
		return err
	}
	own := differences(p, 0, v.Runs)
	n := v.Runs * v.Folds
	v.CandidateMean, v.BaselineMean = mean(p.A[:n]), mean(p.B[:n])
	if v.Outcome, err = v.compare(test, own); err != nil {
		return err
	}
	rejects, err := v.decide(test, own, &v.Result)
	if err != nil {
		return err
	}
	if r, err := v.Result.Detectable(c.Alpha, c.Power); err == nil {
		v.Detectable = r
	}
	v.Holds = c.Kind == Differs || rejects
	if !v.Holds {
		v.Reason = v.notShown()
	}
	if c.Repeats == 0 || c.Replicability > 0 && !v.Holds {
		v.predict(test, own)
	} else if err := v.count(test, p); err != nil {
		return err
	}
	if test.Naive {
		v.Warnings = append(v.Warnings, fmt.Errorf("%s takes the folds for independent, which overlapping training sets are not: expect far more false alarms than the level says", test.Name))
	}
	v.warn()
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

// shifted returns the differences plus by.
func shifted(d stat.Differences, by float64) stat.Differences {
	if by == 0 {
		return d
	}
	d.X = slices.Clone(d.X)
	for i := range d.X {
		d.X[i] += by
	}
	return d
}

// compare finds the outcome, estimate and interval from the two-sided test.
func (v *Verdict) compare(test stat.Test, d stat.Differences) (Outcome, error) {
	r, err := test.Run(d, stat.TwoSided)
	if err != nil {
		return Invalid, err
	}
	sign := float64(v.Unit.Better)
	v.Estimate = sign * r.Mean
	lo, hi := r.Interval(1 - v.Claim.Alpha)
	if v.Lo, v.Hi = lo, hi; sign < 0 {
		v.Lo, v.Hi = -hi, -lo
	}
	if r.Estimate != r.Mean {
		v.Warnings = append(v.Warnings, fmt.Errorf("%s estimates the difference as %s, not as the mean: its interval is about that",
			r.Test, FormatDifference(v.Unit, sign*r.Estimate)))
	}
	if r.SE == 0 && r.Estimate == 0 {
		return Same, nil // in every fold, so within any margin
	}
	significant := r.P <= v.Claim.Alpha
	if significant && r.Estimate > 0 {
		return Improved, nil
	}
	if v.Claim.Margin > 0 {
		within, _, err := equivalent(test, d, v.Claim.Margin, v.Claim.Alpha)
		if err != nil {
			return Invalid, err
		}
		if within {
			return Same, nil
		}
	}
	if significant && r.Estimate < 0 {
		return Regressed, nil
	}
	return Inconclusive, nil
}

// equivalent applies two one-sided tests and returns the result of the one
// with the greater p.
func equivalent(test stat.Test, d stat.Differences, margin, alpha float64) (bool, stat.Result, error) {
	low, err := test.Run(shifted(d, margin), stat.Greater)
	if err != nil {
		return false, low, err
	}
	high, err := test.Run(shifted(d, -margin), stat.Less)
	if err != nil {
		return false, high, err
	}
	if high.P > low.P {
		low = high
	}
	return low.P <= alpha, low, nil
}

// decide applies the test of the claim and reports whether it rejects the null
// hypothesis in favour of the claim. For a claim of no kind that is any difference.
func (v *Verdict) decide(test stat.Test, d stat.Differences, result *stat.Result) (bool, error) {
	c := v.Claim
	alt := stat.TwoSided
	var err error
	switch c.Kind {
	case Improves:
		d = shifted(d, -c.Gain)
		if c.OneSided {
			alt = stat.Greater
		}
	case NoRegression:
		d = shifted(d, c.Margin)
		alt = stat.Greater
	case Equivalent:
		var within bool
		within, *result, err = equivalent(test, d, c.Margin, c.Alpha)
		return within, err
	}
	if *result, err = test.Run(d, alt); err != nil {
		return false, err
	}
	return result.P <= c.Alpha && (c.Kind == Differs || result.Estimate > 0), nil
}

// notShown says why the claim does not hold.
func (v *Verdict) notShown() string {
	switch {
	case v.Outcome == Regressed:
		return "the candidate is significantly worse"
	case v.Claim.Kind == Improves && v.Claim.Gain > 0 && v.Outcome == Improved:
		return "a gain of more than " + FormatDifference(v.Unit, v.Claim.Gain) + " was not shown"
	case v.Claim.Kind == Improves:
		return "no significant improvement"
	case v.Claim.Kind == NoRegression:
		return "a regression by more than " + FormatMargin(v.Unit, v.Claim.Margin) + " was not ruled out"
	}
	return "a difference of more than " + FormatMargin(v.Unit, v.Claim.Margin) + " was not ruled out"
}

// count counts the replicability and holds it against the required one.
func (v *Verdict) count(test stat.Test, p *record.Pairs) error {
	r := &Replicability{Repeats: v.Claim.Repeats, Lo: math.NaN(), Hi: math.NaN()}
	if need := r.Repeats * v.Runs; need > p.Runs+p.More {
		if p.MoreErr != nil {
			return fmt.Errorf("further runs, which replicability is counted from: %w", p.MoreErr)
		}
		v.NeedRuns = need
		return fmt.Errorf("counting replicability needs %d repetitions of the test, %d runs in all; there are %d runs",
			r.Repeats, need, p.Runs+p.More)
	}
	for i := range r.Repeats {
		var result stat.Result
		rejects, err := v.decide(test, differences(p, i*v.Runs, v.Runs), &result)
		if err != nil {
			return err
		}
		if rejects {
			r.Rejections++
		}
	}
	var err error
	if r.R, err = stat.Replicability(r.Rejections, r.Repeats); err != nil {
		return err
	}
	v.Replicability = r
	if required := v.Claim.Replicability; r.R < required {
		v.Holds, v.Outcome = false, Inconclusive
		v.Reason = fmt.Sprintf("%d of %d repetitions of the test reject the null hypothesis: replicability %.3f is less than the required %.3g",
			r.Rejections, r.Repeats, r.R, required)
	}
	return nil
}

// predict predicts the replicability from the runs of the test itself, where
// that is possible: for the corrected test, and for one-sided forms of it in
// whose direction the estimate lies.
func (v *Verdict) predict(test stat.Test, d stat.Differences) {
	c := v.Claim
	switch c.Kind {
	case Improves:
		d = shifted(d, -c.Gain)
	case NoRegression:
		d = shifted(d, c.Margin)
	case Equivalent:
		return
	}
	if v.Result.Alternative != stat.TwoSided && v.Result.Estimate <= 0 {
		return
	}
	if test.Name != "corrected-cv-t" {
		return
	}
	q := stat.Retest{Test: test, Runs: v.Runs, Alpha: c.Alpha, Alternative: v.Result.Alternative}
	if p, err := q.Predict(d); err == nil {
		v.Replicability = &Replicability{R: p.R, Lo: p.Lo, Hi: p.Hi}
	}
}

func (v *Verdict) warn() {
	for _, w := range v.Result.Warnings {
		if errors.Is(w, stat.ErrZeroVariance) {
			what := "the differences are"
			if v.Estimate == 0 {
				what = "the scores of both learners are"
			}
			w = fmt.Errorf("%s the same in every fold: %w", what, w)
		}
		v.Warnings = append(v.Warnings, w)
	}
	for _, l := range []struct {
		name   string
		header *record.Header
	}{{v.Candidate, v.CandidateHeader}, {v.Baseline, v.BaselineHeader}} {
		if l.header.DeterminismOf(l.name) == record.NotDeterministic {
			v.Warnings = append(v.Warnings, fmt.Errorf("%s is not deterministic: trained twice with the same seed, it predicted differently", l.name))
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
