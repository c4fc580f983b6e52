package learntest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/learnbench/learnbench/learntest/metric"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/split"
)

// Errors that are recorded as the cause of a failed trial.
var (
	errGoexit  = errors.New("the learner ended its goroutine (did it call t.FailNow?)")
	errTimeout = errors.New("trial timed out")
	errNotReal = errors.New("not a finite number")
)

// errInterrupted is the outcome of a task that was not run to its end because the
// context ended. It says nothing of the learner, and is not recorded.
var errInterrupted = errors.New("interrupted")

// grace is how long a learner may take to return after its context has ended
// before it is left behind.
const grace = 500 * time.Millisecond

// A batch is the trials on one data set that are to be run.
type batch struct {
	input  *input
	plan   *split.Plan
	names  []string // of the learners
	cells  []cell
	trials []record.Trial // of each cell; those that were not run have no Run
	probe  *probe         // of the only cell; nil if it is not probed
}

// A cell is the place of a trial: run and fold, from 1, and the number of its
// learner.
type cell struct{ run, fold, learner int }

// record returns the cell as records name it.
func (b *batch) record(index int) record.Cell {
	c := b.cells[index]
	return record.Cell{Data: b.input.name, Learner: b.names[c.learner], Run: c.run, Fold: c.fold}
}

// An engine runs the trials of several batches on a bounded number of
// goroutines. No outcome depends on their number or their order.
type engine struct {
	batches  []*batch
	metrics  []metric.Metric
	seed     uint64
	timeout  time.Duration
	started  func(c record.Cell)   // called by many goroutines; nil if nobody wants to know
	finished func(t *record.Trial) // the same

	// predicted is called by many goroutines; nil if nobody wants to know.
	predicted func(c record.Cell, test []int, p *metric.Predictions)

	tasks   []task
	state   []atomic.Int32 // of each task
	next    atomic.Int64
	pending sync.WaitGroup
}

// A task is one trial or, with probe set, its repetition.
type task struct {
	batch, index int
	probe        bool
}

// The states of a task.
const (
	waiting int32 = iota
	running
	settled
)

func newEngine(batches []*batch, metrics []metric.Metric) *engine {
	e := &engine{batches: batches, metrics: metrics}
	for i, b := range batches {
		n := len(b.cells)
		b.trials = make([]record.Trial, n)
		values := make([]float64, n*len(metrics))
		for t := range n {
			b.trials[t].Values = values[t*len(metrics) : t*len(metrics) : (t+1)*len(metrics)]
			e.tasks = append(e.tasks, task{batch: i, index: t})
		}
	}
	for i, b := range batches {
		if b.probe != nil {
			e.tasks = append(e.tasks, task{batch: i, probe: true})
		}
	}
	e.state = make([]atomic.Int32, len(e.tasks))
	return e
}

// run runs all tasks on the given number of goroutines and returns when each has
// its outcome, or when ctx has ended: tasks that have not started are not run then,
// and learners that do not return are left behind. It returns the cells of
// these.
func (e *engine) run(ctx context.Context, parallel int) (stuck []record.Cell) {
	e.pending.Add(len(e.tasks))
	done := make(chan struct{})
	go func() {
		e.pending.Wait()
		close(done)
	}()
	for range min(parallel, len(e.tasks)) {
		e.startWorker(ctx)
	}
	select {
	case <-done:
		return nil
	case <-ctx.Done():
	}
	for i := range e.tasks {
		e.settle(i, waiting, nil, errInterrupted)
	}
	select {
	case <-done:
		return nil
	case <-time.After(grace):
	}
	defer func() { <-done }() // whoever has an outcome only writes it down now
	for i, t := range e.tasks {
		if e.settle(i, running, nil, errInterrupted) {
			stuck = append(stuck, e.batches[t.batch].record(t.index))
		}
	}
	return stuck
}

// settle records the outcome of task i unless somebody else has done so, and
// reports whether it has.
func (e *engine) settle(i int, from int32, a *attempt, err error) bool {
	if !e.state[i].CompareAndSwap(from, settled) {
		return false
	}
	defer e.pending.Done()
	if err == errInterrupted {
		return true
	}
	t := e.tasks[i]
	b := e.batches[t.batch]
	if t.probe {
		if err == nil {
			b.probe.second, b.probe.far = fingerprint(&a.predictions), a.further
		}
		return true
	}
	c := b.record(t.index)
	r := &b.trials[t.index]
	r.Data, r.Learner, r.Run, r.Fold = c.Data, c.Learner, c.Run, c.Fold
	r.TrainN, r.TestN = b.plan.Sizes(c.Run, c.Fold)
	if a != nil {
		r.FitSeconds, r.PredictSec = a.fit.Seconds(), a.predict.Seconds()
		if err == nil && b.probe != nil {
			b.probe.first, b.probe.near = fingerprint(&a.predictions), a.further
		}
		r.Values = append(r.Values, a.scores...)
	}
	if err != nil {
		r.Err, r.Values = record.Cause(err.Error()), nil
		if b.probe != nil {
			b.probe.err = err
		}
	}
	if e.predicted != nil && err == nil {
		e.predicted(c, a.test, &a.predictions)
	}
	if e.finished != nil {
		e.finished(r)
	}
	return true
}

