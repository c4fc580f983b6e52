package verdict

import (
	"fmt"
	"math"

	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/unit"
)

// Findings are what the tests of a claim find in the differences.
type Findings struct {
	// Estimate is candidate − baseline in the unit of the metric, whichever
	// direction is better.
	Estimate float64

	// Difference is the two-sided test for a difference, with the interval of
	// level 1−Alpha.
	Difference Finding

	// Above and Below are the one-sided tests that δ > −Margin and δ < Margin,
	// each with the interval of level 1−2·Alpha that goes with both. They are zero if
	// the claim has no margin.
	Above, Below Finding

	// Decision is the test that the claim stands or falls with: one of the
	// findings above, or the test of a one-sided claim or of a gain. For Equivalent it is
	// the less clear one of Above and Below.
	Decision Finding

	// Examples are what single examples show of the margin; nil if there is none, or no predictions were kept.
	Examples *Examples

	// Posterior is the posterior distribution of the difference, taken in the
	// direction in which the metric is better, if the claim requires a Probability, and
	// else nil. The outcome then is the region that has more than it, and P of Decision
	// is one minus the probability of the claimed region.
	Posterior *stat.Posterior

	// Sample is the differences that Posterior is of, in the direction in which the metric is better. It is
	// zero where no posterior is asked for.
	Sample stat.Differences

	half *stat.Posterior // posterior of the second opinion, once it was asked for; else nil
	same bool            // all scores are equal
	open bool            // the tested examples are too few to show a difference within the rope
}

// A Finding is the outcome of a test, with the interval that belongs to it. Where a second
// opinion was asked for, it joins both tests, except for Result: P is the larger one, the
// interval the wider one, and Shown says that both show it.
type Finding struct {
	// Result is the result of the test. Its differences are taken in the direction in
	// which the metric is better.
	Result stat.Result

	P     float64
	Shown bool // p ≤ alpha, and on the side of the alternative

	// Lo and Hi are the interval of the given level, in the unit of the metric;
	// NaN if the test has none.
	Lo, Hi, Level float64
}

// Significance returns +1 if the candidate is significantly better, -1 if it is
// significantly worse, and else 0.
func (f *Findings) Significance() int {
	r := &f.Difference.Result
	switch {
	case !f.Difference.Shown:
		return 0
	case r.Estimate > 0:
		return 1
	}
	return -1
}

// Within reports whether the difference is shown to be within the margin.
func (f *Findings) Within() bool { return f.Above.Shown && f.Below.Shown }

// join makes findings the findings of two tests: they show the differences that both show.
func (f *Findings) join(o *Findings) {
	f.Difference.join(&o.Difference)
	f.Above.join(&o.Above)
	f.Below.join(&o.Below)
	f.Decision.join(&o.Decision)
	f.half = o.Posterior
}

func (f *Finding) join(o *Finding) {
	if f.Level == 0 { // the claim has none
		return
	}
	f.P, f.Shown = max(f.P, o.P), f.Shown && o.Shown
	f.Lo, f.Hi = math.Min(f.Lo, o.Lo), math.Max(f.Hi, o.Hi)
}

// A question is a claim about a metric, with the defaults for that.
type question struct {
	Claim
	unit   unit.Unit
	tested int // distinct examples; 0 if that is unknown

	unchanged bool // as in Verdict

	items *Items // as in Verdict

	single *singles // as in Verdict
}

// settled reports whether the claim holds since nothing was changed.
func (q question) settled() bool {
	return q.unchanged && (q.Kind == NoRegression || q.Kind == Equivalent)
}

// sayLittle reports whether equal scores say nothing of a margin.
func (q question) sayLittle(same bool) bool {
	if q.items != nil {
		return same && !hasRange(q.unit)
	}
	return same && !q.unchanged && !q.unit.IsMean()
}

