package learntest

import (
	"context"
	"errors"
	"fmt"
	"math"
)

// Errors of models.
var (
	errNoModel     = errors.New("the model has no function that predicts: make it with Labels or Probabilities")
	errNotProbable = errors.New("not a probability")

	// errProbabilities reads as the error that it wraps.
	errProbabilities = fmt.Errorf("%w", ErrPrediction)
)

// A predictor has a model predict the examples a.test into a.predictions. There
// is one for each kind of function that predicts.
type predictor[X any, Y comparable] interface {
	predict(ctx context.Context, s *source[X, Y], a *attempt) error
}

type (
	labels[X any, Y comparable]        func(ctx context.Context, xs []X) ([]Y, error)
	probabilities[X any, Y comparable] func(ctx context.Context, xs []X, p []float64) error

	// label is what labels would be, without a slice for each trial.
	label[X any, Y comparable] func(x X) Y
)

func (f label[X, Y]) predict(ctx context.Context, s *source[X, Y], a *attempt) error {
	if !s.classification() {
		for i, row := range a.test {
			if err := checkNow(ctx, i); err != nil {
				return err
			}
			if err := s.take(a, i, f(s.data.Example(row))); err != nil {
				return err
			}
		}
		return nil
	}
	predicted := a.predictions.Predicted
	for i, row := range a.test { // as take does, without a call
		if err := checkNow(ctx, i); err != nil {
			return err
		}
		y := f(s.data.Example(row))
		if predicted[i] = s.class(y); predicted[i] < 0 {
			return s.noClass(row, y)
		}
	}
	return nil
}

func (f labels[X, Y]) predict(ctx context.Context, s *source[X, Y], a *attempt) error {
	ys, err := f(ctx, s.testExamples(a))
	if err != nil {
		return err
	}
	if len(ys) != len(a.test) {
		return fmt.Errorf("%w: %d predictions for %d test examples", ErrPrediction, len(ys), len(a.test))
	}
	for i, y := range ys {
		if err := s.take(a, i, y); err != nil {
			return err
		}
	}
	return nil
}

func (f probabilities[X, Y]) predict(ctx context.Context, s *source[X, Y], a *attempt) error {
	if !s.classification() {
		return fmt.Errorf("%w: class probabilities for labels of type %T", ErrPrediction, *new(Y))
	}
	k := len(s.classes)
	a.buffer = resize(a.buffer, len(a.test)*k)
	for i := range a.buffer {
		a.buffer[i] = math.NaN() // which no model may leave
	}
	if err := f(ctx, s.testExamples(a), a.buffer); err != nil {
		return err
	}
	a.predictions.Probabilities = a.buffer
	for i := range a.test {
		row := a.buffer[i*k : (i+1)*k]
		if err := checkProbabilities(row); err != nil {
			return fmt.Errorf("%w: example %d: %w", errProbabilities, a.test[i], err)
		}
		a.predictions.Predicted[i] = best(row)
	}
	return nil
}

// prepare makes room for predictions and fills in the truth.
func (s *source[X, Y]) prepare(a *attempt) {
	p, n := &a.predictions, len(a.test)
	p.Classes, p.Probabilities = s.classNames, nil
	if s.classification() {
		p.Truth, p.Predicted = resize(p.Truth, n), resize(p.Predicted, n)
		for i, row := range a.test {
			p.Truth[i] = s.truth[row]
		}
		return
	}
	p.TrueValues, p.PredictedValues = resize(p.TrueValues, n), resize(p.PredictedValues, n)
	for i, row := range a.test {
		p.TrueValues[i] = s.values[row]
	}
}

// take takes the label that was predicted for test example i.
func (s *source[X, Y]) take(a *attempt, i int, y Y) error {
	if s.classification() {
		c := s.class(y)
		if c < 0 {
			return s.noClass(a.test[i], y)
		}
		a.predictions.Predicted[i] = c
		return nil
	}
	v := toFloat(y)
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return fmt.Errorf("%w: example %d: %v", ErrPrediction, a.test[i], v)
	}
	a.predictions.PredictedValues[i] = v
	return nil
}

// noClass is the error of a prediction that is no class.
func (s *source[X, Y]) noClass(row int, y Y) error {
	const most = 10
	names := s.classNames
	more := ""
	if len(names) > most {
		names, more = names[:most], fmt.Sprintf(" and %d more", len(names)-most)
	}
	return fmt.Errorf("%w: example %d: the label %q is no class; the classes are %q%s", ErrPrediction, row, fmt.Sprint(y), names, more)
}

// testExamples returns the examples that are to be predicted, in memory that the
// attempt keeps.
func (s *source[X, Y]) testExamples(a *attempt) []X {
	xs, ok := a.examples.(*[]X)
	if !ok {
		xs = new([]X)
		a.examples = xs
	}
	*xs = resize(*xs, len(a.test))
	for i, row := range a.test {
		(*xs)[i] = s.data.Example(row)
	}
	return *xs
}

// probabilityTolerance is how far the sum of class probabilities may be from 1.
const probabilityTolerance = 1e-6

// checkProbabilities returns an error unless p is a distribution or all zeros.
func checkProbabilities(p []float64) error {
	sum := 0.0
	for c, q := range p {
		if !(q >= 0 && q <= 1+probabilityTolerance) {
			return fmt.Errorf("class %d: %v is %w", c, q, errNotProbable)
		}
		sum += q
	}
	if sum != 0 && math.Abs(sum-1) > probabilityTolerance {
		return fmt.Errorf("class probabilities sum to %v, not 1", sum)
	}
	return nil
}

// best returns the first class of greatest positive probability, or -1.
func best(p []float64) int {
	c, most := -1, 0.0
	for i, q := range p {
		if q > most {
			c, most = i, q
		}
	}
	return c
}

func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}
