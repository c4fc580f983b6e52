package trial

import (
	"slices"

	"github.com/learnbench/learnbench/learntest/metric"
	"github.com/learnbench/learnbench/learntest/record"
)

// leastOthers is the number of test examples of other classes from which on it is no chance that
// a model which tells classes apart predicts one class only.
const leastOthers = 5

// constancy says whether a model made the same prediction for all test examples, and whether that
// may be chance. A classifier without probabilities, or with zeros and ones only, is called
// constant only on test examples of other classes: the few examples of a fold may well be all of
// the predicted one.
func constancy(p *metric.Predictions) record.Constancy {
	if !p.Classification() {
		switch {
		case len(p.PredictedValues) < 2 || !allSame(p.PredictedValues, 1):
			return record.Varied
		case len(p.PredictedValues) < leastOthers:
			return record.Alike
		}
		return record.Constant
	}
	if len(p.Predicted) < 2 || !allSame(p.Predicted, 1) || !allSame(p.Probabilities, len(p.Classes)) {
		return record.Varied
	}
	for _, q := range p.Probabilities[:min(len(p.Classes), len(p.Probabilities))] {
		if q > 0 && q < 1 {
			return record.Constant
		}
	}
	others := 0
	for _, c := range p.Truth {
		if c != p.Predicted[0] {
			if others++; others == leastOthers {
				return record.Constant
			}
		}
	}
	return record.Alike
}

// allSame reports whether all rows of so many values are equal.
func allSame[T int | float64](x []T, width int) bool {
	if width == 1 { // without calls
		for _, v := range x {
			if v != x[0] {
				return false
			}
		}
		return true
	}
	for i := width; i < len(x); i += width {
		if !slices.Equal(x[:width], x[i:i+width]) {
			return false
		}
	}
	return true
}
