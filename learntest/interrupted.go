package learntest

import (
	"fmt"
	"strings"

	"github.com/learnbench/learnbench/learntest/record"
)

// An interruptedError says that a context ended before all trials were run, and how
// far they got.
type interruptedError struct {
	Done, Total int           // trials
	Stuck       []record.Cell // trials whose learners did not return
	Partial     string        // file with the trials that were run; empty if no results are written
	Resume      string        // what makes the next run go on from there
	Price       string        // what a trial on large data was expected to take; empty if nobody knows
	Cause       error         // of the end of the context
}

// Error says how far the trials got and what to do.
func (e *interruptedError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "interrupted: %v: %d of %d trials were run", e.Cause, e.Done, e.Total)
	if e.Partial != "" {
		fmt.Fprintf(&b, " and are in %s, which goes when that run is repeated to its end: %s goes on from there", e.Partial, e.Resume)
	}
	for i, c := range e.Stuck {
		fmt.Fprintf(&b, "%s%v", [...]string{"; the learner did not return: ", "; "}[min(i, 1)], c)
	}
	if e.Price != "" {
		fmt.Fprintf(&b, "; %s", e.Price)
	}
	return b.String()
}

// Unwrap returns the cause.
func (e *interruptedError) Unwrap() error { return e.Cause }
