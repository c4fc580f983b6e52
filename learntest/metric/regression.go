package metric

import (
	"fmt"
	"math"

	"github.com/learnbench/learnbench/learntest/unit"
)

func valueMetrics() []Metric { return []Metric{RMSE(), MAE(), R2()} }

// RMSE is the root of the mean squared error, in the unit of the target.
func RMSE() Metric {
	return valueMetric("rmse", "root mean squared error", unit.Lower, 0, math.Inf(1), rmse)
}

// MAE is the mean absolute error, in the unit of the target.
func MAE() Metric {
	return valueMetric("mae", "mean absolute error", unit.Lower, 0, math.Inf(1), mae)
}

// R2 is the coefficient of determination: 1 minus the squared error of the predictions
// divided by the squared error of the mean of the test examples' true values. It is
// undefined if these values are all equal, as in leave-one-out.
func R2() Metric {
	return valueMetric("r2", "coefficient of determination", unit.Higher, math.Inf(-1), 1, r2)
}

func valueMetric(name, doc string, better unit.Direction, lo, hi float64,
	f func(*Predictions) (float64, error),
) Metric {
	return Metric{
		Unit: unit.Unit{Name: name, Better: better, Min: lo, Max: hi},
		Doc:  doc,
		Eval: func(p *Predictions) (float64, error) {
			if err := p.needValues(name); err != nil {
				return math.NaN(), err
			}
			return f(p)
		},
	}
}

func squaredError(p *Predictions) float64 {
	sum := 0.0
	for i, y := range p.TrueValues {
		e := p.PredictedValues[i] - y
		sum += float64(e * e)
	}
	return sum
}

func rmse(p *Predictions) (float64, error) {
	return math.Sqrt(squaredError(p) / float64(p.Len())), nil
}

func mae(p *Predictions) (float64, error) {
	sum := 0.0
	for i, y := range p.TrueValues {
		sum += math.Abs(p.PredictedValues[i] - y)
	}
	return sum / float64(p.Len()), nil
}

func r2(p *Predictions) (float64, error) {
	mean := 0.0
	for _, y := range p.TrueValues {
		mean += y
	}
	mean /= float64(p.Len())
	total := 0.0
	for _, y := range p.TrueValues {
		total += float64((y - mean) * (y - mean))
	}
	if total == 0 {
		return math.NaN(), fmt.Errorf("r2: %w: the true values of all %d test examples are equal",
			ErrUndefined, p.Len())
	}
	return 1 - squaredError(p)/total, nil
}
