package trial

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/learnbench/learnbench/learntest/split"
)

// A worker runs one task after another. If one outlasts its time, another
// worker takes its place, and this one ends when the learner returns.
type worker struct {
	q       *queue
	ctx     context.Context
	attempt Attempt
	batch   int // whose indices attempt holds, with run and fold; run is 0 if there are none yet
	run     int
	fold    int
	seed    uint64      // of all learners there
	task    int         // the current one
	lost    atomic.Bool // the worker has been replaced
}

func startWorker(ctx context.Context, q *queue) {
	w := &worker{q: q, ctx: ctx}
	go w.loop()
}

func (w *worker) loop() {
	finished := false
	defer func() {
		if !finished { // runtime.Goexit by the learner
			w.q.settle(w.task, running, nil, ErrGoexit)
			if !w.lost.Load() {
				startWorker(w.ctx, w.q)
			}
		}
	}()
	for !w.lost.Load() && w.ctx.Err() == nil {
		i, ok := w.q.begin()
		if !ok {
			break
		}
		w.task = i
		w.runTask(i)
	}
	finished = true
}

func (w *worker) runTask(i int) {
	q := w.q
	t := q.tasks[i]
	b := q.batches[t.batch]
	c := b.Cells[t.index]
	if w.batch != t.batch || w.run != c.Run || w.fold != c.Fold {
		a := &w.attempt
		a.Train, a.Test = b.Plan.Trial(c.Run, c.Fold, a.Train[:0], a.Test[:0])
		w.batch, w.run, w.fold = t.batch, c.Run, c.Fold
		w.seed = split.TrialSeed(b.seed, b.Data.Digest, c.Run, c.Fold)
	}
	if q.Started != nil {
		q.Started(b.Record(t.index))
	}
	w.attempt.Reference = false
	w.attempt.further = further{rows: b.printOf(t.index).wanted()}
	err := w.runTrial(i, b.Data.Funcs[c.Learner], w.seed)
	switch {
	case err != nil && w.ctx.Err() != nil:
		err = errInterrupted // whatever the learner made of it
	case err == nil:
		if err = w.attempt.score(q.Metrics); err == nil {
			err = b.slicing.score(&w.attempt)
		}
	}
	q.settle(i, running, &w.attempt, err)
}

// runTrial runs the trial of task i within its time.
func (w *worker) runTrial(i int, f Func, seed uint64) error {
	limit := w.q.Timeout
	if limit <= 0 {
		return Protect(w.ctx, f, &w.attempt, seed)
	}
	late := fmt.Errorf("%w after %v", errTimeout, limit)
	ctx, cancel := context.WithTimeoutCause(w.ctx, limit, late)
	defer cancel()
	timer := time.AfterFunc(limit+Grace, func() { w.leave(i) })
	defer timer.Stop()
	start := time.Now()
	err := Protect(ctx, f, &w.attempt, seed)
	if took := time.Since(start) - w.attempt.further.took; took > limit && w.ctx.Err() == nil {
		return fmt.Errorf("%w: it took %v", late, took.Round(time.Millisecond))
	}
	return err
}

// leave gives up on the worker's task and starts another worker.
func (w *worker) leave(i int) {
	w.lost.Store(true)
	w.q.settle(i, running, nil, fmt.Errorf("%w after %v: the learner did not return", errTimeout,
		w.q.Timeout))
	startWorker(w.ctx, w.q)
}
