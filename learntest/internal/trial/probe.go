package trial

import (
	"context"
	"time"

	"github.com/learnbench/learnbench/learntest/record"
)

// A Probe is what came of training a learner twice on the same cell.
type Probe struct {
	Err error // of the first time

	first, second *uint64 // fingerprints of the predictions; nil where there are none
	near, far     further // predictions beyond the cell, of the first and the second time
}

// A further is what a model predicts of examples beyond those of its trial: a learner that its seed
// does not fix may well agree with itself on the few of one fold.
type further struct {
	rows int     // how many; at first, those that are wanted
	sum  *uint64 // fingerprint; nil if they were not predicted
	took time.Duration
}

// mostFurther is how many examples are predicted further: what a lazy learner predicts in a few
// folds of a data set of a thousand.
const mostFurther = 300

// Outcome returns it as a header has it.
func (p *Probe) Outcome() string {
	switch {
	case p.first == nil || p.second == nil:
		return record.NotProbed
	case *p.first != *p.second:
		return record.NotDeterministic
	case p.near.sum != nil && p.far.sum != nil && p.near.rows == p.far.rows && *p.near.sum != *p.far.sum:
		return record.NotDeterministic
	}
	return record.Deterministic
}

// wanted returns how many examples the first or the second model is to predict further.
func (p *Probe) wanted(second bool) int {
	switch {
	case p == nil:
		return 0
	case second:
		return p.near.rows
	}
	return mostFurther
}

// take takes note of the predictions of the first or the second model.
func (p *Probe) take(a *Attempt, second bool) {
	sum := a.Fingerprint()
	if second {
		p.second, p.far = &sum, a.further
	} else {
		p.first, p.near = &sum, a.further
	}
}

// IsProbed reports whether the model is to predict more than the test examples: see
// [Attempt.PredictFurther].
func (a *Attempt) IsProbed() bool { return a.further.rows > 0 }

// PredictFurther has the model of an attempt predict examples from all over the n of the data,
// after those of the trial, as many as are wanted and there is time for. That it cannot is no
// failure of the trial: it may not be made for these.
func (a *Attempt) PredictFurther(ctx context.Context, n int, predict func(ctx context.Context, a *Attempt) error) {
	start := time.Now()
	rows := min(a.further.rows, n)
	if end, ok := ctx.Deadline(); ok && a.Predict > 0 {
		rows = int(min(float64(rows), float64(len(a.Test))*float64(time.Until(end))/2/float64(a.Predict)))
	}
	a.further = further{rows: max(0, rows)}
	if rows <= 0 {
		return
	}
	all := &Attempt{Test: make([]int, rows)}
	for i := range all.Test {
		all.Test[i] = i * n / rows
	}
	err := Protect(ctx, func(ctx context.Context, all *Attempt, _ uint64) error { return predict(ctx, all) }, all, 0)
	if err == nil {
		sum := all.Fingerprint()
		a.further.sum = &sum
	}
	a.further.took = time.Since(start)
}
