package verdict

import (
	"fmt"
	"math"
	"strings"

	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/unit"
)

// A power computes the differences that the tests of a claim could have shown.
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

// detectable returns the difference that the test could have shown, or the larger one of two tests.
func (w power) detectable() float64 {
	first, second := w.each()
	return math.Max(w.unseenTo(math.Max(first, second)), w.byExamples())
}

// each returns what each of the two tests could have shown; 0 for a second one that was not asked
// for.
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
	loss = min(loss, w.lossByExamples())
	if s := w.second; s != nil {
		r.Estimate, r.SE, r.DF = s.Result.Estimate, s.Result.SE, s.Result.DF
		if second, err := r.DetectableLoss(w.tail(), w.Power); err == nil {
			loss = min(loss, second)
		}
	}
	return loss
}

// leastMargin returns the smallest margin with which the claim would have held, or with which
// the first test would have shown it as long as the second opinion is pending: the margin at
// the interval's end, or ends.
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
// statisticians, given the detectable size.
func (w power) help(own stat.Differences, o Outcome, detectable float64) (help []string) {
	add := func(format string, args ...any) { help = append(help, fmt.Sprintf(format, args...)) }
	switch w.Kind {
	case Improves, Differs:
		if w.Kind == Improves && w.Significance() < 0 {
			return nil
		}
		if !math.IsNaN(detectable) && detectable > 0 {
			add("with these data %s a difference of %s%s in %.4g%% of cases, and smaller ones less often",
				w.say("the test finds", "both tests find", "the first test alone finds"),
				w.unit.FormatMargin(detectable), w.beyond(), 100*w.Power)
		}
		size := math.Abs(w.Estimate)
		if w.Kind == Improves {
			size = w.better() - w.gain()
		}
		wanted := "find a difference of " + w.unit.FormatMargin(size)
		if w.gain() > 0 {
			wanted = "show more than " + w.unit.FormatMargin(w.gain())
		}
		help = append(help, w.examples(wanted, size, detectable)...)
		return append(help, w.runs(own, size, detectable)...)
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
			add("even without any difference, %s a %s below %s in fewer than %.4g%% of cases",
				w.say("these data show", "both tests show", "the first test alone shows"),
				w.room(), w.unit.FormatMargin(detectable), 100*w.Power)
			// The rest of the margin at the difference that was found.
			left := w.allowance() + w.better()
			if w.Kind == Equivalent {
				left = w.allowance() - math.Abs(w.Estimate)
			}
			room := fmt.Sprintf("show a %s of %s", w.room(), w.unit.FormatMargin(w.allowance()))
			switch more := w.examples(room, left, detectable); {
			case left <= 0:
				add("at the difference that was found, no number of %s would %s", strings.Fields(w.cases())[1],
					room)
			default:
				help = append(help, more...)
			}
			help = append(help, w.runs(own, w.allowance(), detectable)...)
		}
	}
	return help
}

// say chooses the words about the only test of a claim, about two, or about the first while the
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

// better returns the difference in the direction in which the metric is better.
func (w power) better() float64 { return float64(w.unit.Better) * w.Estimate }

// examples estimates how many examples the claim needs at the difference that was found. The size
// is the part of that difference which the claim leaves, and must be detectable: the standard error
// falls with the root of the number of examples.
func (w power) examples(wanted string, size, detectable float64) (help []string) {
	if !w.tooSmall(size, detectable) || w.unit.FormatMargin(size) == w.unit.FormatMargin(0) {
		return nil
	}
	if w.items != nil {
		return w.items.help(&w.question, wanted, size)
	}
	more := detectable / size * (detectable / size)
	if more > 100 {
		return []string{fmt.Sprintf("at the difference that was found, it would take more than 100 times as many examples to %s", wanted)}
	}
	return []string{fmt.Sprintf("at the difference that was found, it would take about %.2g times as many examples to %s", math.Ceil(10*more)/10, wanted)}
}

// runs estimates how far more runs bring down the detectable size: they only average out the
// partitions.
func (w power) runs(own stat.Differences, size, detectable float64) (help []string) {
	n := float64(own.Runs * own.Folds)
	shrink := math.Sqrt(own.Ratio / (1/n + own.Ratio))
	if !w.tooSmall(size, detectable) || math.IsNaN(shrink) ||
		w.Difference.Result.Test != "corrected-cv-t" || w.Posterior != nil && w.Kind == Equivalent {
		return nil
	}
	endless := func(r stat.Result) stat.Result {
		r.SE, r.DF = shrink*r.SE, endlessDF
		return r
	}
	least := w.unseenTo(w.by(w.Posterior, endless(w.Difference.Result), endless(w.Above.Result),
		endless(w.Decision.Result)))
	if math.IsNaN(least) || w.byExamples() > least {
		return nil
	}
	return []string{fmt.Sprintf("more runs of the protocol bring the %s down to %s and no further",
		w.amount(), w.unit.FormatMargin(least))}
}

// endlessDF is as many degrees of freedom as make no difference.
const endlessDF = 1e6

// tooSmall reports whether a size was not detectable, where more examples or runs would help. They
// do nothing for the halves of a second opinion: runs nothing at all, and examples more than this
// says.
func (w power) tooSmall(size, detectable float64) bool {
	first, second := w.each()
	return size > 0 && detectable > size && !math.IsInf(detectable, 1) && !w.pending && second <= first
}

// amount names the detectable size.
func (w power) amount() string {
	if w.Kind == NoRegression || w.Kind == Equivalent {
		return "detectable " + w.room()
	}
	return "detectable difference"
}

// byExamples returns the smallest margin that the examples would have shown with the power if there
// were no difference; 0 where the claim does not rest on them.
func (w power) byExamples() float64 {
	if !w.heldByExamples() {
		return 0
	}
	power := w.Power
	if w.Kind == Equivalent {
		power = (1 + power) / 2
	}
	x := 0.0
	if r, err := w.single.sample.Test(-w.Margin, stat.Greater); err == nil && r.SE > 0 {
		x, err = r.Detectable(w.tail(), power)
		if err != nil {
			return 0
		}
	}
	return x
}

// lossByExamples is loss by the examples; infinite where the claim does not rest on them.
func (w power) lossByExamples() float64 {
	if w.heldByExamples() {
		r, err := w.single.sample.Test(-w.Margin, stat.Greater)
		if err == nil && r.SE > 0 {
			if loss, err := r.DetectableLoss(w.tail(), w.Power); err == nil {
				return loss
			}
		}
	}
	return math.Inf(1)
}

// Unseen returns the loss that the tested examples cannot rule out where no score gets better, in
// the unit of the metric: the least half-width of the intervals that margins are held against. It
// is 0 for metrics that are no means over examples, and where the number of examples is unknown.
func (v *Verdict) Unseen() float64 { return v.question().unseen() }
