package imports

import (
	"fmt"
	"io"
	"strings"

	"github.com/learnbench/learnbench/learntest/record"
)

// readMLR3 reads a table of scores of mlr3, as data.table's fwrite writes the result of the
// method score of a BenchmarkResult or ResampleResult, without its columns of objects.
//
// The columns task_id, learner_id, resampling_id and iteration say what a row is of; iterations are
// counted from 1, in repeated_cv through all folds of the first repetition, then through all folds
// of the second. time_train and time_predict are the seconds. All columns classif.* and regr.* are
// scores. A score of NA marks a learner that failed.
//
// Sources: the manual pages BenchmarkResult, mlr_resamplings_cv, mlr_resamplings_repeated_cv
// and mlr_measures of mlr3, and its source files ResamplingCV.R and ResamplingRepeatedCV.R.
// The files in testdata imitate version 0.14.
func readMLR3(c *collector, in io.Reader, _ Source) error {
	t, err := c.csv(in)
	if err != nil {
		return err
	}
	at, err := t.need("task_id", "learner_id", "resampling_id", "iteration")
	if err != nil {
		return err
	}
	data, learner, resampling, iteration := at[0], at[1], at[2], at[3]
	var usual []Measure
	for _, name := range t.header() {
		if strings.HasPrefix(name, "classif.") || strings.HasPrefix(name, "regr.") {
			usual = append(usual, Measure{Column: name})
		}
	}
	if len(usual)+len(c.Measures) == 0 {
		return fmt.Errorf("%w: %s has no column classif.* or regr.*: choose of %s with %s", ErrOptions,
			c.source, t.list(), optMeasures)
	}
	r := &result{}
	columns, units, err := t.measures(mlr3Measures(), usual)
	if err != nil {
		return err
	}
	r.units = units
	sizes, err := t.sizes()
	if err != nil {
		return err
	}
	c.assumed.add("iterations are splits, fold by fold and run by run, %d folds a run", c.Folds)
	times := times{t.find("time_train"), t.find("time_predict")}
	return t.each(func() error {
		r.line, r.data, r.learner = t.line, t.text(data), t.text(learner)
		r.task = t.text(resampling) + " " + c.Partitions
		i, err := t.count(iteration, 1)
		if err != nil {
			return err
		}
		if err := t.checkResampling(resampling); err != nil {
			return err
		}
		r.run, r.fold = (i-1)/c.Folds+1, (i-1)%c.Folds+1
		if err := times.take(t, r); err != nil {
			return err
		}
		if err := sizes.take(t, r); err != nil {
			return err
		}
		return t.putScores(r, columns,
			func() string { return "mlr3 has no score (NA): the learner failed" })
	})
}

// checkResampling returns an error unless iterations of the resampling are folds of
// runs, as the options have it.
func (t *table) checkResampling(column int) error {
	switch id := t.text(column); {
	case id == "bootstrap" || id == "insample":
		return t.errorf(column, "no test is known for %s, whose training and test sets overlap: use repeated_cv or subsampling", id)
	case (id == "subsampling" || id == "holdout") && t.c.Folds != 1:
		return t.errorf(column, "%s has one fold a run, not %d: give it with %s", id, t.c.Folds, optFolds)
	}
	return nil
}

// putScores puts the scores of the row, or that it failed.
func (t *table) putScores(r *result, columns []column, cause func() string) error {
	failed, err := t.scores(r, columns)
	if err != nil {
		return err
	}
	r.err = ""
	if failed {
		r.err = record.Cause(cause())
	}
	return t.c.put(r)
}
