package verdict

import (
	"fmt"
	"math"

	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/unit"
)

// A power is what the tests of a claim could have shown.
type power struct {
	question
	*Findings
	second  *SecondOpinion // nil unless one was asked for
	pending bool           // it would be asked for if the first test showed the claim
}

// power returns what could have been shown.
func (v *Verdict) power() power {
	w := power{question: v.question(), Findings: &v.Findings}
	if s := v.Second; s != nil && s.Asked {
		w.second = s
	} else {
		w.pending = s != nil
	}
	return w
}

// detectable finds what the test could have shown, or the one of two that detects less.
func (w power) detectable() float64 {
	first, second := w.each()
	return w.unseenTo(math.Max(first, second))
}

// each returns what each of the two tests could have shown; 0 for a second one that was not asked for.
func (w power) each() (first, second float64) {
	first = w.by(w.Posterior, w.Difference.Result, w.Above.Result, w.Decision.Result)
	if s := w.second; s != nil {
		second = w.by(s.Posterior, s.Result, s.Result, s.Result)
	}
	return first, second
}

// unseenTo returns a detectable margin or, if that is larger, the smallest one that the tested
// examples would have shown with the power if there were no difference.
func (w power) unseenTo(x float64) float64 {
	u := w.unseen()
	if u == 0 || w.Kind != NoRegression && w.Kind != Equivalent || math.IsNaN(x) {
		return x
	}
	power := w.Power
	if w.Kind == Equivalent {
		power = (1 + power) / 2
	}
	return math.Max(x, u+w.spread(power))
}

// spread returns how far below its expectation the estimated difference is at most with the given
// probability.
func (w power) spread(power float64) float64 {
	r := w.Difference.Result
	t, err := stat.StudentT(r.DF)
	if err != nil || !(r.SE > 0) {
		return 0
	}
	q, err := t.Quantile(1 - power)
	if err != nil {
		return 0
	}
	return q * r.SE
}

// by returns what a test could have shown, given its results on whether there is a
// difference, whether that is above the margin, and on what the claim stands or falls with.
func (w power) by(posterior *stat.Posterior, r, above, decision stat.Result) float64 {
	power := w.Power
	switch {
	case posterior != nil && w.Kind == Equivalent:
		// The smallest rope that would have been shown if there were no difference: the mean of
		// other data is as far from zero with probability 1−power.
		p := *posterior
		p.Mean = 0
		_, p.Mean = p.HDI(power)
		return p.LeastRope(w.Probability)
	case posterior != nil:
		r.Alternative = stat.Greater
	case w.Kind == NoRegression:
		r = above
	case w.Kind == Equivalent:
		// Both tests must reject: each does so where the other one surely does with
		// power (1+power)/2 at a difference of zero.
		r, power = above, (1+power)/2
	case w.Kind == Improves:
		r = decision
	}
	x, err := r.Detectable(w.tail(), power)
	if err != nil {
		return math.NaN()
	}
	return x
}

// DetectableLoss returns how much worse the candidate would have to be, in the unit of the
// metric, for a claim that holds not to hold in a share Power of cases, be it by the first test
// or by the second opinion: what a gate guards against. A required replicability is left out,
// which makes a claim fail earlier. It is NaN if the claim does not hold, is not about a
// direction, or the test cannot say.
func (v *Verdict) DetectableLoss() float64 {
	if !v.Holds {
		return math.NaN()
	}
	return v.power().loss()
}

func (w power) loss() float64 {
	r := w.Decision.Result
	switch {
	case w.Posterior != nil:
		r.Alternative, r.Null = stat.Greater, w.gain()-w.allowance()
	case w.Kind == NoRegression, w.Kind == Equivalent:
		r = w.Above.Result
	case w.Kind != Improves:
		return math.NaN()
	}
	loss, err := r.DetectableLoss(w.tail(), w.Power)
	if err != nil {
		return math.NaN()
	}
	if u := w.unseen(); u > 0 && w.allowance() > 0 {
		loss = max(0, min(loss, r.Estimate+w.allowance()-u+w.spread(w.Power)))
	}
	if s := w.second; s != nil {
		r.Estimate, r.SE, r.DF = s.Result.Estimate, s.Result.SE, s.Result.DF
		if second, err := r.DetectableLoss(w.tail(), w.Power); err == nil {
			loss = min(loss, second)
		}
	}
	return loss
}

