package verdict

import (
	"math"

	"github.com/learnbench/learnbench/learntest/stat"
)

// needs returns the true score with which the claim holds with its power, by the standard error of
// the test and, for Wilson's bound, of as many examples. The error of a mean of hits at another score
// is as the standard deviation of a hit there.
func (l *leveling) needs() float64 {
	x := &l.level
	better := float64(l.Unit.Better)
	size, err := x.T.Detectable(l.Claim.Alpha, l.Claim.Power)
	if err != nil || x.T.SE == 0 {
		return math.NaN()
	}
	needs := l.Claim.Threshold + better*size
	if w := x.Wilson; w != nil {
		least, err := w.Least(l.share(l.Claim.Threshold))
		if err != nil || least >= 1 {
			return math.NaN()
		}
		power, err := stat.Wilson{Examples: w.Examples, Alpha: 1 - l.Claim.Power}.Least(least)
		if l.Claim.Power <= 0.5 || err != nil {
			return math.NaN()
		}
		if mean := l.share(l.CandidateMean); mean > 0 && mean < 1 {
			threshold, size := l.share(l.Claim.Threshold), size/l.Unit.Span()
			lo, hi := threshold, 1.0
			for range 60 { // a score near enough to the threshold is too low, and 1 is high enough
				p := (lo + hi) / 2
				if p-threshold > size*math.Sqrt(p*(1-p)/(mean*(1-mean))) {
					hi = p
				} else {
					lo = p
				}
			}
			needs = l.score(hi)
		}
		needs = worse(-better, needs, l.score(min(power, 1)))
	}
	if better*(needs-l.Unit.Best()) > 0 {
		return math.NaN()
	}
	return needs
}
