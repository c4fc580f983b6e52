package trial

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/learnbench/learnbench/learntest/metric"
	"github.com/learnbench/learnbench/learntest/record"
)

// errInterrupted is the outcome of a task that was not run to its end because the
// context ended. It says nothing of the learner, and is not recorded.
var errInterrupted = errors.New("interrupted")

// Grace is how long a learner may take to return after its context has ended
// before it is left behind.
const Grace = 500 * time.Millisecond

// An Engine runs the trials of several batches on a bounded number of
// goroutines. No outcome depends on their number or their order.
type Engine struct {
	Metrics  []metric.Metric
	Parallel int           // goroutines, at least 1
	Timeout  time.Duration // of a trial; if zero, only the context limits it

	// Started, Finished and Predicted are called by many goroutines at once; nil if nobody
	// wants to know. Finished is called with each trial, Predicted with each that did not fail.
	Started   func(c record.Cell)
	Finished  func(t *record.Trial)
	Predicted func(c record.Cell, test []int, p *metric.Predictions)
}

// Run runs all cells of the batches and returns when each has its outcome, or when ctx has
// ended: trials that have not started are not run then, and learners that do not return are
// left behind. It returns the cells of these.
func (e Engine) Run(ctx context.Context, batches ...*Batch) (stuck []record.Cell) {
	q := &queue{Engine: e, batches: batches}
	for i, b := range batches {
		b.begin(len(e.Metrics))
		for t := range b.alternating() {
			q.tasks = append(q.tasks, task{batch: i, index: t})
		}
	}
	q.state = make([]atomic.Int32, len(q.tasks))
	return q.run(ctx)
}

// A queue is the tasks of one call of Run, of which workers take one after another.
type queue struct {
	Engine
	batches []*Batch
	tasks   []task
	state   []atomic.Int32 // of each task
	next    atomic.Int64
	pending sync.WaitGroup
}

// A task is one trial.
type task struct{ batch, index int }

// The states of a task.
const (
	waiting int32 = iota
	running
	settled
)

func (q *queue) run(ctx context.Context) (stuck []record.Cell) {
	q.pending.Add(len(q.tasks))
	done := make(chan struct{})
	go func() {
		q.pending.Wait()
		close(done)
	}()
	for range min(q.Parallel, len(q.tasks)) {
		startWorker(ctx, q)
	}
	select {
	case <-done:
		return nil
	case <-ctx.Done():
	}
	for i := range q.tasks {
		q.settle(i, waiting, nil, errInterrupted)
	}
	select {
	case <-done:
		return nil
	case <-time.After(Grace):
	}
	defer func() { <-done }() // whoever has an outcome only writes it down now
	for i, t := range q.tasks {
		if q.settle(i, running, nil, errInterrupted) {
			stuck = append(stuck, q.batches[t.batch].Record(t.index))
		}
	}
	return stuck
}

// settle records the outcome of task i unless somebody else has done so, and
// reports whether it has.
func (q *queue) settle(i int, from int32, a *Attempt, err error) bool {
	if !q.state[i].CompareAndSwap(from, settled) {
		return false
	}
	defer q.pending.Done()
	if err == errInterrupted {
		return true
	}
	t := q.tasks[i]
	b := q.batches[t.batch]
	trial := b.write(t.index, a, err)
	if q.Predicted != nil && err == nil {
		q.Predicted(trial.Cell(), a.Test, &a.Predictions)
	}
	if q.Finished != nil {
		q.Finished(trial)
	}
	return true
}

// begin returns the next task that nobody runs yet; false if there is none.
func (q *queue) begin() (int, bool) {
	for {
		i := int(q.next.Add(1)) - 1
		if i >= len(q.tasks) {
			return 0, false
		}
		if q.state[i].CompareAndSwap(waiting, running) {
			return i, true
		}
	}
}
