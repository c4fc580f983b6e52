package c45

import (
	"fmt"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/learner"
)

// checkWeights returns an error if the weights of the training rows are too
// small for a result that means anything: if they make the tree a leaf though
// there are rows enough of several classes, or if they are nothing within the
// tolerance, so that there is no opinion.
func (c Config) checkWeights(t *dataset.Table, rows []int32) error {
	weights := t.Weights()
	if weights == nil {
		return nil
	}
	class := t.Codes(t.ClassIndex())
	total, heaviest, several := 0.0, rows[0], false
	for _, r := range rows {
		total += weights[r]
		if weights[r] > weights[heaviest] {
			heaviest = r
		}
		several = several || class[r] != class[rows[0]]
	}
	n, least := len(rows), 2*c.MinLeaf
	if !eq(total, 0) && !(several && n >= least && sm(total, float64(least))) {
		return nil
	}
	return fmt.Errorf("%w on %q: c45: the weights of the %d training rows sum to %.6g, and row %d has the greatest, %.6g: "+
		"no node of a weight below %d is split; multiply all weights by %.6g, so that they are 1 in the mean",
		learner.ErrTraining, t.Name(), n, total, heaviest, weights[heaviest], least, float64(n)/total)
}
