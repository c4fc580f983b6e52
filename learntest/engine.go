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
	errNoTime  = errors.New("not started")
	errNotReal = errors.New("not a finite number")
)

// grace is how long a learner may take to return after its context has ended
// before it is left behind.
const grace = 500 * time.Millisecond

// A batch is the trials of one data set that are to be run: those of the runs
// from..plan.Runs().
type batch struct {
	data    string // name of the data set
	digest  string
	plan    *split.Plan
	from    int
	names   []string // of the learners
	learner []trialFunc
	trials  []record.Trial // by run, fold and learner
	probes  []probe        // by learner
}

// A probe is the outcome of training the first trial of a learner twice: the
// fingerprints of the predictions, nil where a trial failed.
type probe struct{ first, second *uint64 }

func (b *batch) shape() (folds, learners int) { return b.plan.Folds(), len(b.names) }

// An engine runs the trials of several batches on a bounded number of
// goroutines. No outcome depends on their number or their order.
type engine struct {
	batches  []*batch
	metrics  []metric.Metric
	seed     uint64
	timeout  time.Duration
	finished func(batch int, t *record.Trial) // called by many goroutines

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
		folds, learners := b.shape()
		n := (b.plan.Runs() - b.from + 1) * folds * learners
		b.trials = make([]record.Trial, n)
		values := make([]record.Value, n*len(metrics))
		for t := range n {
			b.trials[t].Values = values[t*len(metrics) : t*len(metrics) : (t+1)*len(metrics)]
			e.tasks = append(e.tasks, task{batch: i, index: t})
		}
	}
	for i, b := range batches {
		for l := range b.probes {
			e.tasks = append(e.tasks, task{batch: i, index: l, probe: true})
		}
	}
	e.state = make([]atomic.Int32, len(e.tasks))
	return e
}

// run runs all tasks on the given number of goroutines and returns when each
// has its outcome. Once ctx has ended, tasks that have not started fail, and
// learners that do not return are left behind.
func (e *engine) run(ctx context.Context, parallel int) {
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
		return
	case <-ctx.Done():
	}
	cause := context.Cause(ctx)
	for i := range e.tasks {
		e.settle(i, waiting, nil, fmt.Errorf("%w: %w", errNoTime, cause))
	}
	select {
	case <-done:
		return
	case <-time.After(grace):
	}
	for i := range e.tasks {
		e.settle(i, running, nil, fmt.Errorf("the learner did not return: %w", cause))
	}
}

// settle records the outcome of task i unless somebody else has done so.
func (e *engine) settle(i int, from int32, a *attempt, err error) {
	if !e.state[i].CompareAndSwap(from, settled) {
		return
	}
	defer e.pending.Done()
	t := e.tasks[i]
	b := e.batches[t.batch]
	if t.probe {
		if err == nil {
			b.probes[t.index].second = fingerprint(&a.predictions)
		}
		return
	}
	r := &b.trials[t.index]
	run, fold, learner := b.cell(t.index)
	r.Data, r.Learner, r.Run, r.Fold = b.data, b.names[learner], run, fold
	r.TrainN, r.TestN = b.plan.Sizes(run, fold)
	if a != nil {
		r.FitSeconds, r.PredictSec = a.fit.Seconds(), a.predict.Seconds()
		if err == nil && t.index < len(b.probes) {
			b.probes[t.index].first = fingerprint(&a.predictions)
		}
		if err == nil {
			err = e.score(r, a)
		}
	}
	if err != nil {
		r.Err, r.Values = record.Cause(err.Error()), nil
	}
	if e.finished != nil {
		e.finished(t.batch, r)
	}
}

// cell returns the run, the fold and the learner of a trial.
func (b *batch) cell(index int) (run, fold, learner int) {
	folds, learners := b.shape()
	return b.from + index/(folds*learners), 1 + index/learners%folds, index % learners
}

func (e *engine) score(r *record.Trial, a *attempt) error {
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
		r.Values = append(r.Values, record.Value{Unit: m.Name, Value: v})
	}
	return nil
}

// A worker runs one task after another. If one outlasts its time, another
// worker takes its place, and this one ends when the learner returns.
type worker struct {
	e       *engine
	ctx     context.Context
	attempt attempt
	fold    int // of the batch whose indices attempt holds, counted over all runs; -1 if none
	batch   int
	task    int         // the current one
	lost    atomic.Bool // the worker has been replaced
}

func (e *engine) startWorker(ctx context.Context) {
	w := &worker{e: e, ctx: ctx, fold: -1}
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
	index := t.index // that of a probe is its learner's, and so of its first trial
	run, fold, learner := b.cell(index)
	if w.batch != t.batch || w.fold != index/len(b.names) {
		a := &w.attempt
		a.train, a.test = b.plan.Trial(run, fold, a.train[:0], a.test[:0])
		w.batch, w.fold = t.batch, index/len(b.names)
	}
	seed := TrialSeed(e.seed, b.digest, run, fold)
	ctx := w.ctx
	if e.timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, e.timeout, fmt.Errorf("%w after %v", errTimeout, e.timeout))
		defer cancel()
		timer := time.AfterFunc(e.timeout+grace, func() { w.leave(i) })
		defer timer.Stop()
	}
	err := protect(ctx, b.learner[learner], &w.attempt, seed)
	if err != nil && ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		err = context.Cause(ctx)
	}
	e.settle(i, running, &w.attempt, err)
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
