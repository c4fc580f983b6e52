package gotest

import (
	"context"
	"errors"
	"time"
)

var errDeadline = errors.New("the test's deadline is near")

// Deadline returns when go test ends a test; the zero time if nothing does. In a bubble of
// testing/synctest, whose clock is another one, nothing does, and a T that is asked panics.
func Deadline(t any) (end time.Time) {
	d, ok := t.(interface{ Deadline() (time.Time, bool) })
	if !ok {
		return time.Time{}
	}
	defer func() {
		if recover() != nil {
			end = time.Time{}
		}
	}()
	end, _ = d.Deadline()
	return end
}

// BeforeDeadline returns the context of a test, which ends in time to report if the test has a
// deadline.
func BeforeDeadline(t interface {
	Context() context.Context
	Cleanup(f func())
},
) context.Context {
	end := Deadline(t)
	if end.IsZero() {
		return t.Context()
	}
	// go test ends the whole process at the deadline.
	margin := min(max(time.Until(end)/20, time.Second), 10*time.Second)
	ctx, cancel := context.WithDeadlineCause(t.Context(), end.Add(-margin), errDeadline)
	t.Cleanup(cancel)
	return ctx
}
