// Package rows adapts models on row slices, the shape that many libraries have, to package
// learntest: [Learner] for models that predict labels, [ProbLearner] for models with class
// probabilities. Package matrix adapts models on gonum matrices.
package rows

import (
	"context"
	"fmt"

	"github.com/learnbench/learnbench/learntest"
	"github.com/learnbench/learnbench/learntest/internal/classorder"
	"github.com/learnbench/learnbench/learntest/learner"
)

// A Model fits row slices and predicts the label of one row. It must not modify the rows,
// which belong to the data set.
type Model[Y comparable] interface {
	Fit(x [][]float64, y []Y) error
	Predict(row []float64) Y
}

// A ProbModel fits row slices and predicts the class probabilities of one row. It must not
// modify the rows, which belong to the data set.
type ProbModel[Y comparable] interface {
	Fit(x [][]float64, y []Y) error

	// Classes returns the classes that the model has learned, in the order of
	// its probabilities. A class that is not among them has the probability 0.
	Classes() []Y

	Probabilities(row []float64) []float64
}

// Learner adapts a model on row slices. newModel returns an untrained model, and may ignore
// the seed. [learntest.Encode] lets the learner learn from tables.
func Learner[Y comparable](name string,
	newModel func(seed uint64) Model[Y],
) learntest.Learner[[]float64, Y] {
	return learntest.Func(name, func(_ context.Context, train learntest.Sample[[]float64, Y],
		seed uint64,
	) (func([]float64) Y, error) {
		m := newModel(seed)
		if err := m.Fit(train.Examples(), train.Labels()); err != nil {
			return nil, err
		}
		return m.Predict, nil
	})
}

// ProbLearner adapts a model on row slices with class probabilities. newModel returns an
// untrained model, and may ignore the seed. A class that the data do not have, and another
// number of probabilities than classes, fail the trial.
func ProbLearner[Y comparable](name string,
	newModel func(seed uint64) ProbModel[Y],
) learntest.Learner[[]float64, Y] {
	return learntest.Learner[[]float64, Y]{Name: name, Fit: func(_ context.Context,
		train learntest.Sample[[]float64, Y], seed uint64,
	) (learntest.Model[[]float64, Y], error) {
		m := newModel(seed)
		if err := m.Fit(train.Examples(), train.Labels()); err != nil {
			return learntest.Model[[]float64, Y]{}, err
		}
		order, err := classorder.Of(train.Classes(), m.Classes())
		if err != nil {
			return learntest.Model[[]float64, Y]{}, fmt.Errorf("%w: %w", learner.ErrPrediction, err)
		}
		return learntest.ProbabilityModel[[]float64, Y](func(ctx context.Context, xs [][]float64,
			p []float64,
		) error {
			k := len(p) / max(len(xs), 1)
			for i, x := range xs {
				if err := context.Cause(ctx); err != nil {
					return err
				}
				if err := order.Put(p[i*k:(i+1)*k], m.Probabilities(x)); err != nil {
					return fmt.Errorf("%w: prediction %d: %w", learner.ErrPrediction, i, err)
				}
			}
			return nil
		}), nil
	}}
}
