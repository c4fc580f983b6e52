package verdict

import (
	"fmt"
	"math"

	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/unit"
)

// help says what would help a claim that does not hold, for people who are not
// statisticians.
func (v *Verdict) help(own stat.Differences) {
	if v.Holds || v.Outcome == Invalid || v.unreplicable {
		return
	}
	c := &v.Claim
	add := func(format string, args ...any) { v.Help = append(v.Help, fmt.Sprintf(format, args...)) }
	switch c.Kind {
	case Improves, Differs:
		if c.Kind == Improves && v.Significance() < 0 {
			return
		}
		if !math.IsNaN(v.Detectable) && v.Detectable > 0 {
			add("with these data the test finds a difference of %s%s in %.4g%% of cases, and smaller ones less often", v.Unit.FormatMargin(v.Detectable), v.beyond(), 100*c.Power)
		}
		v.helpExamples(own, "find a difference", math.Abs(v.Estimate)-c.gain(), v.Detectable)
	case NoRegression, Equivalent:
		least := v.leastMargin()
		if math.IsNaN(least) {
			return
		}
		add("the smallest %s that would have held is %s", v.room(), "above "+v.Unit.FormatMarginUp(least))
		if v.Outcome != Regressed && !math.IsNaN(v.Detectable) && v.Detectable > c.allowance() {
			add("even without any difference, these data show a %s below %s in fewer than %.4g%% of cases", v.room(), v.Unit.FormatMargin(v.Detectable), 100*c.Power)
			v.helpExamples(own, "show a "+v.room(), c.allowance(), v.Detectable)
		}
	}
}

// helpUndecided says what would help a required replicability that is undecided.
func (v *Verdict) helpUndecided() {
	if n := v.Rerun.Enough; n > 0 {
		v.Help = append(v.Help, fmt.Sprintf("about %d runs would probably decide it", n))
		return
	}
	v.Help = append(v.Help, fmt.Sprintf("it is about as high as required: to tell which is higher would take more than %d runs; require a lower one, or test on more examples", manyRuns*v.Runs))
}

// leastMargin returns the smallest margin with which the claim would have held: that
// of the interval's end, or ends.
func (v *Verdict) leastMargin() float64 {
	lo, hi := v.Above.Lo, v.Above.Hi
	if p := v.Posterior; p != nil {
		if v.Claim.Kind == Equivalent {
			return p.LeastRope(v.Claim.Probability)
		}
		lo, hi = v.Difference.Lo, v.Difference.Hi
	}
	if v.Unit.Better == unit.Lower {
		lo, hi = -hi, -lo
	}
	if v.Claim.Kind == Equivalent {
		return max(-lo, hi)
	}
	return -lo
}

// helpExamples says how many examples it would take to find a difference of the
// given size rather than the one that these data find, if the standard error falls with
// the root of their number, and how far more runs help: they only average out the
// partitions.
func (v *Verdict) helpExamples(own stat.Differences, wanted string, size, found float64) {
	if !(size > 0 && found > size) || math.IsInf(found, 1) {
		return
	}
	factor := found / size
	if more := factor * factor; more <= 100 {
		v.Help = append(v.Help, fmt.Sprintf("it would take about %.2g times as many examples to %s of %s", math.Ceil(10*more)/10, wanted, v.Unit.FormatMargin(size)))
	}
	n := float64(own.Runs * own.Folds)
	if limit := math.Sqrt(own.Ratio / (1/n + own.Ratio)); !math.IsNaN(limit) && v.Difference.Result.Test == "corrected-cv-t" {
		v.Help = append(v.Help, fmt.Sprintf("more runs of the protocol bring that down to %s and no further", v.Unit.FormatMargin(limit*found)))
	}
}
