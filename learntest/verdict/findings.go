package verdict

import (
	"math"

	"github.com/learnbench/learnbench/learntest/stat"
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

	// Examples are what single examples show of the margin; nil if there is none, or no predictions
	// were kept.
	Examples *Examples

	// Posterior is the posterior distribution of the difference, taken in the
	// direction in which the metric is better, if the claim requires a Probability, and
	// else nil. The outcome then is the region that has more than it, and P of Decision
	// is one minus the probability of the claimed region.
	Posterior *stat.Posterior

	// Sample is the differences that Posterior is of, in the direction in which the metric is
	// better. It is zero where no posterior is asked for.
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