// score computes the metrics of the predictions.
func (e *engine) score(a *attempt) error {
	a.scores = a.scores[:0]
	for _, m := range e.metrics {
		v, err := m.Eval(&a.predictions)
		if err != nil {
			return err
		}
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("metric %s is %v, %w", m.Name, v, errNotReal)
		}
		if v < m.Min || v > m.Max {
			return fmt.Errorf("metric %s is %v, outside its range %v to %v", m.Name, v, m.Min, m.Max)
		}
		a.scores = append(a.scores, v)
	}
	return nil
}

// A worker runs one task after another. If one outlasts its time, another
// worker takes its place, and this one ends when the learner returns.
type worker struct {
	e       *engine
	ctx     context.Context
	attempt attempt
	batch   int // whose indices attempt holds, with run and fold; run is 0 if there are none yet
	run     int
	fold    int
	task    int         // the current one
	lost    atomic.Bool // the worker has been replaced
}

func (e *engine) startWorker(ctx context.Context) {
	w := &worker{e: e, ctx: ctx}
	go w.loop()
}

func (w *worker) loop() {
	finished := false
	defer func() {
		if !finished { // runtime.Goexit by the learner
			w.e.settle(w.task, running, nil, errGoexit)
			if !w.lost.Load() {
				w.e.startWorker(w.ctx)
			}
		}
	}()
	for !w.lost.Load() && w.ctx.Err() == nil {
		i := int(w.e.next.Add(1)) - 1
		if i >= len(w.e.tasks) {
			break
		}
		if w.e.state[i].CompareAndSwap(waiting, running) {
			w.task = i
			w.runTask(i)
		}
	}
	finished = true
}

func (w *worker) runTask(i int) {
	e := w.e
	t := e.tasks[i]
	b := e.batches[t.batch]
	c := b.cells[t.index]
	if w.batch != t.batch || w.run != c.run || w.fold != c.fold {
		a := &w.attempt
		a.train, a.test = b.plan.Trial(c.run, c.fold, a.train[:0], a.test[:0])
		w.batch, w.run, w.fold = t.batch, c.run, c.fold
	}
	if t.probe && b.probe.first == nil {
		e.settle(i, running, nil, errInterrupted) // it failed the first time
		return
	}
	if e.started != nil {
		e.started(b.record(t.index))
	}
	w.attempt.further = further{rows: b.probe.wanted(t.probe)}
	seed := TrialSeed(e.seed, b.input.digest, c.run, c.fold)
	err := w.runTrial(i, b.input.trials[c.learner], seed)
	switch {
	case err != nil && w.ctx.Err() != nil:
		err = errInterrupted // whatever the learner made of it
	case err == nil && !t.probe:
		err = e.score(&w.attempt)
	}
	e.settle(i, running, &w.attempt, err)
}

// runTrial runs the trial of task i within its time.
func (w *worker) runTrial(i int, f trialFunc, seed uint64) error {
	limit := w.e.timeout
	if limit <= 0 {
		return protect(w.ctx, f, &w.attempt, seed)
	}
	late := fmt.Errorf("%w after %v", errTimeout, limit)
	ctx, cancel := context.WithTimeoutCause(w.ctx, limit, late)
	defer cancel()
	timer := time.AfterFunc(limit+grace, func() { w.leave(i) })
	defer timer.Stop()
	start := time.Now()
	err := protect(ctx, f, &w.attempt, seed)
	if took := time.Since(start) - w.attempt.further.took; took > limit && w.ctx.Err() == nil {
		return fmt.Errorf("%w: it took %v", late, took.Round(time.Millisecond))
	}
	return err
}

// leave gives up on the worker's task and starts another worker.
func (w *worker) leave(i int) {
	w.lost.Store(true)
	w.e.settle(i, running, nil, fmt.Errorf("%w after %v: the learner did not return", errTimeout, w.e.timeout))
	w.e.startWorker(w.ctx)
}

// protect runs f and turns a panic into an error that says where it arose.
func protect(ctx context.Context, f trialFunc, a *attempt, seed uint64) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v%s", r, panicSite())
		}
	}()
	return f(ctx, a, seed)
}

// panicSite returns the place of the innermost frame below the panic that is
// not of the runtime, as " (file.go:12)".
func panicSite() string {
	pc := make([]uintptr, 32)
	frames := runtime.CallersFrames(pc[:runtime.Callers(3, pc)])
	for {
		f, more := frames.Next()
		if f.Function != "" && !strings.HasPrefix(f.Function, "runtime.") {
			return fmt.Sprintf(" (%s:%d)", f.File[strings.LastIndexByte(f.File, '/')+1:], f.Line)
		}
		if !more {
			return ""
		}
	}
}
