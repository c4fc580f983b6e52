package learnercheck

import (
	"fmt"

	"github.com/learnbench/learnbench/learntest/learner"
)

// A Flaw is a rule that a learner breaks, so that results that it is part of cannot be
// trusted. [Check] returns them, joined. It wraps [learner.ErrUnusable].
type Flaw struct {
	Rule    Rule   // the rule that is broken
	Learner string // its name
	Data    string // the name of the data set
	Err     error  // what happened
}

// Error returns what happened, what harm it does and what removes it, on a line each.
func (f *Flaw) Error() string {
	return fmt.Sprintf("%v: %s on data set %s: %s: %v\n\tharm: %s\n\tremedy: %s", learner.ErrUnusable,
		f.Learner, f.Data, f.Rule, f.Err, f.Harm(), f.Remedy())
}

// Unwrap returns ErrLearner and what happened.
func (f *Flaw) Unwrap() []error { return []error{learner.ErrUnusable, f.Err} }

// Harm says why it matters.
func (f *Flaw) Harm() string {
	if i := f.Rule.index(); i >= 0 {
		return rules()[i].harm
	}
	return "unknown"
}

// Remedy says what to do about it.
func (f *Flaw) Remedy() string {
	if i := f.Rule.index(); i >= 0 {
		return rules()[i].remedy
	}
	return "unknown"
}

// An Outcome is the result of the check of a rule.
type Outcome string

// The outcomes.
const (
	Passed  Outcome = "ok"
	Failed  Outcome = "FAILED"
	Allowed Outcome = "allowed" // to fail, and has
	Refused Outcome = "refused" // by an error, which a program may answer here
	Skipped Outcome = "skipped" // there was nothing to be seen
)

// A Finding is the result of the check of a rule on one data set.
type Finding struct {
	Rule    Rule
	Data    string // the name of the data set
	Outcome Outcome
	Detail  string // more on the outcome, or empty
	Flaw    *Flaw  // of Failed and Allowed; else nil
}
