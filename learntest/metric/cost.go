package metric

import (
	"fmt"
	"math"

	"github.com/learnbench/learnbench/learntest/unit"
)

// Cost returns the metric of what a model itself costs, such as its size in bytes: the number that
// the learner has given for it, under the given name, by learntest.Model.WithCost. Lower is better,
// and no cost is negative. A model without that number fails its trial.
//
// Costs are no means over examples, and no predictions tell them. A claim of assert.RatioAtMost
// compares them.
func Cost(name string) Metric {
	return Metric{
		Unit: unit.Unit{Name: name, Better: unit.Lower, Max: math.Inf(1), OfModel: true},
		Doc:  "what the model itself costs, as its learner says",
		Eval: func(p *Predictions) (float64, error) {
			x, ok := p.Costs[name]
			if !ok {
				return 0, fmt.Errorf("%s: %w: the model has no such cost (Model.WithCost)", name,
					ErrPredictions)
			}
			return x, nil
		},
	}
}
