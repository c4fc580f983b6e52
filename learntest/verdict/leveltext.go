package verdict

import (
	"fmt"
	"math"

	"github.com/learnbench/learnbench/learntest/unit"
)

// A levelText puts a verdict on an absolute claim into words.
type levelText struct{ *Verdict }

func (v levelText) least(score float64) string {
	if v.Unit.Better == unit.Lower {
		return "at most " + v.Unit.FormatScore(score)
	}
	return "at least " + v.Unit.FormatScore(score)
}

func (v levelText) most(score float64) string {
	if v.Unit.Better == unit.Lower {
		return "at least " + v.Unit.FormatScore(score)
	}
	return "at most " + v.Unit.FormatScore(score)
}

// statementLevel is Statement of an absolute claim.
func (v levelText) statementLevel() string {
	if v.Candidate == "" {
		return fmt.Sprintf("the candidate %s a threshold of %v", v.Claim.Kind, v.Claim.Threshold)
	}
	name := v.Unit.Name
	if name == "" {
		return unit.Printable(fmt.Sprintf("%s %s %v on %s", v.Candidate, v.Claim.Kind, v.Claim.Threshold,
			v.Data))
	}
	says := "reaches"
	if v.Claim.Kind == AtMost {
		says = "has at most"
	}
	return unit.Printable(fmt.Sprintf("%s %s %s %s on %s", v.Candidate, says,
		v.Unit.FormatScore(v.Claim.Threshold), name, v.Data))
}

// linesLevel adds the lines of an absolute claim.
func (v levelText) linesLevel(add func(key, format string, args ...any)) {
	x, u := v.Level, v.Unit
	add(u.Name, "%s, %.4g%% interval %s to %s", u.FormatScore(v.CandidateMean), 100*(1-v.Claim.Alpha),
		u.FormatScore(max(x.Lo, u.Min)), u.FormatScore(min(x.Hi, u.Max)))
	how := shownOrNot(v.Decision.Shown)
	if v.Outcome == Regressed {
		how = "refuted, " + v.most(x.Ceiling)
	}
	add("claim", "%s: %s, %s (one-sided %.4g%%), p = %s (it takes %.4g or less)", v.least(x.Threshold),
		how, v.least(x.Bound), 100*(1-v.Claim.Alpha), unit.FormatP(x.P), v.Claim.Alpha)
	test := v.Claim.Test.Name
	if x.Wilson != nil {
		test += fmt.Sprintf(" and wilson (%d examples)", x.Wilson.Examples)
	}
	add("test", "%s, n = %d×%d, %s", test, v.Runs, v.Folds, statistic(x.T))
	if v.Rerun != nil {
		add("rerun", "%s", v.Rerun)
	}
	if !v.Holds && v.Outcome != Regressed && !math.IsNaN(x.Needs) {
		add("help", "%s would pass with %s if its true %s were %s (%.4g%% power)", v.Candidate,
			u.FormatScore(x.Threshold), u.Name, u.FormatScore(x.Needs), 100*v.Claim.Power)
	}
	if !math.IsNaN(x.MeanFlips) {
		add("mean alone", "a test of the mean without an interval would flip between two partitions with probability %.2f, 90%% interval %.2f to %.2f", x.MeanFlips, x.FlipsLo, x.FlipsHi)
	}
}
