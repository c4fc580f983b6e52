package learntest

import (
	"errors"
	"fmt"

	"github.com/learnbench/learnbench/learntest/metric"
	"github.com/learnbench/learnbench/learntest/record"
)

// A scoring is metrics and the labels that they score predictions of.
type scoring struct {
	metrics []metric.Metric
	data    string
	labels  metric.Predictions // without any predictions
}

// scoring returns the metrics with all labels of the data.
func (s *source[X, Y]) scoring(metrics []metric.Metric) scoring {
	return scoring{metrics, s.name, metric.Predictions{
		Classes: s.classNames, Truth: s.truth,
		TrueValues: s.values,
	}}
}

// check calls the metrics on made-up predictions for all labels. The error names a metric that
// breaks its contract, notes name metrics that do not tell perfect predictions from shuffled ones.
// A metric that does not apply to the data is left to the first trial.
func (s scoring) check() (notes []string, err error) {
	for _, m := range s.metrics {
		m.Eval = calm(m.Eval)
		switch err := m.Check(&s.labels); {
		case errors.Is(err, metric.ErrContract):
			return nil, fmt.Errorf("%w: data set %q: %w", ErrConfig, s.data, err)
		case errors.Is(err, metric.ErrIndifferent):
			notes = append(notes, fmt.Sprintf("data set %s: %v: is it the metric that is meant?", s.data,
				err))
		}
	}
	return notes, nil
}

// fingerprints returns the header's entry on the formulas of metrics, without metrics that do not
// repeat their scores.
func (s scoring) fingerprints() string {
	var h record.Header
	for _, m := range s.metrics {
		m.Eval = calm(m.Eval)
		if f := m.Fingerprint(s.labels.Classes); f == m.Fingerprint(s.labels.Classes) {
			h.AddFormula(m.Name, f)
		}
	}
	return h.Metrics
}

// calm returns a function of a metric that returns an error where the metric panics, as one may do
// that wants probabilities.
func calm(eval func(*metric.Predictions) (float64, error)) func(*metric.Predictions) (float64,
	error) {
	return func(p *metric.Predictions) (score float64, err error) {
		defer func() {
			if r := recover(); r != nil {
				err = fmt.Errorf("panic: %v", r)
			}
		}()
		return eval(p)
	}
}
