package verdict

import (
	"errors"
	"fmt"
	"math"
	"regexp"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/stat"
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
		return unit.Printable(fmt.Sprintf("%s %s %v on %s", v.Candidate, v.Claim.Kind, v.Claim.Threshold, v.Data))
	}
	says := "reaches"
	if v.Claim.Kind == AtMost {
		says = "has at most"
	}
	return unit.Printable(fmt.Sprintf("%s %s %s %s on %s", v.Candidate, says, v.Unit.FormatScore(v.Claim.Threshold), name, v.Data))
}

// linesLevel adds the lines of an absolute claim.
func (v levelText) linesLevel(add func(key, format string, args ...any)) {
	x, u := v.Level, v.Unit
	add(u.Name, "%s, %.4g%% interval %s to %s", u.FormatScore(v.CandidateMean), 100*(1-v.Claim.Alpha), u.FormatScore(max(x.Lo, u.Min)), u.FormatScore(min(x.Hi, u.Max)))
	how := shownOrNot(v.Decision.Shown)
	if v.Outcome == Regressed {
		how = "refuted, " + v.most(x.Ceiling) + " and"
	}
	add("claim", "%s: %s, %s (one-sided %.4g%%), p = %s (it takes %.4g or less)", v.least(x.Threshold), how, v.least(x.Bound), 100*(1-v.Claim.Alpha), unit.FormatP(x.P), v.Claim.Alpha)
	test := v.Claim.Test.Name
	if x.Wilson != nil {
		test += fmt.Sprintf(" and wilson (%d examples)", x.Wilson.Examples)
	}
	add("test", "%s, n = %d×%d, %s", test, v.Runs, v.Folds, statistic(x.T))
	if v.Rerun != nil {
		add("rerun", "%s", v.Rerun)
	}
	if !v.Holds && v.Outcome != Regressed && !math.IsNaN(x.Needs) {
		add("help", "%s would pass with %s if its true %s were %s (%.4g%% power)", v.Candidate, u.FormatScore(x.Threshold), u.Name, u.FormatScore(x.Needs), 100*v.Claim.Power)
	}
	if !math.IsNaN(x.MeanFlips) {
		add("mean alone", "a test of the mean without an interval would flip between two partitions with probability %.2f, 90%% interval %.2f to %.2f", x.MeanFlips, x.FlipsLo, x.FlipsHi)
	}
}

// otherSeed finds the seed of a protocol that is not the default one.
var otherSeed = regexp.MustCompile(`\bseed=(\d+)\b`)

// warnLevel adds the doubts that do not forbid the verdict.
func (l *leveling) warnLevel() {
	add := func(format string, args ...any) { l.Warnings = append(l.Warnings, fmt.Errorf(format, args...)) }
	if m := otherSeed.FindStringSubmatch(l.CandidateHeader.Protocol); m != nil && m[1] != "1" {
		add("the seed is %s, not 1: a seed that is chosen until a claim holds makes it hold wrongly", m[1])
	}
	for _, w := range l.level.T.Warnings {
		if errors.Is(w, stat.ErrZeroVariance) {
			w = fmt.Errorf("no fold has another score than the others: %w", w)
		}
		l.Warnings = append(l.Warnings, w)
	}
	if err := l.LearnedNothing(); err != nil {
		l.Warnings = append(l.Warnings, err)
	}
	switch l.CandidateHeader.Probe(l.Candidate) {
	case record.NotProbed:
		add("%s was not trained again: nobody knows whether its seed fixes it, or whether it keeps something between trainings", l.Candidate)
	case record.NotDeterministic:
		add("%s is not deterministic: trained twice with the same seed, it predicted differently, so that a rerun differs by more than the partition", l.Candidate)
	}
}
