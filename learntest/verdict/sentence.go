package verdict

import (
	"fmt"
	"math"
	"strings"

	"github.com/learnbench/learnbench/learntest/unit"
)

// A sentence is the first line of a verdict.
type sentence struct{ *Verdict }

// difference says how much better or worse the candidate is.
func (v sentence) difference() string {
	size := v.Unit.FormatMargin(math.Abs(v.Estimate))
	how := size + " better than"
	switch {
	case size == v.Unit.FormatMargin(0):
		how = "on a par with"
	case float64(v.Unit.Better)*v.Estimate < 0:
		how = size + " worse than"
	}
	return unit.Printable(fmt.Sprintf("%s is %s %s on %s in %s", v.Candidate, how, v.Baseline,
		v.Data, v.Unit.Name))
}

// allowed says what the claim allows or requires.
func (v sentence) allowed() string {
	q := v.question()
	switch amount := v.Unit.FormatMargin(max(q.Margin, q.Rope)); {
	case v.Budget != nil:
		return ", of a budget of " + amount
	case q.Kind == NoRegression, q.Kind == Equivalent:
		return ", " + amount + " allowed"
	case q.Kind == Improves && q.gain() > 0:
		return ", more than " + v.Unit.FormatMargin(q.gain()) + " required"
	}
	return ""
}

// headline is the finding and its consequence in one sentence. Without a second opinion that
// agrees, the sentence is about models that learn from these examples.
func (v sentence) headline() string {
	if v.Claim.Kind.Absolute() {
		return v.bounded(levelText(v).statementLevel())
	}
	if v.Claim.Kind == RatioAtMost {
		return v.bounded(ratioText(v).statementRatio())
	}
	// Errors that were joined are separated by newlines.
	reason := unit.Printable(strings.ReplaceAll(v.Reason, "\n", "; "))
	if v.Outcome == Invalid || v.Candidate == "" {
		s := v.Outcome.String()
		switch {
		case strings.HasPrefix(reason, s+" "): // such as "invalid claim"
			s = reason
		case reason != "":
			s += ": " + reason
		}
		if v.Candidate != "" {
			s = unit.Printable(fmt.Sprintf("%s vs %s on %s: ", v.Candidate, v.Baseline, v.Data)) + s
		}
		return s
	}
	word := v.Outcome.String()
	if v.Holds && v.Claim.Kind != Differs {
		word = "holds"
	}
	if (v.Holds || v.Outcome > Inconclusive) && !v.same && v.Items == nil &&
		(v.Second == nil || !v.Second.Agrees) {
		word += " on this data set"
	}
	s := v.difference() + unit.Printable(v.allowed()) + ": " + word
	// That a plain comparison shows no difference is no failure to explain.
	if v.Reason != noDifference && reason != "" {
		s += "; " + reason
	}
	if alike := v.Alike(); alike != "" {
		s += "; " + alike
	}
	return s
}

// bounded is the first line of the verdict on a claim that a bound shows.
func (v sentence) bounded(statement string) string {
	word := v.Outcome.String()
	switch {
	case v.Holds:
		word = "shown"
	case v.Outcome == Regressed:
		word = "refuted"
	}
	if reason := unit.Printable(strings.ReplaceAll(v.Reason, "\n", "; ")); v.Outcome == Invalid &&
		reason != "" {
		word = strings.TrimPrefix(reason, "invalid claim: ")
	}
	return statement + ": " + word
}
