package verdict

import (
	"fmt"
	"math"

	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/unit"
)

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

// posterior returns one minus the probability of the claimed region, or the larger probability that
// the tested examples missed a refutation; whether it is shown, and whether it is open for such a
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
	return max(1-claimed, margin), claimed > q.Probability && margin <= q.tail(), p.Rope > 0 &&
		within > q.tail()
}

// finding says what a result shows. A test may estimate the difference by less than all folds: it
// shows nothing if their mean lies on the other side of the null hypothesis, which is a doubt.
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

// holdByExamples holds the findings about the margin against the examples, too.
func (q question) holdByExamples(f *Findings) error {
	x := q.single
	switch {
	case x == nil || q.unchanged:
		return nil
	case x.lacking != "":
		f.Examples = &Examples{Lacking: x.lacking}
		return nil
	}
	above, err := x.sample.Test(-q.Margin, stat.Greater)
	if err != nil {
		return err
	}
	below, err := x.sample.Test(q.Margin, stat.Less)
	if err != nil {
		return err
	}
	lo, hi, err := x.sample.Bounds(q.Alpha)
	if err != nil { // of a level that no gate has
		lo, hi = math.NaN(), math.NaN()
	}
	if q.unit.Better == unit.Lower {
		lo, hi = -hi, -lo
	}
	e := &Examples{N: x.n, Differ: x.differ, P: above.P, First: f.Above.P, Lo: lo, Hi: hi}
	first := f.Above.Shown
	if q.Kind != NoRegression {
		e.P, e.First, first = max(above.P, below.P), max(f.Above.P, f.Below.P), f.Within()
	}
	e.alone = first && e.P > q.Alpha
	f.Above.join(&Finding{P: above.P, Shown: above.P <= q.Alpha, Lo: lo, Hi: hi})
	f.Below.join(&Finding{P: below.P, Shown: below.P <= q.Alpha, Lo: lo, Hi: hi})
	f.Examples = e
	return nil
}

// widen gives the findings about a margin the interval of the test that they rest on. In a metric
// with a range, the ordinary t has a narrower one.
func (it *Items) widen(q *question, f *Findings) {
	if !hasRange(q.unit) {
		return
	}
	lo, hi, err := it.sample.Bounds(q.Alpha)
	if err != nil {
		lo, hi = math.NaN(), math.NaN()
	}
	if q.unit.Better == unit.Lower {
		lo, hi = -hi, -lo
	}
	f.Above.Lo, f.Above.Hi = lo, hi
	f.Below.Lo, f.Below.Hi = lo, hi
}
