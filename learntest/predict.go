package learntest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/internal/trial"
	"github.com/learnbench/learnbench/learntest/learner"
)

// Errors of models.
var (
	errNoModel     = errors.New("the model has no function that predicts: make it with LabelModel or ProbabilityModel")
	errNotProbable = errors.New("not a probability")
)

// A predictor has a model predict the examples a.Test into a.Predictions. There
// is one for each kind of function that predicts.
type predictor[X any, Y comparable] interface {
	predict(ctx context.Context, s *source[X, Y], a *trial.Attempt) error
}

type (
	labels[X any, Y comparable]        func(ctx context.Context, xs []X) ([]Y, error)
	probabilities[X any, Y comparable] func(ctx context.Context, xs []X, p []float64) error

	// label does the work of labels for one example, without a slice for each trial.
	label[X any, Y comparable] func(x X) Y
)

func (f label[X, Y]) predict(ctx context.Context, s *source[X, Y], a *trial.Attempt) error {
	if !s.classification() {
		for i, row := range a.Test {
			if err := checkNow(ctx, i); err != nil {
				return err
			}
			if err := s.take(a, i, f(s.data.Example(row))); err != nil {
				return err
			}
		}
		return nil
	}
	predicted := a.Predictions.Predicted
	for i, row := range a.Test { // as take does, without a call
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

func (f labels[X, Y]) predict(ctx context.Context, s *source[X, Y], a *trial.Attempt) error {
	ys, err := f(ctx, s.testExamples(a))
	if err != nil {
		return err
	}
	if len(ys) != len(a.Test) {
		return fmt.Errorf("%w: %d predictions for %d test examples", learner.ErrPrediction,
			len(ys), len(a.Test))
	}
	for i, y := range ys {
		if err := s.take(a, i, y); err != nil {
			return err
		}
	}
	return nil
}

func (f probabilities[X, Y]) predict(ctx context.Context, s *source[X, Y], a *trial.Attempt) error {
	if !s.classification() {
		return fmt.Errorf("%w: class probabilities for labels of type %T", learner.ErrPrediction, *new(Y))
	}
	k := len(s.classes)
	a.Buffer = resize(a.Buffer, len(a.Test)*k)
	for i := range a.Buffer {
		a.Buffer[i] = math.NaN() // which no model may leave
	}
	if err := f(ctx, s.testExamples(a), a.Buffer); err != nil {
		return err
	}
	a.Predictions.Probabilities = a.Buffer
	for i := range a.Test {
		row := a.Buffer[i*k : (i+1)*k]
		if err := checkProbabilities(row); err != nil {
			return fmt.Errorf("%w: example %d: %w", learner.ErrPrediction, a.Test[i], err)
		}
		a.Predictions.Predicted[i] = best(row)
	}
	return nil
}

// prepare makes room for predictions and fills in the truth.
func (s *source[X, Y]) prepare(a *trial.Attempt) {
	p, n := &a.Predictions, len(a.Test)
	p.Classes, p.Probabilities = s.classNames, nil
	if s.classification() {
		p.Truth, p.Predicted = resize(p.Truth, n), resize(p.Predicted, n)
		for i, row := range a.Test {
			p.Truth[i] = s.truth[row]
		}
		return
	}
	p.TrueValues, p.PredictedValues = resize(p.TrueValues, n), resize(p.PredictedValues, n)
	for i, row := range a.Test {
		p.TrueValues[i] = s.values[row]
	}
}

// take takes the label that was predicted for test example i.
func (s *source[X, Y]) take(a *trial.Attempt, i int, y Y) error {
	if s.classification() {
		c := s.class(y)
		if c < 0 {
			return s.noClass(a.Test[i], y)
		}
		a.Predictions.Predicted[i] = c
		return nil
	}
	v := toFloat(y)
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return fmt.Errorf("%w: example %d: %v", learner.ErrPrediction, a.Test[i], v)
	}
	a.Predictions.PredictedValues[i] = v
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
	return fmt.Errorf("%w: example %d: the label %q is no class; the classes are %q%s",
		learner.ErrPrediction, row, fmt.Sprint(y), names, more)
}

// testExamples returns the examples that are to be predicted, in memory that the
// attempt keeps.
func (s *source[X, Y]) testExamples(a *trial.Attempt) []X {
	xs, ok := a.Examples.(*[]X)
	if !ok {
		xs = new([]X)
		a.Examples = xs
	}
	*xs = resize(*xs, len(a.Test))
	for i, row := range a.Test {
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

// checkNow returns why a context has ended. It looks before every few examples
// only: they may be cheap.
func checkNow(ctx context.Context, example int) error {
	if example%32 != 0 {
		return nil
	}
	return context.Cause(ctx)
}

// eachRow calls f with each of n rows of p until it returns an error or the
// context ends.
func eachRow(ctx context.Context, n int, p []float64, f func(i int, row []float64) error) error {
	k := len(p) / max(n, 1)
	for i := range n {
		if err := checkNow(ctx, i); err != nil {
			return err
		}
		if err := f(i, p[i*k:(i+1)*k:(i+1)*k]); err != nil {
			return err
		}
	}
	return nil
}

// sameExamples reports whether the slice of examples that were to be predicted is unchanged.
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
	before, err := dataset.DigestOf(want)
	if err != nil { // functions have no digest
		return true
	}
	after, err := dataset.DigestOf(*lent)
	return err == nil && before == after
}
