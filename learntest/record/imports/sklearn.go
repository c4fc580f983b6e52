package imports

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// readSklearn reads the result of scikit-learn's cross_validate: as the JSON of a dict of
// lists, of a DataFrame (to_json, with orient columns or records), or as CSV
// with or without the index.
//
// A row is a fold, in the order of the splits, which has all folds of the first
// repetition, then all folds of the second. test_score, whose metric has to be named,
// and test_NAME are the scores, of which those named neg_ are negated losses; fit_time
// and score_time are the seconds; train_* and all else is left out. A score of NaN
// marks a fit that failed (error_score).
//
// Sources: the manual pages of sklearn.model_selection.cross_validate, RepeatedKFold and
// RepeatedStratifiedKFold, and "The scoring parameter" in the user guide. The files in
// testdata are of version 1.2.1.
func readSklearn(c *collector, in io.Reader, s Source) error {
	r := bufio.NewReaderSize(in, 1<<16)
	var t *table
	var err error
	if startsJSON(r) {
		t, err = c.json(skipBOM(r))
	} else {
		t, err = c.csv(r)
	}
	if err != nil {
		return err
	}
	var usual []Measure
	for _, name := range t.header() {
		if strings.HasPrefix(name, "test_") {
			usual = append(usual, Measure{Column: name})
		}
	}
	if len(usual)+len(c.Measures) == 0 {
		remedy := ""
		if t.find("params") >= 0 {
			remedy = "for the results of a search take format " + formatSearch + ": "
		}
		return c.errorf(1, "there is no column test_score or test_*: %sthe columns are %s",
			remedy, t.list())
	}
	c.assumed.add("rows are splits, fold by fold and run by run, %d folds a run", c.Folds)
	res := &result{data: c.Dataset, learner: s.Learner}
	columns, units, err := t.measures(sklearnMeasures(), usual)
	if err != nil {
		return err
	}
	res.units = units
	sizes, err := t.sizes()
	if err != nil {
		return err
	}
	times := times{t.find("fit_time"), t.find("score_time")}
	index := t.find("") // pandas writes it without a name
	n := 0
	err = t.each(func() error {
		if err := t.checkIndex(index, n); err != nil {
			return err
		}
		res.line, res.run, res.fold = t.line, n/c.Folds+1, n%c.Folds+1
		n++
		if err := times.take(t, res); err != nil {
			return err
		}
		if err := sizes.take(t, res); err != nil {
			return err
		}
		return t.putScores(res, columns,
			func() string { return "scikit-learn has no score (NaN): the fit failed" })
	})
	if err == nil && n%c.Folds > 0 {
		err = fmt.Errorf("%w: %s has %d rows, which are no whole runs of %d folds: give the number of folds with %s", ErrOptions, c.source, n, c.Folds, optFolds)
	}
	return err
}

// checkIndex returns an error unless the index of the row is n: rows that were sorted or
// left out are no longer in the order of the splits.
func (t *table) checkIndex(column, n int) error {
	if column < 0 {
		return nil
	}
	i, err := t.count(column, 0)
	if err == nil && i != n {
		err = t.c.errorf(t.line, "the index of the row is %d, not %d: rows must be in the order of the splits", i, n)
	}
	return err
}
