package trial

import (
	"context"
	"runtime"
	"time"
)

// A Sketch is what the training of a learner on a sample took, with predictions of a sample.
type Sketch struct {
	Examples int // trained on
	Took     time.Duration
	Bytes    uint64 // of memory that were allocated by the whole process
}

// Sketch trains a learner on some examples and has it predict others. When the context ends, a
// learner that does not return is left behind.
func (d *Data) Sketch(ctx context.Context, learner int, train, test []int) (Sketch, error) {
	type outcome struct {
		Sketch
		err error
	}
	done := make(chan outcome, 1)
	go func() {
		out := outcome{err: ErrGoexit}
		defer func() { done <- out }()
		a := &Attempt{Train: train, Test: test}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		began := time.Now()
		err := Protect(ctx, d.Funcs[learner], a, 1)
		took := time.Since(began)
		runtime.ReadMemStats(&after)
		out = outcome{Sketch{len(train), took, after.TotalAlloc - before.TotalAlloc}, err}
	}()
	select {
	case out := <-done:
		return out.Sketch, out.err
	case <-ctx.Done():
	}
	select {
	case out := <-done:
		return out.Sketch, out.err
	case <-time.After(Grace):
		return Sketch{}, context.Cause(ctx)
	}
}
