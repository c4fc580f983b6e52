package learntest

import (
	"context"
	"errors"
	"fmt"
	"math"
)

// A Learner is a learning algorithm under test, for examples of type X with
// labels of type Y.
type Learner[X any, Y comparable] struct {
	// Name appears in results. The two learners of a comparison need
	// different ones.
	Name string

	// Fit trains a fresh model on the sample. It draws all its random numbers
	// from seed, which is the same for all learners of a fold. Trials run
	// in parallel, so Fit must be safe for concurrent use. ctx ends when the
	// trial's time is over.
	Fit func(ctx context.Context, train Sample[X, Y], seed uint64) (Model[X, Y], error)
}

// A Model is what a learner has learned. Exactly one of the first four
// fields is set. It is used by one goroutine at a time.
type Model[X any, Y comparable] struct {
	// Label predicts the label of one example.
	Label func(x X) Y

	// Probabilities writes the class probabilities of one example into p,
	// in the order of Sample.Classes. The class with the greatest one, the first
	// of ties, is the predicted label. All zeros mean no opinion.
	Probabilities func(x X, p []float64)

	// Labels predicts the labels of all test examples at once.
	Labels func(xs []X) ([]Y, error)

	// AllProbabilities predicts the class probabilities of all test examples
	// at once, one row each.
	AllProbabilities func(xs []X) ([][]float64, error)

	// Close, if set, is called when the trial is over.
	Close func() error
}

// Func returns the learner whose fit returns a function that predicts a label.
func Func[X any, Y comparable](name string, fit func(ctx context.Context, train Sample[X, Y], seed uint64) (func(x X) Y, error)) Learner[X, Y] {
	return Learner[X, Y]{name, func(ctx context.Context, train Sample[X, Y], seed uint64) (Model[X, Y], error) {
		f, err := fit(ctx, train, seed)
		return Model[X, Y]{Label: f}, err
	}}
}

// ProbFunc returns the learner whose fit returns a function that writes class
// probabilities, as Model.Probabilities does.
func ProbFunc[X any, Y comparable](name string, fit func(ctx context.Context, train Sample[X, Y], seed uint64) (func(x X, p []float64), error)) Learner[X, Y] {
	return Learner[X, Y]{name, func(ctx context.Context, train Sample[X, Y], seed uint64) (Model[X, Y], error) {
		f, err := fit(ctx, train, seed)
		return Model[X, Y]{Probabilities: f}, err
	}}
}

// Errors of models.
var (
	errNoModel     = errors.New("the model has no function that predicts")
	errManyModels  = errors.New("the model has several functions that predict: set one")
	errNotProbable = errors.New("not a probability")
)

func (m *Model[X, Y]) check() error {
	n := 0
	for _, set := range []bool{m.Label != nil, m.Probabilities != nil, m.Labels != nil, m.AllProbabilities != nil} {
		if set {
			n++
		}
	}
	switch n {
	case 0:
		return errNoModel
	case 1:
		return nil
	}
	return errManyModels
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
