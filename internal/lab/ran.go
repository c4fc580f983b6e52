package lab

import (
	"context"
	"fmt"

	"github.com/learnbench/learnbench/learntest"
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/metric"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/split"
)

// Ran is the subject for a metric of any learner of classes, which [learntest.Run] runs.
func Ran(l learntest.Learner[dataset.Row, int], m metric.Metric) Subject {
	return Subject{m.Name + " of learner " + l.Name, func() Scorer {
		return runScorer[int]{l, m, labelled, value}
	}}
}

// Constant is the subject that scores 1 in a trial whose model made the same prediction for all
// test examples, and not by chance, and else 0.
func Constant(l learntest.Learner[dataset.Row, int]) Subject {
	return Subject{"constant models of learner " + l.Name, func() Scorer {
		return runScorer[int]{l, metric.Accuracy(), labelled, func(t record.Trial) float64 {
			return float64(Indicator(t.Constancy == record.Constant))
		}}
	}}
}

func labelled(t *dataset.Table) (learntest.Data[dataset.Row, int], error) { return t, nil }

func value(t record.Trial) float64 { return t.Values[0] }

// RanOnNumbers is that for a metric of a learner of numbers.
func RanOnNumbers(l learntest.Learner[dataset.Row, float64], m metric.Metric) Subject {
	return Subject{m.Name + " of " + l.Name, func() Scorer {
		return runScorer[float64]{
			l, m,
			func(t *dataset.Table) (learntest.Data[dataset.Row, float64], error) { return t.Regression() },
			value,
		}
	}}
}

type runScorer[Y comparable] struct {
	learner learntest.Learner[dataset.Row, Y]
	metric  metric.Metric
	data    func(*dataset.Table) (learntest.Data[dataset.Row, Y], error)
	score   func(record.Trial) float64
}

func (r runScorer[Y]) Scores(ctx context.Context, t *dataset.Table, plan *split.Plan) ([]float64,
	error,
) {
	data, err := r.data(t)
	if err != nil {
		return nil, err
	}
	f, err := learntest.Run(ctx, []learntest.Data[dataset.Row, Y]{data},
		[]learntest.Learner[dataset.Row, Y]{r.learner},
		learntest.Config{Protocol: plan.Protocol(), Metrics: []metric.Metric{r.metric}, Parallel: 1})
	if err != nil {
		return nil, err
	}
	for _, failure := range f.Failures() {
		return nil, fmt.Errorf("%v: %s", failure.Cell(), failure.Err)
	}
	return values(f, plan, r.score)
}

// values returns the scores of the only metric and learner of a file, by run and fold.
func values(f *record.File, plan *split.Plan, score func(record.Trial) float64) ([]float64, error) {
	scores := make([]float64, 0, plan.Runs()*plan.Folds())
	for _, b := range f.Blocks() {
		for t := range b.Trials() {
			scores = append(scores, score(t))
		}
	}
	if len(scores) != cap(scores) {
		return nil, fmt.Errorf("%d trials of %d runs of %d folds", len(scores), plan.Runs(), plan.Folds())
	}
	return scores, nil
}
