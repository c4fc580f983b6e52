package imports

import (
	"fmt"
	"io"
)

// readAMLB reads the file results.csv of the AutoML Benchmark.
//
// The columns task, framework and fold say what a row is of; folds are counted from 0. The score is
// in the column result, of the metric in the column metric, where the loss of a metric is negated
// and its name begins with neg_. The columns of the single metrics (acc, auc, logloss and so on),
// which old files alone have, are read if Options.Measures names them. training_duration and
// predict_duration are the seconds. The task of OpenML in the column id defines the partitions. A
// row without result is a framework that failed; the column info says why.
//
// Sources: the page "Results" of the benchmark's documentation, and its source file
// amlb/results.py (Scoreboard.as_data_frame, TaskResult.compute_score). The files in
// testdata imitate version 2.1.
func readAMLB(c *collector, in io.Reader, _ Source) error {
	t, err := c.csv(in)
	if err != nil {
		return err
	}
	at, err := t.need("id", "task", "framework", "fold")
	if err != nil {
		return err
	}
	a := &amlbReader{
		t: t, id: at[0], task: at[1], framework: at[2], fold: at[3], info: t.find("info"),
		constraint: t.find("constraint"), metric: -1,
	}
	a.times = times{t.find("training_duration"), t.find("predict_duration")}
	if a.sizes, err = t.sizes(); err != nil {
		return err
	}
	if len(c.Measures) > 0 {
		if a.columns, a.result.units, err = t.measures(amlbMeasures(), nil); err != nil {
			return err
		}
		return t.each(a.row)
	}
	if at, err = t.need("result"); err != nil {
		return err
	}
	if a.metric = t.find("metric"); a.metric < 0 {
		return fmt.Errorf("%w: %s has no column \"metric\" that says what the result is: choose of %s with %s", ErrOptions, c.source, t.list(), optMeasures)
	}
	a.columns, a.known = []column{{at: at[0]}}, make(map[string]known)
	for _, k := range amlbMeasures() {
		a.known[k.column] = k
	}
	return t.each(a.row)
}

// An amlbReader reads the rows of one file.
type amlbReader struct {
	t                                                   *table
	id, task, framework, fold, info, constraint, metric int
	times                                               times
	sizes                                               sizes
	columns                                             []column
	result                                              result
	known                                               map[string]known // metrics
}

// row takes a row.
func (a *amlbReader) row() error {
	t, r := a.t, &a.result
	r.line, r.data, r.learner, r.run = t.line, t.text(a.task), t.text(a.framework), 1
	r.task = t.text(a.id)
	if isMissing(r.task) {
		return t.errorf(a.id, "there is no task, which defines the partitions")
	}
	fold, err := t.count(a.fold, 0)
	if err != nil {
		return err
	}
	r.fold = fold + 1
	if fold >= t.c.Folds {
		return t.errorf(a.fold, "%d is not one of %d folds, counted from 0: give the number of folds with %s", fold, t.c.Folds, optFolds)
	}
	if a.metric >= 0 {
		if err := a.setMetric(); err != nil {
			return err
		}
	}
	if err := a.times.take(t, r); err != nil {
		return err
	}
	if err := a.sizes.take(t, r); err != nil {
		return err
	}
	r.again = ""
	if a.constraint >= 0 {
		r.again = "if they are of two constraints, choose with Where (-where constraint=...)"
	}
	return t.putScores(r, a.columns, func() string {
		if a.info >= 0 && !isMissing(t.text(a.info)) {
			return t.text(a.info)
		}
		return "the benchmark has no result, and no cause"
	})
}

// setMetric takes the metric of the row.
func (a *amlbReader) setMetric() error {
	t := a.t
	name := t.text(a.metric)
	if isMissing(name) && isMissing(t.text(a.columns[0].at)) {
		a.result.units = nil
		return nil
	}
	k, ok := a.known[name]
	if !ok {
		return t.errorf(a.metric, "metric %s is not known: choose columns with %s", excerpt(name),
			optMeasures)
	}
	t.c.assumed.column(known{"result", k.unit, k.scale})
	a.columns[0].unit, a.columns[0].scale = k.unit, k.scale
	a.result.units = append(a.result.units[:0], k.unit)
	return nil
}
