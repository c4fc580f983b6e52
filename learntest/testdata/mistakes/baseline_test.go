package mistakes

import (
	"testing"

	"github.com/learnbench/learnbench/assert"
	"github.com/learnbench/learnbench/learntest"
	"github.com/learnbench/learnbench/learntest/metric"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/unit"
)

const price = 1.0 // of a wrong prediction

// cost is the mean price of predictions.
func cost() metric.Metric {
	m := metric.Metric{Unit: unit.Unit{Name: "usd", Better: unit.Lower, Min: 0, Max: 10}}
	m.Eval = func(p *metric.Predictions) (float64, error) {
		sum := 0.0
		for i, c := range p.Predicted {
			if c != p.Truth[i] {
				sum += price
			}
		}
		return sum / float64(p.Len()), nil
	}
	return m
}

// There is no baseline. commands.txt writes one, and changes this test.
//
//	FAIL Claim does not hold: model vs model on numbers: invalid configuration: baseline baseline.txt: there is no such file; LEARNTEST_UPDATE=1 go test -count=1 -run '^TestBaseline$' example.com/model writes it anew
func TestBaseline(t *testing.T) {
	cfg := learntest.Config{Protocol: split.CV(10, 10), Metrics: []metric.Metric{cost()}}
	c := learntest.AgainstWith(t, cfg, numbers(200), wrongBelow("model", 60), "baseline.txt")
	assert.NoRegression(t, c, assert.Margin(0.1))
}

// Nothing is claimed against a baseline that is not there.
//
//	FAIL learntest.Against: invalid configuration: baseline nowhere.txt: there is no such file; LEARNTEST_UPDATE=1 go test -count=1 -run '^TestBaselineWithoutAClaim$' example.com/model writes it anew
func TestBaselineWithoutAClaim(t *testing.T) {
	learntest.Against(t, numbers(200), wrongBelow("model", 60), "nowhere.txt")
}

// A budget has no reference.
//
//	FAIL Claim does not hold: invalid configuration: there is no reference reference.txt: LEARNTEST_OUT=$PWD/new.txt go test -count=1 -run '^TestBudgetWithoutAReference$' example.com/model stores results, and then learnbench pin -reason TEXT -learner model $PWD/new.txt reference.txt makes it
func TestBudgetWithoutAReference(t *testing.T) {
	c := learntest.Against(t, numbers(200), wrongBelow("model", 60), "reference.txt")
	assert.WithinBudget(t, c, 0.02)
}
