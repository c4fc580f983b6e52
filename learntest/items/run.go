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
	asking asking // how answers are asked for

	mu       sync.Mutex
	spent    float64                 // of the budget
	recorded map[place]record.Replay // of answers that rest on recorded responses
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

// run asks for all answers that are not there, and adds them to the block. The error says why some
// were not asked for.
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
	e.each(len(calls), func(i int) bool {
		if stop() != nil {
			return false
		}
		trials[i], _ = e.trial(ctx, b, &calls[i], e.keeper)
		if err := e.keeper.keep(trials[i]); err != nil {
			broken.Store(&err)
		}
		return true
	})
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
	e.addReplays(b)
	return nil
}

// each calls a function with the numbers below n, as often at a time as answers are asked for,
// until it returns false.
func (e *engine) each(n int, f func(i int) bool) {
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(e.cfg.Parallel, n) {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < n && f(i); i = int(next.Add(1)) - 1 {
				continue
			}
		})
	}
	wg.Wait()
}

// addReplays adds to the header how many answers of each system rest on recorded responses.
func (e *engine) addReplays(b *record.Block) {
	for _, name := range b.Learners {
		var sum record.Replay
		for at, r := range e.recorded {
			if at.learner == name {
				sum.Add(r)
			}
		}
		b.Header.Of(name).SetReplay(sum)
	}
}

// trial returns the trial of a call, without an answer.
func (c *call) trial(b *record.Block) record.Trial {
	return record.Trial{
		Data: b.Header.Data, Learner: b.Learners[c.learner], Run: c.repeat + 1,
		Fold: c.item + 1, TestN: 1,
	}
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

// trial returns the trial of a call; one without a run if the test has ended before the answer
// came. It returns, too, whether the answer has used recorded responses.
func (e *engine) trial(ctx context.Context, b *record.Block, c *call, k *keeper) (t record.Trial,
	recorded bool,
) {
	t = c.trial(b)
	cell := t.Cell()
	cell.Item = c.id
	k.started(cell)
	a := e.asking.of(t.Learner, b.Header.Of(t.Learner).Version(), t.Run)
	began := time.Now()
	scores, err := e.answer(context.WithValue(ctx, askingKey{}, a), c)
	t.PredictSec = time.Since(began).Seconds()
	cost := scores[e.cfg.BudgetMetric]
	e.spend(cost)
	if err == nil {
		t.Values, err = e.values(scores)
	}
	switch {
	case err == nil:
		replay := a.replay()
		e.replays(placeOf(&t), replay)
		k.replayed(cell, replay)
		return t, a.isUsed()
	case ctx.Err() != nil: // it may have been cut short
		t = record.Trial{}
	default:
		t.Values, t.Err = nil, record.Cause(err.Error())
	}
	e.keeper.spent(cell, cost)
	return t, a.isUsed()
}

// replays takes note that an answer rests on recorded responses.
func (e *engine) replays(at place, r record.Replay) {
	if r.Answers > 0 {
		e.mu.Lock()
		defer e.mu.Unlock()
		e.recorded[at] = r
	}
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
		ctx, cancel = context.WithTimeoutCause(ctx, e.cfg.Timeout, fmt.Errorf("%w: it took more than %v",
			errTimeout, e.cfg.Timeout))
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
