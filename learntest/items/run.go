package items

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/learnbench/learnbench/learntest/record"
)

// A call is a request for one answer.
type call struct {
	learner, item, repeat int    // from 0
	id                    string // of the item
	ask                   func(ctx context.Context, repeat int) (Scores, error)
}

// An engine asks for answers.
type engine struct {
	cfg    Config
	there  map[place]bool // answers that are in the block already
	keeper *keeper

	mu    sync.Mutex
	spent float64 // of the budget
}

// A place is where an answer is in a block.
type place struct {
	learner   string
	run, fold int
}

func placeOf(t *record.Trial) place { return place{t.Learner, t.Run, t.Fold} }

var (
	errSpent   = errors.New("the budget is spent")
	errTimeout = errors.New("no answer in time")
)

// run asks for all answers that are not there, and adds them to the block. The error says why some were not asked for.
func (e *engine) run(ctx context.Context, b *record.Block, all []call) error {
	var calls []call
	for _, c := range all {
		if t := c.trial(b); !e.there[placeOf(&t)] {
			calls = append(calls, c)
		}
	}
	trials := make([]record.Trial, len(calls))
	var broken atomic.Pointer[error] // nothing can be kept
	stop := func() error {
		if err := broken.Load(); err != nil {
			return *err
		}
		if e.isSpent() {
			return fmt.Errorf("%w: %v %s of %v", errSpent, e.sum(), e.cfg.BudgetMetric, e.cfg.Budget)
		}
		return context.Cause(ctx)
	}
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(e.cfg.Parallel, len(calls)) {
		wg.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= len(calls) || stop() != nil {
					return
				}
				trials[i] = e.trial(ctx, b, &calls[i])
				if err := e.keeper.keep(trials[i]); err != nil {
					broken.Store(&err)
				}
			}
		})
	}
	wg.Wait()
	for i := range trials {
		if trials[i].Run == 0 {
			continue
		}
		if err := b.Add(trials[i]); err != nil {
			return err
		}
	}
	if b.Len() < len(all) {
		return fmt.Errorf("%d of %d answers: %w", b.Len(), len(all), stop())
	}
	return nil
}

// trial returns the trial of a call, without an answer.
func (c *call) trial(b *record.Block) record.Trial {
	return record.Trial{Data: b.Header.Data, Learner: b.Learners[c.learner], Run: c.repeat + 1, Fold: c.item + 1, TestN: 1}
}

func (e *engine) sum() float64 {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.spent
}

// spend adds a cost to the sum.
func (e *engine) spend(cost float64) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if cost > 0 { // and no NaN
		e.spent += cost
	}
}

// cost returns what an answer with these scores has cost.
func (e *engine) cost(values []float64) float64 {
	for i, u := range e.cfg.Metrics {
		if u.Name == e.cfg.BudgetMetric {
			return values[i]
		}
	}
	return 0
}

// isSpent reports whether there is a budget, and nothing left of it.
func (e *engine) isSpent() bool { return e.cfg.Budget > 0 && e.sum() >= e.cfg.Budget }

// trial returns the trial of a call; one without a run if the test has ended before the answer came.
func (e *engine) trial(ctx context.Context, b *record.Block, c *call) record.Trial {
	t := c.trial(b)
	cell := t.Cell()
	cell.Item = c.id
	e.keeper.started(cell)
	began := time.Now()
	scores, err := e.answer(ctx, c)
	t.PredictSec = time.Since(began).Seconds()
	cost := scores[e.cfg.BudgetMetric]
	e.spend(cost)
	if err == nil {
		t.Values, err = e.values(scores)
	}
	switch {
	case err == nil:
		return t
	case ctx.Err() != nil: // it may have been cut short
		t = record.Trial{}
	default:
		t.Values, t.Err = nil, record.Cause(err.Error())
	}
	e.keeper.spent(cell, cost)
	return t
}

// values returns the scores in the order of the metrics.
func (e *engine) values(scores Scores) ([]float64, error) {
	values := make([]float64, len(e.cfg.Metrics))
	for i, u := range e.cfg.Metrics {
		x, ok := scores[u.Name]
		switch {
		case !ok:
			return nil, fmt.Errorf("the answer has no score in %s", u.Name)
		case !(x >= u.Min && x <= u.Max) || x-x != 0:
			return nil, fmt.Errorf("%s is %v, which is not from %v to %v", u.Name, x, u.Min, u.Max)
		}
		values[i] = x
	}
	if len(scores) > len(values) {
		for name := range scores {
			if !e.declares(name) {
				return nil, fmt.Errorf("the answer has a score in %s, which Config.Metrics does not declare: add it, or leave it out", name)
			}
		}
	}
	return values, nil
}

func (e *engine) declares(name string) bool {
	for _, u := range e.cfg.Metrics {
		if u.Name == name {
			return true
		}
	}
	return false
}

// answer asks for an answer, and returns when it comes, or its time is over.
func (e *engine) answer(ctx context.Context, c *call) (Scores, error) {
	if e.cfg.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, e.cfg.Timeout, fmt.Errorf("%w: it took more than %v", errTimeout, e.cfg.Timeout))
		defer cancel()
	}
	type outcome struct {
		scores Scores
		err    error
	}
	done := make(chan outcome, 1)
	go func() {
		o := outcome{err: errors.New("the goroutine of the system has ended")}
		defer func() {
			if r := recover(); r != nil {
				o = outcome{err: fmt.Errorf("panic: %v", r)}
			}
			done <- o
		}()
		o.scores, o.err = c.ask(ctx, c.repeat+1)
	}()
	select {
	case o := <-done:
		if cause := context.Cause(ctx); cause != nil { // it may have been cut short
			return o.scores, cause
		}
		return o.scores, o.err
	case <-ctx.Done():
	}
	select {
	case o := <-done:
		return o.scores, context.Cause(ctx)
	default:
		return nil, context.Cause(ctx)
	}
}
