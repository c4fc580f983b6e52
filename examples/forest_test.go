package examples

import (
	"context"
	"testing"

	randomforest "github.com/malaschitz/randomForest"

	"github.com/learnbench/learnbench/assert"
	"github.com/learnbench/learnbench/learntest"
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/dataset/uci"
	"github.com/learnbench/learnbench/learntest/learner/naivebayes"
	"github.com/learnbench/learnbench/learntest/learnercheck"
	"github.com/learnbench/learnbench/learntest/metric"
	"github.com/learnbench/learnbench/learntest/split"
)

// forest is a random forest of a library that draws its random numbers from the global
// source of math/rand, which nothing can seed since Go 1.24.
func forest(trees int) learntest.Learner[[]float64, int] {
	return learntest.ProbFunc("forest", func(_ context.Context, train learntest.Sample[[]float64, int], _ uint64) (func(x, p []float64), error) {
		f := randomforest.Forest{Data: randomforest.ForestData{X: train.Examples(), Class: train.Labels()}}
		f.Train(trees)
		return func(x, p []float64) { copy(p, f.Vote(x)) }, nil
	})
}

// TestForest guards the forest by its class probabilities as well. A seed does not fix it, so that
// the configuration has to allow that, and each run of this test is one draw: the claims leave room
// for the next. Five runs by five folds are enough for these claims.
func TestForest(t *testing.T) {
	bayes := learntest.FromClassifier(naivebayes.New(naivebayes.Config{}))
	c := learntest.CompareWith(t, learntest.Config{
		Protocol:            split.CV(5, 5),
		Metrics:             []metric.Metric{metric.Accuracy(), metric.LogLoss()},
		AllowNondeterminism: true,
	}, uci.Vehicle(), learntest.Encode(dataset.Encoding{}, forest(30)), bayes)
	assert.Improves(t, c, assert.Gain(0.1))
	assert.Improves(t, c, assert.On(metric.LogLoss()))
}

// TestForestKeepsItsPromises tests everything but the seed.
func TestForestKeepsItsPromises(t *testing.T) {
	learnercheck.Run(t, learnercheck.Learner(uci.Glass(), learntest.Encode(dataset.Encoding{}, forest(10))), learnercheck.Determinism)
}
