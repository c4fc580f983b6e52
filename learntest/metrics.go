package learntest

import (
	"errors"
	"fmt"

	"github.com/learnbench/learnbench/learntest/metric"
	"github.com/learnbench/learnbench/learntest/record"
)

// checkMetrics calls the metrics on made-up predictions for all labels. The error is about one that breaks its
// contract, notes are about those that may be meant so. A metric that does not apply to the data is left to
// the first trial.
func (s *source[X, Y]) checkMetrics(metrics []metric.Metric) (notes []string, err error) {
	for _, m := range metrics {
		m.Eval = calm(m.Eval)
		p := metric.Predictions{Classes: s.classNames, Truth: s.truth, TrueValues: s.values}
		switch err := m.Check(&p); {
		case errors.Is(err, metric.ErrContract):
			return nil, fmt.Errorf("%w: data set %q: %w", ErrConfig, s.name, err)
		case errors.Is(err, metric.ErrIndifferent):
			notes = append(notes, fmt.Sprintf("data set %s: %v: is it the metric that is meant?", s.name, err))
		}
	}
	return notes, nil
}

// fingerprints returns what a header says of the formulas of metrics: nothing of one that does not repeat itself.
func (s *source[X, Y]) fingerprints(metrics []metric.Metric) string {
	var h record.Header
	for _, m := range metrics {
		m.Eval = calm(m.Eval)
		if f := m.Fingerprint(s.classNames); f == m.Fingerprint(s.classNames) {
			h.AddFormula(m.Name, f)
		}
	}
	return h.Metrics
}

// calm returns a function of a metric that returns an error where the metric panics, as one may do that wants
// probabilities.
func calm(eval func(*metric.Predictions) (float64, error)) func(*metric.Predictions) (float64, error) {
	return func(p *metric.Predictions) (score float64, err error) {
		defer func() {
			if r := recover(); r != nil {
				err = fmt.Errorf("panic: %v", r)
			}
		}()
		return eval(p)
	}
}
