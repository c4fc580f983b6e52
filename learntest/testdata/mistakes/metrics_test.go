package mistakes

import (
	"testing"

	"github.com/learnbench/learnbench/assert"
	"github.com/learnbench/learnbench/learntest"
	"github.com/learnbench/learnbench/learntest/metric"
	"github.com/learnbench/learnbench/learntest/unit"
)

// A metric overwrites the true labels that it is given: another one finds all predictions right.
//
//	FAIL learntest.CompareWith: invalid configuration: data set "numbers": metric breaks its contract: flattering changes the true labels that it is given: the metrics after it would score that
func TestMetricThatOverwrites(t *testing.T) {
	m := metric.Accuracy()
	m.Name, m.Doc = "flattering", ""
	m.Eval = func(p *metric.Predictions) (float64, error) {
		score, err := metric.Accuracy().Eval(p)
		copy(p.Truth, p.Predicted)
		return score, err
	}
	cfg := learntest.Config{Metrics: []metric.Metric{m, metric.Accuracy()}}
	c := learntest.CompareWith(t, cfg, numbers(200), wrongBelow("new", 90), wrongBelow("old", 20))
	assert.NoRegression(t, c, assert.On(metric.Accuracy()), assert.Margin(0.1))
}

// A loss is declared better the higher it is.
//
//	FAIL learntest.CompareWith: invalid configuration: data set "numbers": metric breaks its contract: loss scores shuffled predictions 50 and perfect ones 0, and higher is better: turn its direction round
func TestMetricInTheWrongDirection(t *testing.T) {
	loss := metric.Metric{Unit: unit.Unit{Name: "loss", Better: unit.Higher, Min: 0, Max: 1000}}
	loss.Eval = func(p *metric.Predictions) (float64, error) {
		wrong := 0
		for i, c := range p.Predicted {
			if c != p.Truth[i] {
				wrong++
			}
		}
		return 100 * float64(wrong) / float64(p.Len()), nil
	}
	cfg := learntest.Config{Metrics: []metric.Metric{loss}}
	assert.Improves(t, learntest.CompareWith(t, cfg, numbers(60), always[int]("odd", true), parity()))
}

// The metric takes probabilities, and the models predict labels.
//
//	FAIL learntest.CompareWith: invalid configuration: parity on data set numbers: logloss: metric does not apply to these predictions: it needs class probabilities, the learner gives labels only
func TestMetricThatDoesNotApply(t *testing.T) {
	cfg := learntest.Config{Metrics: []metric.Metric{metric.LogLoss()}}
	assert.Improves(t, learntest.CompareWith(t, cfg, numbers(60), parity(), always[int]("odd", true)))
}

// Classes are numbers, of which the default metric is of regression.
//
//	FAIL learntest.CompareWith: invalid configuration: exact on data set numbers: accuracy: metric does not apply to these predictions: it needs classes, these are numbers
func TestNumbersAsClasses(t *testing.T) {
	xs, ys := make([]int, 60), make([]float64, 60)
	for i := range xs {
		xs[i], ys[i] = i, float64(i%2)
	}
	exact := learntest.Pretrained("exact", func(x int) float64 { return float64(x % 2) })
	one := learntest.Pretrained("one", func(int) float64 { return 1 })
	cfg := learntest.Config{Metrics: []metric.Metric{metric.Accuracy()}}
	assert.Improves(t, learntest.CompareWith(t, cfg, learntest.Examples("numbers", xs, ys), exact, one))
}