// leastMargin returns the smallest margin with which the claim would have held, or with which
// the first test would have shown it as long as the second opinion is pending: that of the
// interval's end, or ends.
func (w power) leastMargin() float64 {
	lo, hi := w.Above.Lo, w.Above.Hi
	if p := w.Posterior; p != nil {
		if w.Kind == Equivalent {
			least := p.LeastRope(w.Probability)
			if w.half != nil {
				least = math.Max(least, w.half.LeastRope(w.Probability))
			}
			return least
		}
		lo, hi = w.Difference.Lo, w.Difference.Hi
	}
	if w.unit.Better == unit.Lower {
		lo, hi = -hi, -lo
	}
	if w.Kind == Equivalent {
		return max(-lo, hi)
	}
	return -lo
}

// help says what would help a claim that does not hold, for people who are not
// statisticians, given what is detectable.
func (w power) help(own stat.Differences, o Outcome, detectable float64) (help []string) {
	add := func(format string, args ...any) { help = append(help, fmt.Sprintf(format, args...)) }
	switch w.Kind {
	case Improves, Differs:
		if w.Kind == Improves && w.Significance() < 0 {
			return nil
		}
		if !math.IsNaN(detectable) && detectable > 0 {
			add("with these data %s a difference of %s%s in %.4g%% of cases, and smaller ones less often", w.say("the test finds", "both tests find", "the first test alone finds"),
				w.unit.FormatMargin(detectable), w.beyond(), 100*w.Power)
		}
		return append(help, w.examples(own, "find a difference", math.Abs(w.Estimate)-w.gain(), detectable)...)
	case NoRegression, Equivalent:
		least := w.leastMargin()
		if math.IsNaN(least) {
			return nil
		}
		if w.pending {
			add("the first test alone shows a %s above %s; the second opinion, which is not known yet, may take a larger one", w.room(), w.unit.FormatMarginUp(least))
		} else {
			add("the smallest %s that would have held is above %s", w.room(), w.unit.FormatMarginUp(least))
		}
		if o != Regressed && !math.IsNaN(detectable) && detectable > w.allowance() {
			add("even without any difference, %s a %s below %s in fewer than %.4g%% of cases", w.say("these data show", "both tests show", "the first test alone shows"),
				w.room(), w.unit.FormatMargin(detectable), 100*w.Power)
			help = append(help, w.examples(own, "show a "+w.room(), w.allowance(), detectable)...)
		}
	}
	return help
}

// say returns what is said of the only test of a claim, of two, or of the first of which the
// second is pending.
func (w power) say(only, both, first string) string {
	switch {
	case w.pending:
		return first
	case w.second != nil:
		return both
	}
	return only
}

// examples says how many examples it would take to find a difference of the
// given size rather than the one that these data find, if the standard error falls with
// the root of their number, and how far more runs help: they only average out the
// partitions.
func (w power) examples(own stat.Differences, wanted string, size, found float64) (help []string) {
	if !(size > 0 && found > size) || math.IsInf(found, 1) {
		return nil
	}
	factor := found / size
	if first, second := w.each(); w.pending || second > first {
		// More runs do nothing for the halves, and more examples more than this says.
		return nil
	}
	shown := w.unit.FormatMargin(size)
	if more := factor * factor; more <= 100 && shown != w.unit.FormatMargin(0) {
		help = append(help, fmt.Sprintf("it would take about %.2g times as many examples to %s of %s", math.Ceil(10*more)/10, wanted, shown))
	}
	n := float64(own.Runs * own.Folds)
	if limit := math.Sqrt(own.Ratio / (1/n + own.Ratio)); !math.IsNaN(limit) && w.Difference.Result.Test == "corrected-cv-t" {
		help = append(help, fmt.Sprintf("more runs of the protocol bring that down to %s and no further", w.unit.FormatMargin(limit*found)))
	}
	return help
}
