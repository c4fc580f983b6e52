package learntest

import (
	"context"
	"fmt"
	"time"

	"github.com/learnbench/learnbench/learntest/internal/trial"
)

// bind returns the trial of a learner on a data set.
func bind[X any, Y comparable](s *source[X, Y], l Learner[X, Y]) trial.Func {
	return func(ctx context.Context, a *trial.Attempt, seed uint64) (err error) {
		a.Fit, a.Predict = 0, 0
		start := time.Now()
		model, err := l.Fit(ctx, Sample[X, Y]{s, a.Train}, seed)
		fitted := time.Now()
		a.Fit = fitted.Sub(start)
		if err != nil {
			return fmt.Errorf("fit: %w", err)
		}
		if model.close != nil {
			defer func() {
				if cerr := model.close(); cerr != nil && err == nil {
					err = fmt.Errorf("close: %w", cerr)
				}
			}()
		}
		if model.predictor == nil {
			return fmt.Errorf("fit: %w", errNoModel)
		}
		a.Reference = model.reference
		s.prepare(a)
		a.Predictions.Costs = model.costs
		err = model.predictor.predict(ctx, s, a)
		a.Predict = time.Since(fitted)
		if err != nil {
			return fmt.Errorf("predict: %w", err)
		}
		if a.IsProbed() {
			predictor := model.predictor
			a.PredictFurther(ctx, s.data.Len(), func(ctx context.Context, all *trial.Attempt) error {
				s.prepare(all)
				return predictor.predict(ctx, s, all)
			})
		}
		return nil
	}
}

// bindAll binds learners to a data set.
func bindAll[X any, Y comparable](src *source[X, Y], learners []Learner[X, Y], names []string,
	cfg Config,
) *trial.Data {
	d := &trial.Data{
		Name: src.name, Digest: src.digest, Examples: src.examples(),
		Current: src.current, Learners: names, Classes: src.classNames, Targets: src.values,
	}
	for _, l := range learners {
		f := bind(src, l)
		if cfg.degrade > 0 && l.Name != cfg.spared {
			f = degraded(src, cfg.degrade, f)
		}
		d.Funcs = append(d.Funcs, f)
	}
	return d
}
