package learntest

import (
	"context"
	"fmt"

	"github.com/learnbench/learnbench/learntest/internal/trial"
	"github.com/learnbench/learnbench/learntest/learner"
	"github.com/learnbench/learnbench/learntest/metric"
)

// A Model is what a learner has learned. [LabelModel] or [ProbabilityModel] makes one of
// the function that predicts. The zero Model, which has none, fails the trial. A model
// is used by one goroutine at a time.
//
// Note: Neither a struct of functions, of which a user may set none or two, nor an
// interface, whose methods for probabilities every model of labels would lack.
type Model[X any, Y comparable] struct {
	predictor predictor[X, Y]
	close     func() error
	costs     map[string]float64
	reference bool // the learner is one of the module's own
}

// LabelModel returns the model that predicts labels by the given function, which
// returns the labels of all examples in their order. ctx ends when the trial's time
// is over. xs is valid until the function returns, and is not to be modified.
func LabelModel[X any, Y comparable](predict func(ctx context.Context, xs []X) ([]Y,
	error),
) Model[X, Y] {
	if predict == nil {
		return Model[X, Y]{}
	}
	return Model[X, Y]{predictor: labels[X, Y](predict)}
}

// ProbabilityModel returns the model that predicts class probabilities by the given
// function. The function writes the probabilities of example xs[i] to p[i*k:(i+1)*k], k being the
// number of classes, in the order of Sample.Classes: for all examples, since one left out is
// an error. The class with the greatest probability, the first of ties, is
// the predicted label. All zeros mean no opinion, which counts as a wrong label.
//
// ctx ends when the trial's time is over. xs and p are valid until the function
// returns, and xs is not to be modified.
func ProbabilityModel[X any, Y comparable](predict func(ctx context.Context, xs []X,
	p []float64) error,
) Model[X, Y] {
	if predict == nil {
		return Model[X, Y]{}
	}
	return Model[X, Y]{predictor: probabilities[X, Y](predict)}
}

// WithClose returns the model with a function that is called when the trial is
// over. Its error fails the trial.
func (m Model[X, Y]) WithClose(close func() error) Model[X, Y] {
	m.close = close
	return m
}

// WithCost returns the model with a cost of its own, such as its size in bytes or its number of
// nodes. Comparisons store the cost of each model where metric.Cost of that name is among their
// metrics. Of a second training with the same seed, an unequal cost counts as an unequal
// prediction.
func (m Model[X, Y]) WithCost(name string, cost float64) Model[X, Y] {
	costs := map[string]float64{name: cost}
	for n, c := range m.costs {
		if n != name {
			costs[n] = c
		}
	}
	m.costs = costs
	return m
}

// Predict has the model predict the examples of a sample as a trial does. The error wraps
// [learner.ErrPrediction] if the model returns something else than predictions, which may be
// incomplete then, and [learner.ErrUnusable] if it changes the slice of examples that it was lent.
func (m Model[X, Y]) Predict(ctx context.Context, test Sample[X, Y]) (*metric.Predictions, error) {
	if m.predictor == nil {
		return nil, errNoModel
	}
	a := &trial.Attempt{Test: test.rows}
	test.src.prepare(a)
	a.Predictions.Costs = m.costs
	if err := m.predictor.predict(ctx, test.src, a); err != nil {
		return &a.Predictions, err
	}
	if !sameExamples(test.src, a) {
		return &a.Predictions, fmt.Errorf("%w: it changes the slice of examples that it is to predict",
			learner.ErrUnusable)
	}
	return &a.Predictions, nil
}

// Close calls the function that WithClose has set, if any.
func (m Model[X, Y]) Close() error {
	if m.close == nil {
		return nil
	}
	return m.close()
}
