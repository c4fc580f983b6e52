package examples

import (
	"context"
	"io"
	"testing"

	"github.com/cdipaolo/goml/base"
	"github.com/cdipaolo/goml/linear"

	"github.com/learnbench/learnbench/assert"
	"github.com/learnbench/learnbench/learntest"
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/dataset/uci"
	"github.com/learnbench/learnbench/learntest/learner/baseline"
	"github.com/learnbench/learnbench/learntest/learnercheck"
	"github.com/learnbench/learnbench/learntest/metric"
	"github.com/learnbench/learnbench/learntest/split"
)

// logistic is logistic regression on rows of numbers with two classes, by gradient ascent.
func logistic(iterations int) learntest.Learner[[]float64, int] {
	return learntest.ProbFunc("logistic", func(_ context.Context, train learntest.Sample[[]float64, int], _ uint64) (func(x, p []float64), error) {
		ys := make([]float64, train.Len())
		for i := range ys {
			ys[i] = float64(train.Label(i))
		}
		m := linear.NewLogistic(base.BatchGA, 0.01, 0, iterations, train.Examples(), ys)
		m.Output = io.Discard // it reports its progress otherwise
		return func(x, p []float64) {
			guess, _ := m.Predict(x) // of as many numbers as it has learned from
			p[0], p[1] = 1-guess[0], guess[0]
		}, m.Learn()
	})
}

// TestLogistic guards class probabilities by their log loss. The encoding scales the numbers, by
// the training examples of each fold, without which gradient ascent does not converge.
func TestLogistic(t *testing.T) {
	c := learntest.CompareWith(t, learntest.Config{
		Protocol: split.CV(5, 5),
		Metrics:  []metric.Metric{metric.LogLoss(), metric.Accuracy()},
	}, uci.PimaDiabetes(), scaled(logistic(100)), learntest.FromClassifier(baseline.Majority()))
	assert.Improves(t, c, assert.Replicability(0.9))
	assert.Improves(t, c, assert.On(metric.Accuracy()))
}

func scaled(l learntest.Learner[[]float64, int]) learntest.Learner[dataset.Row, int] {
	return learntest.Encode(dataset.Encoding{OneHot: true, Scale: true}, l)
}

func TestLogisticKeepsItsPromises(t *testing.T) {
	learnercheck.Run(t, learnercheck.Learner(uci.PimaDiabetes(), scaled(logistic(10))))
}
