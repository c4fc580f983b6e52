package verdict

import (
	"fmt"
	"math"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/unit"
)

// Tested returns the number of distinct examples that the protocol's own runs test. Where each run
// tests all examples, or runs may test equal ones, it is the number of a run. For random subsamples
// it is the expected number.
func Tested(p *record.Pairs) int {
	if p.Slice != nil {
		return p.Slice.Members
	}
	examples, most, missed := 0.0, 0.0, 1.0
	for i := range p.Runs * p.Folds {
		examples = max(examples, float64(p.TrainN[i])+float64(p.TestN[i]))
	}
	for run := range p.Runs {
		tested := 0.0
		for _, n := range p.TestN[run*p.Folds : (run+1)*p.Folds] {
			tested += float64(n)
		}
		tested = min(tested, examples)
		most = max(most, tested)
		missed *= 1 - tested/examples
	}
	switch split.KindOf(p.CandidateHeader.Protocol) {
	case timeSeries, "predefined": // no run is known to test other examples
		return int(most)
	}
	return int(max(most, math.Floor(examples*(1-missed))))
}

func (q question) unseen() float64 {
	if q.items != nil {
		return q.items.unseen(q.tail())
	}
	if q.tested == 0 || q.unchanged || !q.unit.IsMean() {
		return 0
	}
	share, err := stat.Unseen(q.tested, q.tail())
	if err != nil {
		return 0
	}
	return share * q.unit.Span()
}

// missed returns the probability that the tested examples miss a change of the mean score by
// the given distance. It is 0 where that probability is unknown.
func (q question) missed(distance float64) float64 {
	if q.tested == 0 || q.unchanged || !q.unit.IsMean() || q.items != nil {
		return 0
	}
	p, err := stat.UnseenP(q.tested, distance/q.unit.Span())
	if err != nil {
		return 1
	}
	return p
}

// bounded takes into account what the tested examples may have missed: the half-width of the
// interval is at least unseen, and p at least the level at which it would end at the margin. If all
// scores are equal in a metric that is no mean over examples, the finding shows nothing, unless the
// learner is unchanged.
func (q question) bounded(f Finding, same bool) Finding {
	r := &f.Result
	if q.sayLittle(same) {
		f.P, f.Shown, f.Lo, f.Hi = 1, false, math.NaN(), math.NaN()
		return f
	}
	distance := r.Estimate - r.Null
	if r.Alternative == stat.Less {
		distance = -distance
	}
	if distance > 0 { // else the test shows nothing either
		p := q.missed(distance)
		f.P, f.Shown = max(f.P, p), f.Shown && p <= q.tail()
	}
	if u := q.unseen(); u > 0 && !math.IsNaN(f.Lo) {
		at := float64(q.unit.Better) * r.Estimate
		f.Lo, f.Hi = min(f.Lo, at-u), max(f.Hi, at+u)
	}
	return f
}

// TooNarrow says why so many tested examples cannot show the claim's margin without an improvement,
// which is known before any training. It is empty if they can, if there is no margin, or one in
// percent of a mean, and for metrics that are no means over examples.
func (c Claim) TooNarrow(u unit.Unit, tested int) string {
	c, err := c.WithDefaults(u)
	if err != nil {
		return "" // the verdict will say so
	}
	return question{Claim: c, unit: u, tested: tested}.seesTooLittle()
}

// seesTooLittle says why the tested examples cannot show the margin without an improvement; it
// is empty if they can.
func (q question) seesTooLittle() string {
	u, margin := q.unseen(), q.allowance()
	if u == 0 || margin == 0 || margin > u {
		return ""
	}
	return fmt.Sprintf("without an improvement %s cannot show a loss below %s, and the smallest round %s above that is %s",
		q.cases(), q.unit.FormatMargin(u), q.room(), q.unit.FormatMargin(roundAbove(u)))
}

// roundAbove returns the smallest number above x that has one digit.
func roundAbove(x float64) float64 {
	unit := math.Pow(10, math.Floor(math.Log10(x)))
	digit := math.Floor(x/unit) + 1
	return digit * unit
}
