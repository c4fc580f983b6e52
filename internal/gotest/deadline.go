package gotest

import (
	"context"
	"errors"
	"time"
)

var errDeadline = errors.New("the test's deadline is near")

// BeforeDeadline returns the context of a test, which ends in time to report if the test has a
// deadline.
func BeforeDeadline(t interface {
	Context() context.Context
	Cleanup(f func())
},
) context.Context {
	ctx := t.Context()
	d, ok := t.(interface{ Deadline() (time.Time, bool) })
	if !ok {
		return ctx
	}
	end, ok := d.Deadline()
	if !ok {
		return ctx
	}
	// go test ends the whole process at the deadline.
	margin := min(max(time.Until(end)/20, time.Second), 10*time.Second)
	ctx, cancel := context.WithDeadlineCause(ctx, end.Add(-margin), errDeadline)
	t.Cleanup(cancel)
	return ctx
}
