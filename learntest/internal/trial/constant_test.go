package trial

import (
	"testing"

	"github.com/learnbench/learnbench/learntest/metric"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/stretchr/testify/require"
)

// Few test examples may all be of one class. A model that rightly predicts this class is not called
// constant.
func TestConstant(t *testing.T) {
	t.Parallel()
	classes := []string{"a", "b"}
	for name, c := range map[string]struct {
		p    metric.Predictions
		want record.Constancy
	}{
		"nothing": {metric.Predictions{Classes: classes}, record.Varied},
		"one example": {metric.Predictions{
			Classes: classes, Truth: []int{0},
			Predicted: []int{0}, Probabilities: []float64{0.6, 0.4},
		}, record.Varied},
		"a root": {metric.Predictions{
			Classes: classes, Truth: []int{0, 1},
			Predicted: []int{0, 0}, Probabilities: []float64{0.6, 0.4, 0.6, 0.4},
		}, record.Constant},
		"two leaves of one class": {metric.Predictions{
			Classes: classes, Truth: []int{0, 1},
			Predicted: []int{0, 0}, Probabilities: []float64{0.6, 0.4, 0.7, 0.3},
		}, record.Varied},
		"two classes": {metric.Predictions{
			Classes: classes, Truth: []int{0, 1},
			Predicted: []int{0, 1}, Probabilities: []float64{0.5, 0.5, 0.5, 0.5},
		}, record.Varied},
		"the last differs": {metric.Predictions{Classes: classes, Truth: []int{
			1, 1, 1, 1, 1,
			1,
		}, Predicted: []int{0, 0, 0, 0, 0, 1}}, record.Varied},
		"sure of a few": {metric.Predictions{
			Classes: classes, Truth: []int{0, 1},
			Predicted: []int{0, 0}, Probabilities: []float64{1, 0, 1, 0},
		}, record.Alike},
		"sure, and wrong of five": {metric.Predictions{
			Classes: classes,
			Truth:   []int{1, 1, 1, 1, 1}, Predicted: []int{0, 0, 0, 0, 0}, Probabilities: []float64{
				1, 0, 1,
				0, 1, 0, 1, 0, 1, 0,
			},
		}, record.Constant},
		"no probabilities, right": {metric.Predictions{
			Classes: classes,
			Truth:   []int{0, 0, 0, 0, 0}, Predicted: []int{0, 0, 0, 0, 0},
		}, record.Alike},
		"no probabilities, four others": {metric.Predictions{
			Classes: classes,
			Truth:   []int{0, 1, 1, 1, 1}, Predicted: []int{0, 0, 0, 0, 0},
		}, record.Alike},
		"no probabilities, five others": {metric.Predictions{
			Classes: classes,
			Truth:   []int{1, 1, 1, 1, 1}, Predicted: []int{0, 0, 0, 0, 0},
		}, record.Constant},
		"numbers": {metric.Predictions{
			TrueValues:      []float64{1, 2, 3, 4, 5},
			PredictedValues: []float64{2, 2, 2, 2, 2},
		}, record.Constant},
		"numbers that differ": {metric.Predictions{
			TrueValues:      []float64{1, 2, 3, 4, 5},
			PredictedValues: []float64{2, 2, 2, 2, 2.5},
		}, record.Varied},
		"four numbers": {metric.Predictions{
			TrueValues:      []float64{1, 2, 3, 4},
			PredictedValues: []float64{2, 2, 2, 2},
		}, record.Alike},
	} {
		require.Equal(t, c.want, constancy(&c.p), name)
	}
}
