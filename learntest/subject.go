package learntest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/internal/otherlabels"
	"github.com/learnbench/learnbench/learntest/internal/trial"
)

// A subject is a learner that is being tested on a data set.
type subject[X any, Y comparable] struct {
	source  *source[X, Y]
	learner Learner[X, Y]
	allowed []FlawKind
	folds   [conformanceFolds]fold
	classes []Y // what those of the source are to be

	found   map[FlawKind]bool
	skipped string // why the last check was not made

	// Of the first trial of each fold.
	opened bool
	alone  [conformanceFolds]*trial.Attempt
	errs   [conformanceFolds]error

	mu       sync.Mutex
	borrowed error // what has become of a slice that was lent
}

// A fold is a trial to be run.
type fold struct {
	train, test []int
	seed        uint64
}

// run trains the learner and has it predict, in a goroutine of its own. It returns no
// attempt if the learner does not return although its context has ended.
func (s *subject[X, Y]) run(ctx context.Context, src *source[X, Y], l Learner[X, Y], f fold) (*trial.Attempt, error) {
	a := &trial.Attempt{Train: slices.Clone(f.train), Test: slices.Clone(f.test)}
	done := make(chan error, 1)
	go func() {
		err := trial.ErrGoexit
		defer func() { done <- err }()
		err = trial.Protect(ctx, bind(src, l), a, f.seed)
	}()
	select {
	case err := <-done:
		s.look(src, a, f)
		return a, err
	case <-ctx.Done():
	}
	select {
	case err := <-done:
		return a, err
	case <-time.After(trial.Grace):
		return nil, fmt.Errorf("it did not return within %v after its context had ended", trial.Grace)
	}
}

// again is run with the learner itself, on its data.
func (s *subject[X, Y]) again(ctx context.Context, f fold) (*trial.Attempt, error) {
	return s.run(ctx, s.source, s.learner, f)
}

// look takes note of what the learner has changed of what it was lent.
func (s *subject[X, Y]) look(src *source[X, Y], a *trial.Attempt, f fold) {
	var err error
	switch {
	case !slices.Equal(a.Train, f.train):
		err = errors.New("it changes the slice of indices that Sample.Rows returns")
	case !slices.Equal(src.classes, s.classes):
		err = errors.New("it changes the slice of classes that Sample.Classes returns")
	case !sameExamples(src, a):
		err = errors.New("it changes the slice of examples that it is to predict")
	}
	if err != nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.borrowed = err
	}
}

// sameExamples reports whether the slice of examples that were to be predicted is what
// it was.
func sameExamples[X any, Y comparable](src *source[X, Y], a *trial.Attempt) bool {
	lent, ok := a.Examples.(*[]X)
	if !ok { // they were predicted one by one
		return true
	}
	want := make([]X, len(a.Test))
	for i, row := range a.Test {
		want[i] = src.data.Example(row)
	}
	if rows, ok := any(want).([]dataset.Row); ok {
		return slices.Equal(any(*lent).([]dataset.Row), rows)
	}
	before, err := DigestOf(want)
	if err != nil { // functions have no digest
		return true
	}
	after, err := DigestOf(*lent)
	return err == nil && before == after
}

// open runs the first trial of each fold.
func (s *subject[X, Y]) open(ctx context.Context) {
	if s.opened {
		return
	}
	s.opened = true
	for i, f := range s.folds {
		if ctx.Err() == nil {
			s.alone[i], s.errs[i] = s.again(ctx, f)
		}
	}
}

// first returns the first error of the first trials that is of a kind.
func (s *subject[X, Y]) first(ctx context.Context, is func(error) bool) error {
	s.open(ctx)
	for i, err := range s.errs {
		if err != nil && is(err) {
			return fmt.Errorf("trained on %d examples: %w", len(s.folds[i].train), err)
		}
	}
	return nil
}

func (s *subject[X, Y]) checkTrial(ctx context.Context) error {
	return s.first(ctx, func(err error) bool { return !errors.Is(err, ErrPrediction) })
}

func (s *subject[X, Y]) checkPredictions(ctx context.Context) error {
	return s.first(ctx, func(err error) bool { return errors.Is(err, ErrPrediction) && !errors.Is(err, errProbabilities) })
}

func (s *subject[X, Y]) checkProbabilities(ctx context.Context) error {
	return s.first(ctx, func(err error) bool { return errors.Is(err, errProbabilities) })
}

