package learnercheck

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/learnbench/learnbench/learntest/internal/trial"
)

// attempts is how often a learner that is usually quick is asked to end in time: a busy machine
// can make it late.
const attempts = 3

// checkContext ends the context before Fit, in the middle of a long Fit, and between Fit and
// the prediction, and sees how long the learner takes to return.
func checkContext(ctx context.Context, b *bench) error {
	fit, predict := b.alone[0].fit, b.alone[0].predict
	for _, c := range []struct {
		what  string
		usual time.Duration // that it takes
		after time.Duration // Fit has begun; less than 0 after it has ended
	}{
		{"Fit", fit, 0},
		{"Fit", fit, fit / 4},
		{"the prediction", predict, -1},
	} {
		if c.after > 0 && c.usual < 2*trial.Grace {
			continue
		}
		var late error
		for range attempts {
			took, returned := b.ending(ctx, c.after, 2*c.usual)
			if ctx.Err() != nil || returned && took <= trial.Grace {
				late = nil
				break
			}
			late = fmt.Errorf("%s took %v to return after its context had ended", c.what,
				took.Round(time.Millisecond))
			if !returned {
				late = fmt.Errorf("%s had not returned %v after its context had ended", c.what,
					took.Round(time.Millisecond))
			}
			if !returned || c.usual > trial.Grace {
				break
			}
		}
		if late != nil {
			return late
		}
	}
	return nil
}

var errEnded = errors.New("the context of this test has ended")

// ending trains the learner under a context that ends a while after Fit has begun, or when it
// has returned if that is less than 0. It returns how long the learner went on, and whether it has
// returned in the end, for which it has as much time as given after its grace.
func (b *bench) ending(ctx context.Context, after, patience time.Duration) (took time.Duration,
	returned bool,
) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	ended := make(chan time.Time, 1)
	end := func() {
		ended <- time.Now()
		cancel(errEnded)
	}
	if after == 0 {
		end()
	}
	done := make(chan struct{})
	f := b.folds[0]
	go func() {
		defer close(done)
		_ = guarded(func() error { // its result does not count
			m, err := b.material.fit(ctx, slices.Clone(f.train), f.seed)
			if after < 0 {
				end()
				if err == nil {
					_, err = m.predict(ctx, f.asked)
				}
			}
			if m != nil {
				err = errors.Join(err, m.Close())
			}
			return err
		})
	}()
	if after > 0 {
		defer time.AfterFunc(after, end).Stop()
	}
	var since time.Time
	select {
	case since = <-ended:
	case <-done:
		return 0, true
	}
	timer := time.NewTimer(trial.Grace + patience)
	defer timer.Stop()
	select {
	case <-done:
		returned = true
	case <-timer.C:
	}
	return time.Since(since), returned
}
