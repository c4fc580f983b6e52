package study

import (
	"context"
	"fmt"

	"github.com/learnbench/learnbench/internal/lab"
	"github.com/learnbench/learnbench/learntest"
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/metric"
)

// weak is a mixture on which a tree may find nothing to split on, and sum and blurred are numbers
// that the attributes say much and little about.
var (
	weak    = mixture{attributes: 4, shift: 0.5, positive: 0.5, balanced: true}
	sum     = line{attributes: 10, noise: 2}
	blurred = line{attributes: 10, noise: 10}
)

// Gates measures learners as the study gate does: how often a gate finds a difference between a
// learner that sees one half of the attributes and the same learner on the other half, where both
// halves are alike, and how often it finds the first better if a constant is added to its scores.
// Learners of classes are on two mixtures of normal classes, on 100 and 300 examples, and judged by
// their accuracy; learners of numbers are on sums of the attributes and noise, and judged by RMSE.
//
// The error wraps [ErrConfig] if there is no learner, two have one name, or one predicts the same
// whatever the attributes are; and if there is a store, which could not tell when a learner
// changes. Otherwise it is the error of the first trial that failed.
func Gates(ctx context.Context, cfg Config, classes []learntest.Learner[dataset.Row, int],
	numbers []learntest.Learner[dataset.Row, float64],
) (*Report, error) {
	set, err := cfg.lab().WithDefaults()
	switch {
	case err != nil:
		return nil, err
	case len(classes)+len(numbers) == 0:
		return nil, fmt.Errorf("%w: no learner", ErrConfig)
	case set.Store != "":
		return nil, fmt.Errorf("%w: scores of learners of one's own are not kept: nothing says when they change", ErrConfig)
	}
	all, err := ownNulls(classes, numbers)
	if err != nil {
		return nil, err
	}
	sets := set.SetsOr(3, ownSets)
	rows, err := gateRows(ctx, set, all, sets, min(sets, gatePowerSets))
	if err != nil {
		return nil, err
	}
	for _, row := range rows {
		if !row.differ {
			return nil, fmt.Errorf("%w: %v: both halves of the attributes are equally good in all trials, which says nothing about a test: name a learner that uses attributes", ErrConfig, row.of)
		}
	}
	return &Report{Tables: []Table{
		typeITable(rows,
			"Each learner sees two halves of attributes that are alike. Ten of two normal classes are 0.8 standard deviations apart in each; four, on which a tree may find nothing to split on, 0.5, and as many examples are of one class as of the other. A number to be predicted is the sum of ten normal attributes and of noise, whose standard deviation is 2 unless the row has another."),
		gatePowerTable(rows),
	}}, nil
}

// ownSets is the number of data sets of each null of a learner of one's own.
const ownSets = 400

// ownNulls returns three nulls for each learner.
func ownNulls(classes []learntest.Learner[dataset.Row, int],
	numbers []learntest.Learner[dataset.Row, float64],
) (all []null, err error) {
	there := make(map[string]bool) // a program may be of classes and of numbers
	add := func(name, judged string, source lab.Source, n int, whole lab.Subject) {
		u := halved(name+judged, source, n, whole, expectedGates{})
		if there[u.String()] {
			err = fmt.Errorf("%w: two learners are called %s: give one another name, as in NAME=nn(k=5)", ErrConfig, name)
		}
		there[u.String()] = true
		all = append(all, u)
	}
	for _, l := range classes {
		whole := lab.Ran(l, metric.Accuracy())
		add(l.Name, "", usual, 100, whole)
		add(l.Name, "", usual, 300, whole)
		add(l.Name, ", "+weak.words(), weak, 100, whole)
	}
	for _, l := range numbers {
		whole := lab.RanOnNumbers(l, metric.RMSE())
		add(l.Name, ", RMSE", sum, 100, whole)
		add(l.Name, ", RMSE", sum, 300, whole)
		add(l.Name, fmt.Sprintf(", RMSE, noise %v", blurred.noise), blurred, 100, whole)
	}
	return all, err
}