// find applies the tests. The second result is doubts.
func (q question) find(test stat.Test, d stat.Differences) (f Findings, doubts []error, err error) {
	finding := func(r stat.Result) Finding {
		x, doubt := q.finding(r)
		if doubt != nil {
			doubts = append(doubts, doubt)
		}
		return x
	}
	r, err := test.Run(d, stat.TwoSided)
	if err != nil {
		return f, nil, err
	}
	f.Difference, f.same = finding(r), d.Zero()
	f.Estimate = float64(q.unit.Better) * r.Mean
	if q.Probability > 0 {
		p, err := r.Posterior(q.Rope) // of the default test: the posterior of stat.BayesianCorrelatedT
		if err != nil {
			return f, doubts, err
		}
		f.Posterior, f.Sample, f.Decision = &p, d, f.Difference
		f.Decision.P, f.Decision.Shown, f.open = q.posterior(&p, f.same)
		return f, doubts, nil
	}
	if q.Margin > 0 {
		e, err := test.Equivalence(d, -q.Margin, q.Margin)
		if err != nil {
			return f, doubts, err
		}
		f.Above, f.Below = q.bounded(finding(e.Lower), f.same), q.bounded(finding(e.Upper), f.same)
		if q.items != nil {
			q.items.widen(&q, &f)
		}
		if err := q.holdByExamples(&f); err != nil {
			return f, doubts, err
		}
	}
	switch {
	case q.Kind == NoRegression:
		f.Decision = f.Above
	case q.Kind == Equivalent:
		f.Decision = f.Above
		if f.Below.P > f.Above.P {
			f.Decision = f.Below
		}
	case q.Kind == Improves && (q.OneSided || q.Gain > 0):
		alt := stat.TwoSided
		if q.OneSided {
			alt = stat.Greater
		}
		if r, err = test.Against(d, q.Gain, alt); err != nil {
			return f, doubts, err
		}
		f.Decision = finding(r)
		f.Decision.Shown = f.Decision.Shown && r.Beyond() == 1
	default:
		f.Decision = f.Difference
	}
	return f, doubts, nil
}

// posterior returns one minus the probability of the claimed region, or the larger probability
// that the tested examples missed a refutation; whether it is shown, and whether it is open for such a
// reason that the difference is within the rope.
func (q question) posterior(p *stat.Posterior, same bool) (decision float64, shown, open bool) {
	_, claimed := q.claimed(p)
	within, margin := q.missed(p.Rope-math.Abs(p.Mean)), 0.0
	if q.sayLittle(same) {
		within = 1
	}
	switch q.Kind {
	case NoRegression:
		margin = q.missed(p.Rope + p.Mean)
		if same {
			margin = within
		}
	case Equivalent:
		margin = within
	}
	return max(1-claimed, margin), claimed > q.Probability && margin <= q.tail(), p.Rope > 0 && within > q.tail()
}

// finding says what a result shows. A test may estimate the difference by less than all
// folds: it shows nothing if their mean lies on the other side of the null hypothesis, which is a doubt.
func (q question) finding(r stat.Result) (f Finding, doubt error) {
	better := float64(q.unit.Better)
	f = Finding{Result: r, P: r.P, Level: 1 - q.Alpha, Shown: r.P <= q.Alpha}
	if f.Shown && r.Beyond() == 0 {
		f.Shown = false
		doubt = fmt.Errorf("%s estimates the difference as %s, on the other side of %s than the mean of all folds: it shows nothing",
			r.Test, q.unit.FormatDifference(better*r.Estimate), q.unit.FormatDifference(better*r.Null))
	}
	if r.Alternative != stat.TwoSided {
		f.Level = 1 - 2*q.Alpha
		r.Alternative = stat.TwoSided // the interval that goes with tests on both sides
	}
	if f.Lo, f.Hi = r.Interval(f.Level); q.unit.Better == unit.Lower {
		f.Lo, f.Hi = -f.Hi, -f.Lo
	}
	return f, doubt
}
