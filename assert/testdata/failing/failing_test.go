// Package failing has tests that are meant to fail; another test runs them
// and reads what they say.
package failing

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/learnbench/learnbench/assert"
	"github.com/learnbench/learnbench/learntest"
	"github.com/learnbench/learnbench/learntest/metric"
	"github.com/learnbench/learnbench/learntest/split"
)

type (
	data    = learntest.ExampleSet[int, bool]
	learner = learntest.Learner[int, bool]
	model   = learntest.Model[int, bool]
	sample  = learntest.Sample[int, bool]
)

func numbers() *data {
	xs, ys := make([]int, 60), make([]bool, 60)
	for i := range xs {
		xs[i], ys[i] = i, i%2 == 1
	}
	return learntest.Examples("numbers", xs, ys)
}

var (
	parity = learntest.Pretrained("parity", func(x int) bool { return x%2 == 1 })
	third  = learntest.Pretrained("third", func(x int) bool { return x%2 == 1 != (x%3 == 0) })
	config = learntest.Config{Protocol: split.CV(2, 5)}
)

// failing is parity but for the folds that are tested on example 17, where f
// makes the model.
func failing(name string, f func(ctx context.Context) (model, error)) learner {
	return learner{Name: name, Fit: func(ctx context.Context, train sample, _ uint64) (model, error) {
		for x := range train.All() {
			if x == 17 {
				return odd, nil
			}
		}
		return f(ctx)
	}}
}

func TestRegression(t *testing.T) {
	c := learntest.CompareWith(t, config, numbers(), third, parity)
	assert.NoRegression(t, c, assert.Margin(0.1), assert.Message("release %d", 7))
}

func TestNoImprovement(t *testing.T) {
	c := learntest.CompareWith(t, config, numbers(), parity, learntest.Pretrained("twin", func(x int) bool { return x%2 == 1 }))
	assert.Improves(t, c)
}

func TestPanic(t *testing.T) {
	c := learntest.CompareWith(t, config, numbers(), failing("panics", func(context.Context) (model, error) {
		panic("no such feature")
	}), parity)
	assert.NoRegression(t, c)
}

func TestError(t *testing.T) {
	c := learntest.CompareWith(t, config, numbers(), failing("errs", func(context.Context) (model, error) {
		return model{}, errors.New("cannot converge")
	}), parity)
	assert.NoRegression(t, c)
}

func TestNaN(t *testing.T) {
	cfg := config
	cfg.Metrics = []metric.Metric{metric.LogLoss()}
	soft := func(name string, p float64) learner {
		return learntest.ProbFunc(name, func(_ context.Context, train sample, _ uint64) (func(int, []float64), error) {
			q := p
			for x := range train.All() {
				if x == 17 {
					q = 0.5
				}
			}
			return func(_ int, out []float64) { out[0], out[1] = q, 1-q }, nil
		})
	}
	c := learntest.CompareWith(t, cfg, numbers(), soft("nan", math.NaN()), soft("half", 0.5))
	assert.NoRegression(t, c, assert.Margin(0.1))
}

func TestTooFewPredictions(t *testing.T) {
	c := learntest.CompareWith(t, config, numbers(), failing("short", func(context.Context) (model, error) {
		return learntest.LabelModel(func(_ context.Context, xs []int) ([]bool, error) { return make([]bool, len(xs)-1), nil }), nil
	}), parity)
	assert.NoRegression(t, c)
}

func TestHang(t *testing.T) {
	c := learntest.CompareWith(t, config, numbers(), failing("hangs", func(context.Context) (model, error) {
		select {}
	}), parity)
	assert.NoRegression(t, c)
}

// odd is what parity learns.
var odd = learntest.LabelModel(func(_ context.Context, xs []int) ([]bool, error) {
	ys := make([]bool, len(xs))
	for i, x := range xs {
		ys[i] = x%2 == 1
	}
	return ys, nil
})