func (s *subject[X, Y]) checkInputs(ctx context.Context) error {
	s.open(ctx)
	if now, err := s.source.current(); err != nil || now != s.source.digest {
		return errors.Join(err, fmt.Errorf("it changes the examples or labels: their digest was %.12s and is %.12s", s.source.digest, now))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.borrowed
}

// checkDeterminism trains twice on each fold, the second time after other folds, too.
func (s *subject[X, Y]) checkDeterminism(ctx context.Context) error {
	for _, i := range []int{2, 0, 1} { // fold 2 was the last
		a, err := s.again(ctx, s.folds[i])
		if err != nil {
			return fmt.Errorf("trained twice under one seed, it fails the second time: %w", err)
		}
		if s.alone[i].Fingerprint() == a.Fingerprint() {
			continue
		}
		how := "trained twice in a row under one seed"
		if i != 2 {
			how = "trained twice under one seed, and on other examples in between"
		}
		return fmt.Errorf("%s, it %w", how, s.difference(s.alone[i], a, 0))
	}
	return nil
}

// notRelabelled is why labels were not tested.
const notRelabelled = "not tested: no other labels can be given to these data"

// relabelled returns the data with other labels of the given examples; nil if there are none.
func (s *subject[X, Y]) relabelled(rows []int, c otherlabels.Change) *source[X, Y] {
	data, ok := relabel(s.source.data, s.source, rows, c)
	if !ok {
		return nil
	}
	src, err := newSource(data)
	if err != nil || !slices.Equal(src.classes, s.classes) { // a class has gone with its only example
		return nil
	}
	return src
}

// checkLabels changes the labels of the test examples, and what tells them in the examples themselves.
func (s *subject[X, Y]) checkLabels(ctx context.Context) error {
	if err := s.checkLeaks(ctx); err != nil {
		return err
	}
	f := s.folds[0]
	src := s.relabelled(f.test, otherlabels.All())
	if src == nil {
		s.skipped = notRelabelled
		return nil
	}
	a, err := s.run(ctx, src, s.learner, f)
	if err != nil {
		return fmt.Errorf("with other labels of the examples to be predicted, it fails: %w", err)
	}
	if d := s.difference(s.alone[0], a, 0); d != nil {
		return fmt.Errorf("with other labels of the examples to be predicted, it %w", d)
	}
	return nil
}

// checkLearning changes the labels of the training examples, which must change a prediction
// of any example, or make the learner fail.
func (s *subject[X, Y]) checkLearning(ctx context.Context) error {
	f := s.folds[0]
	f.test = slices.Concat(f.train, f.test)
	own, err := s.again(ctx, f)
	if err != nil { // it is not made to predict what it was trained on
		f, own = s.folds[0], s.alone[0]
	}
	tried := 0
	for _, c := range relabellings(s.source, f.train) {
		src := s.relabelled(f.train, c)
		if src == nil {
			continue
		}
		if a, err := s.run(ctx, src, s.learner, f); err != nil || s.difference(own, a, 0) != nil {
			return nil
		}
		tried++
	}
	if tried == 0 {
		s.skipped = notRelabelled
		return nil
	}
	return otherlabels.Unlearned(len(f.train), tried, len(f.test))
}

// rounding is the relative difference of probabilities and numbers that may come of the order
// of sums, which the number of rows of a matrix can change.
const rounding = 1e-9

// checkOrder predicts the test examples in other orders, and some of them without the
// others.
func (s *subject[X, Y]) checkOrder(ctx context.Context) error {
	test := s.folds[0].test
	reversed := slices.Clone(test)
	slices.Reverse(reversed)
	half := len(test) / 2
	for _, c := range []struct {
		how  string
		test []int
	}{
		{"the test examples being predicted in the reverse order", reversed},
		{"the second half of the test examples being predicted first", slices.Concat(test[half:], test[:half])},
		{"the first half of the test examples being predicted without the second", test[:half]},
		{"the second half of the test examples being predicted without the first", test[half:]},
		{"one test example being predicted without the others", test[len(test)-1:]},
	} {
		f := s.folds[0]
		f.test = c.test
		a, err := s.again(ctx, f)
		if err != nil {
			return fmt.Errorf("%s, it fails: %w", c.how, err)
		}
		if d := s.difference(s.alone[0], a, rounding); d != nil {
			return fmt.Errorf("%s, it %w", c.how, d)
		}
	}
	return nil
}

// checkParallel trains on all folds at the same time, twice, and does so several times.
func (s *subject[X, Y]) checkParallel(ctx context.Context) error {
	const rounds = 2
	errs := make([]error, 2*conformanceFolds)
	start := make(chan struct{})
	var wg sync.WaitGroup
	for g := range errs {
		wg.Go(func() {
			<-start
			for range rounds {
				if errs[g] = s.alongside(ctx, g%conformanceFolds); errs[g] != nil {
					errs[g] = fmt.Errorf("%d trials running at the same time, %w", len(errs), errs[g])
					return
				}
			}
		})
	}
	close(start)
	wg.Wait()
	return cmp.Or(errs...)
}

// alongside repeats the trial of a fold while others run.
func (s *subject[X, Y]) alongside(ctx context.Context, fold int) error {
	a, err := s.again(ctx, s.folds[fold])
	if err != nil {
		return fmt.Errorf("one fails: %w", err)
	}
	if d := s.difference(s.alone[fold], a, 0); d != nil {
		return fmt.Errorf("it %w", d)
	}
	return nil
}

// difference returns in which prediction b differs from a, which has all of b's
// test examples.
func (s *subject[X, Y]) difference(a, b *trial.Attempt, tolerance float64) error {
	at := make(map[int]int, len(a.Test))
	for i, row := range a.Test {
		at[row] = i
	}
	k := len(s.classes)
	for j, row := range b.Test {
		i := at[row]
		var was, is any
		switch p, q := &a.Predictions, &b.Predictions; {
		case k == 0:
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
			was, is = s.source.classNames[p.Predicted[i]], s.source.classNames[q.Predicted[j]]
		}
		return fmt.Errorf("predicted %.17v and then %.17v for example %d", was, is, row)
	}
	return nil
}

// alike reports whether two numbers are the same but for a relative difference; bit by bit
// if that is 0.
func alike(x, y, tolerance float64) bool {
	if tolerance == 0 {
		return math.Float64bits(x) == math.Float64bits(y)
	}
	return math.Abs(x-y) <= tolerance*max(1, math.Abs(x), math.Abs(y))
}
