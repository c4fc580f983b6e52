package process

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/learner"
)

// A Learner is a program that learns. It is safe for concurrent use: each model
// has a running program of its own, which serves another one when the model is closed.
// Which one serves a model makes no difference, if the program draws its random numbers from
// the seed and keeps nothing else from trial to trial.
type Learner struct {
	cfg      Config
	template *template // nil if the program speaks the protocol
	stderr   *stderrLog
	opened   func() error // opens what the program depends on, once

	mu      sync.Mutex
	free    []*child // the one that was used last is at the end
	running map[*child]bool
	closed  bool
}

// New returns the learner that a program is. It starts the program only when a
// model is trained. The error wraps [ErrConfig].
func New(cfg Config) (*Learner, error) {
	cfg, err := cfg.withDefaults()
	if err != nil {
		return nil, err
	}
	t, err := newTemplate(cfg.Args)
	if err != nil {
		return nil, err
	}
	l := &Learner{
		cfg: cfg, template: t, stderr: newStderrLog(cfg.Stderr, cfg.Name),
		running: make(map[*child]bool),
	}
	l.opened = sync.OnceValue(func() error { return openDepends(cfg) })
	return l, nil
}

// Name returns the learner's name.
func (l *Learner) Name() string { return l.cfg.Name }

// Fit has the program learn from the given rows of a table, which has a nominal
// class or a numeric target. Rows where that is missing do not count. All random numbers of
// the program are to come from seed. The model must be closed.
//
// The error wraps [learner.ErrTraining] if the rows cannot be learned from, one of the errors
// of this package if the program is at fault, or is the cause of the context's end.
func (l *Learner) Fit(ctx context.Context, t *dataset.Table, rows []int, seed uint64) (*Model,
	error,
) {
	if err := l.opened(); err != nil {
		return nil, err
	}
	s, err := newSample(t, rows, seed)
	if err != nil {
		return nil, err
	}
	if l.template != nil {
		return l.fitFiles(s)
	}
	c, err := l.take(ctx)
	if err != nil {
		return nil, err
	}
	kind, err := c.fit(ctx, s)
	if err != nil {
		l.give(c)
		return nil, err
	}
	return &Model{
		sample:  s,
		kind:    kind,
		predict: c.predict,
		close:   func() { l.give(c) },
	}, nil
}

var errClosed = errors.New("the learner has been closed")

// take returns a running program that nobody else uses.
func (l *Learner) take(ctx context.Context) (*child, error) {
	l.mu.Lock()
	if n := len(l.free); n > 0 {
		c := l.free[n-1]
		l.free = l.free[:n-1]
		l.mu.Unlock()
		return c, nil
	}
	l.mu.Unlock()
	return l.fresh(ctx)
}

// fresh starts a program and returns it after its greeting.
func (l *Learner) fresh(ctx context.Context) (*child, error) {
	c, err := l.start(l.cfg.Args, true)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, l.cfg.StartTimeout,
		fmt.Errorf("%w: no answer to hello within %v", ErrStart, l.cfg.StartTimeout))
	defer cancel()
	if err := c.hello(ctx); err != nil {
		c.kill() // it may have answered with an error
		return nil, err
	}
	return c, nil
}

// start starts the program once more.
func (l *Learner) start(args []string, speaks bool) (*child, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return nil, errClosed
	}
	c, err := launch(l.cfg, args, speaks, l.stderr)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrStart, err)
	}
	l.running[c] = true
	go func() {
		<-c.exited
		<-c.stderr.done
		l.mu.Lock()
		defer l.mu.Unlock()
		delete(l.running, c)
	}()
	return c, nil
}

// give takes back a program, unless it can serve no other model.
func (l *Learner) give(c *child) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !c.broken() && !l.closed {
		l.free = append(l.free, c)
	}
}

// Close ends all running programs, including the programs of open models, and returns when
// they have ended. It kills a program that does not end soon after its standard input. After
// Close, Fit returns an error.
func (l *Learner) Close() error {
	l.mu.Lock()
	l.closed = true
	idle := make(map[*child]bool)
	for _, c := range l.free {
		idle[c] = true
		c.stdin.Close() // which asks it to end
	}
	l.free = nil
	var all []*child
	for c := range l.running {
		if !idle[c] {
			c.kill()
		}
		all = append(all, c)
	}
	l.mu.Unlock()
	var errs []error
	for _, c := range all {
		if !c.stopped(l.cfg.endTime) {
			l.stderr.line("it has not ended with its standard input, and is killed")
			c.kill()
		}
		if !c.stopped(buryTime) {
			errs = append(errs, fmt.Errorf("%s: process %d does not end, although it was killed", l.cfg.Name,
				c.cmd.Process.Pid))
		}
	}
	l.stderr.close()
	return errors.Join(errs...)
}

// A sample is the training set of a model.
type sample struct {
	table  *dataset.Table
	target dataset.Attribute
	rows   []int // rows whose class or target is known
	seed   uint64
}

// seed31 is the seed for programs that need a small one.
func (s *sample) seed31() uint64 { return s.seed & math.MaxInt32 }

// classes returns the number of classes, or 0 if numbers are predicted.
func (s *sample) classes() int { return len(s.target.Values) }

func newSample(t *dataset.Table, rows []int, seed uint64) (*sample, error) {
	if t == nil {
		return nil, fmt.Errorf("%w: no table", learner.ErrTraining)
	}
	target := t.ClassIndex()
	if target < 0 {
		return nil, fmt.Errorf("%w on %q: the table has neither a class nor a target",
			learner.ErrTraining, t.Name())
	}
	s := &sample{table: t, target: t.Attribute(target), rows: make([]int, 0, len(rows)), seed: seed}
	if s.target.Kind == dataset.Nominal && len(s.target.Values) == 0 {
		return nil, fmt.Errorf("%w on %q: the class %q declares no values", learner.ErrTraining, t.Name(),
			s.target.Name)
	}
	for i, r := range rows {
		if r < 0 || r >= t.Len() {
			return nil, fmt.Errorf("%w on %q: rows[%d] is %d, the table has %d rows", learner.ErrTraining,
				t.Name(), i, r, t.Len())
		}
		if !t.Missing(r, target) {
			s.rows = append(s.rows, r)
		}
	}
	if len(s.rows) == 0 {
		return nil, fmt.Errorf("%w on %q: no row whose %s is known among %d", learner.ErrTraining,
			t.Name(), s.target.Name, len(rows))
	}
	return s, nil
}
