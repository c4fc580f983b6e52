package learntest

import (
	"context"
	"time"

	"github.com/learnbench/learnbench/learntest/record"
)

// A probe is what came of training a learner twice on the same cell.
type probe struct {
	err           error   // of the first time
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

// outcome returns it as a header has it.
func (p *probe) outcome() string {
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
func (p *probe) wanted(second bool) int {
	switch {
	case p == nil:
		return 0
	case second:
		return p.near.rows
	}
	return mostFurther
}

// predictFurther has the model of an attempt predict examples from all over the data, after those
// of the trial, as many as are wanted and there is time for. That it cannot is no failure of the
// trial: it may not be made for these.
func (s *source[X, Y]) predictFurther(ctx context.Context, m predictor[X, Y], a *attempt) {
	start, n := time.Now(), s.data.Len()
	rows := min(a.further.rows, n)
	if end, ok := ctx.Deadline(); ok && a.predict > 0 {
		rows = int(min(float64(rows), float64(len(a.test))*float64(time.Until(end))/2/float64(a.predict)))
	}
	a.further = further{rows: max(0, rows)}
	if rows <= 0 {
		return
	}
	all := &attempt{test: make([]int, rows)}
	for i := range all.test {
		all.test[i] = i * n / rows
	}
	s.prepare(all)
	err := protect(ctx, func(ctx context.Context, all *attempt, _ uint64) error { return m.predict(ctx, s, all) }, all, 0)
	if err == nil {
		a.further.sum = fingerprint(&all.predictions)
	}
	a.further.took = time.Since(start)
}
