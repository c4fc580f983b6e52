package trial

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"maps"
	"math"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/learnbench/learnbench/learntest/metric"
)

// A Func trains a learner on a.Train and has it predict a.Test.
type Func func(ctx context.Context, a *Attempt, seed uint64) error

// An Attempt is the running of one trial: where its predictions and times go.
// A worker reuses it.
type Attempt struct {
	Train, Test  []int // indices of the examples
	Predictions  metric.Predictions
	Buffer       []float64 // kept for Predictions.Probabilities
	Examples     any       // a *[]X that is kept for the test examples
	Fit, Predict time.Duration
	Reference    bool // the learner is one of the module's own

	scores  []float64 // of the metrics, and of slices
	parts   parts     // test examples by slice
	further further   // what else is to be predicted, if the trial is probed
}

// Errors that are recorded as the cause of a failed trial.
var (
	ErrGoexit  = errors.New("the learner ended its goroutine (did it call t.FailNow?)")
	errTimeout = errors.New("trial timed out")
	errNotReal = errors.New("not a finite number")
)

// Protect runs f and turns a panic into an error that says where it arose.
func Protect(ctx context.Context, f Func, a *Attempt, seed uint64) (err error) {
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

// score computes the metrics of the predictions.
func (a *Attempt) score(metrics []metric.Metric) error {
	a.scores = a.scores[:0]
	for _, m := range metrics {
		v, err := m.Eval(&a.Predictions)
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

// Fingerprint hashes the predictions, and what the model costs, bit for bit.
func (a *Attempt) Fingerprint() uint64 {
	p := &a.Predictions
	h := fnv.New64a()
	var buf [8]byte
	put := func(x uint64) {
		binary.BigEndian.PutUint64(buf[:], x)
		h.Write(buf[:])
	}
	if p.Classification() {
		for _, c := range p.Predicted {
			put(uint64(c))
		}
		for _, q := range p.Probabilities {
			put(math.Float64bits(q))
		}
	} else {
		for _, y := range p.PredictedValues {
			put(math.Float64bits(y))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(p.Costs)) {
		h.Write([]byte(name))
		put(math.Float64bits(p.Costs[name]))
	}
	return h.Sum64()
}

// A further is a model's predictions for examples beyond its own trial: a learner that its seed
// does not fix may well agree with itself on the few examples of one fold.
type further struct {
	rows int     // number of examples; at first, the number wanted
	sum  *uint64 // fingerprint; nil if they were not predicted
	took time.Duration
}
