package learntest

import (
	"context"
	"fmt"
	"slices"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/internal/trial"
	"github.com/learnbench/learnbench/learntest/metric"
)

// NewSample returns the sample of all examples of a data set, on which tests of a [Fit] of one's own train
// a model outside of any comparison. The error wraps [ErrData].
func NewSample[X any, Y comparable](data Data[X, Y]) (Sample[X, Y], error) {
	src, err := newSource(data)
	if err != nil {
		return Sample[X, Y]{}, err
	}
	rows := make([]int, data.Len())
	for i := range rows {
		rows[i] = i
	}
	return Sample[X, Y]{src, rows}, nil
}

// Select returns the sample of the given rows of the same data set. It keeps the slice.
func (s Sample[X, Y]) Select(rows []int) Sample[X, Y] { return Sample[X, Y]{s.src, rows} }

// CurrentDigest returns the digest of the data set as it is now. A learner that changes
// examples changes it.
func (s Sample[X, Y]) CurrentDigest() (string, error) { return s.src.current() }

// Predict has the model predict the examples of a sample as a trial does. The error wraps
// [ErrPrediction] if the model returns something else than predictions, which may be incomplete
// then, and [ErrLearner] if it changes the slice of examples that it was lent.
func (m Model[X, Y]) Predict(ctx context.Context, test Sample[X, Y]) (*metric.Predictions, error) {
	if m.predictor == nil {
		return nil, errNoModel
	}
	a := &trial.Attempt{Test: test.rows}
	test.src.prepare(a)
	if err := m.predictor.predict(ctx, test.src, a); err != nil {
		return &a.Predictions, err
	}
	if !sameExamples(test.src, a) {
		return &a.Predictions, fmt.Errorf("%w: it changes the slice of examples that it is to predict", ErrLearner)
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
