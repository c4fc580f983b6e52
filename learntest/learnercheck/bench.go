package learnercheck

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/learnbench/learnbench/learntest/internal/otherlabels"
	"github.com/learnbench/learnbench/learntest/internal/trial"
	"github.com/learnbench/learnbench/learntest/learner"
	"github.com/learnbench/learnbench/learntest/metric"
)

// A shape is a set of the kinds of subjects.
type shape uint8

const (
	anything shape = 1 << iota // learners on data of any type
	tables                     // reference learners on tables
	programs
	dataSets

	allShapes = anything | tables | programs
)

// folds is how many parts the data are split into: each is predicted by a model of the others.
const folds = 3

// A bench is a learner with one data set, on which rules are checked.
type bench struct {
	learner, data string
	digest        string // of the data, before any trial
	material      material
	folds         [folds]fold

	found   map[Rule]bool // rules that are broken
	skipped string        // why the last rule was not checked
	said    string        // detail for the report on a rule that was kept

	// Of the first trial of each fold.
	opened bool
	alone  [folds]*outcome
	errs   [folds]error

	mu       sync.Mutex
	borrowed error // change of a lent slice, if any

	parallel int     // how many trials of each fold run at the same time
	slack    float64 // how far the sum of class probabilities may be from 1
	mute     bool    // whether probabilities may all be 0
	table    *onTable
	program  *program
	set      *dataSet
}

// A fold is a trial to be run.
type fold struct {
	train []int
	test  []int // the examples that are not in train
	asked []int // the examples to be predicted
	seed  uint64
}

// Material is a learner with its data, whatever their types are.
type material interface {
	fit(ctx context.Context, rows []int, seed uint64) (model, error)
	classes() int // 0 in regression
	unchanged() error
	digest() (string, error)

	// relabelled returns the material with other labels of some examples; nil if there are no
	// others.
	relabelled(rows []int, c otherlabels.Change) material
	changes(rows []int) []otherlabels.Change
	leaks() []leak
}

// A model predicts examples of the material that it was fitted on.
type model interface {
	predict(ctx context.Context, rows []int) (*metric.Predictions, error)
	Close() error
}

// An outcome has the predictions of a model, and its times.
type outcome struct {
	asked        []int
	p            *metric.Predictions
	fit, predict time.Duration
}

var errStuck = errors.New("the learner had not returned")

// within runs f in a goroutine of its own. If f does not return although the context has ended,
// it is left behind, and the error is errStuck.
func within(ctx context.Context, f func() error) error {
	done := make(chan error, 1)
	go func() {
		err := trial.ErrGoexit
		defer func() { done <- err }()
		err = guarded(f)
	}()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	select {
	case err := <-done:
		return err
	case <-time.After(trial.Grace):
		return fmt.Errorf("%w %v after its context had ended: %w", errStuck, trial.Grace,
			context.Cause(ctx))
	}
}

// run trains the learner and has it predict. It returns no outcome if the learner does not return
// although its context has ended.
func (b *bench) run(ctx context.Context, m material, f fold) (*outcome, error) {
	o := &outcome{asked: slices.Clone(f.asked)}
	lent := slices.Clone(f.train)
	err := within(ctx, func() error { return b.trial(ctx, m, lent, f.seed, o) })
	if errors.Is(err, errStuck) {
		return nil, err
	}
	if !slices.Equal(lent, f.train) {
		b.note(errors.New("it changes the slice of indices that Sample.Rows returns"))
	}
	b.note(m.unchanged())
	return o, err
}

// trial is what the engine of comparisons does in a cell.
func (b *bench) trial(ctx context.Context, m material, train []int, seed uint64,
	o *outcome,
) (err error) {
	start := time.Now()
	fitted, err := m.fit(ctx, train, seed)
	o.fit = time.Since(start)
	if err != nil {
		return fmt.Errorf("fit: %w", err)
	}
	defer func() {
		if cerr := fitted.Close(); cerr != nil && err == nil {
			err = fmt.Errorf("close: %w", cerr)
		}
	}()
	start = time.Now()
	o.p, err = fitted.predict(ctx, o.asked)
	o.predict = time.Since(start)
	if err != nil && !errors.Is(err, learner.ErrUnusable) {
		return fmt.Errorf("predict: %w", err)
	}
	b.note(err)
	return nil
}

// again is run with the learner itself, on its data.
func (b *bench) again(ctx context.Context, f fold) (*outcome, error) {
	return b.run(ctx, b.material, f)
}

// note records an error about a lent slice that the learner has changed.
func (b *bench) note(err error) {
	if err != nil {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.borrowed = err
	}
}

// start runs the first trial of each fold.
func (b *bench) start(ctx context.Context) {
	if b.opened {
		return
	}
	b.opened = true
	for i, f := range b.folds {
		if b.errs[i] = context.Cause(ctx); b.errs[i] == nil {
			b.alone[i], b.errs[i] = b.again(ctx, f)
		}
	}
}

// first returns the first error of the first trials that is of a kind.
func (b *bench) first(ctx context.Context, is func(o *outcome, err error) bool) error {
	b.start(ctx)
	for i, err := range b.errs {
		if err != nil && is(b.alone[i], err) {
			return fmt.Errorf("trained on %d examples: %w", len(b.folds[i].train), err)
		}
	}
	return nil
}

// guarded turns a panic into an error that says where it arose.
func guarded(f func() error) error {
	return trial.Protect(context.Background(), func(context.Context, *trial.Attempt,
		uint64,
	) error {
		return f()
	}, nil, 0)
}

// rounding is the relative difference of probabilities and numbers that may come of the order
// of sums, which the number of rows of a matrix can change.
const rounding = 1e-9

// difference returns in which prediction b differs from a, which has all of b's examples.
func difference(a, b *outcome, tolerance float64) error {
	at := make(map[int]int, len(a.asked))
	for i, row := range a.asked {
		at[row] = i
	}
	p, q := a.p, b.p
	k := len(p.Classes)
	for j, row := range b.asked {
		i := at[row]
		var was, is any
		switch {
		case !p.Classification():
			if alike(p.PredictedValues[i], q.PredictedValues[j], tolerance) {
				continue
			}
			was, is = p.PredictedValues[i], q.PredictedValues[j]
		case (p.Probabilities == nil) != (q.Probabilities == nil):
			return errors.New("gave probabilities once and labels once")
		case p.Probabilities != nil:
			x, y := p.Probabilities[i*k:(i+1)*k], q.Probabilities[j*k:(j+1)*k]
			if slices.EqualFunc(x, y, func(x, y float64) bool { return alike(x, y, tolerance) }) {
				continue
			}
			was, is = x, y
		default:
			if p.Predicted[i] == q.Predicted[j] {
				continue
			}
			was, is = p.Classes[p.Predicted[i]], p.Classes[q.Predicted[j]]
		}
		return fmt.Errorf("predicted %.17v and then %.17v for example %d", was, is, row)
	}
	return nil
}

// alike reports whether two numbers are equal but for a relative difference; bit by bit
// if tolerance is 0.
func alike(x, y, tolerance float64) bool {
	if tolerance == 0 {
		return math.Float64bits(x) == math.Float64bits(y)
	}
	return math.Abs(x-y) <= tolerance*max(1, math.Abs(x), math.Abs(y))
}

// upTo returns the numbers from 0 to n-1.
func upTo(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}
