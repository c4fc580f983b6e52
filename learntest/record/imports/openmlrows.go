package imports

import (
	"fmt"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/metric"
)

// An openml reads the predictions of one run.
type openml struct {
	t    *table
	rows *arffRows
	c    *collector

	repeat, fold, id, sample int // columns
	prediction, truth        int
	names                    [2]string   // of the columns of predictions and truth
	remedy                   string      // where nothing tells whether they are swapped
	files                    []string    // by fold, if each has its own
	confidence               [][]float64 // by class, and by row
	classes                  []string    // nil for regression
	codes                    map[string]int
	chosen                   []metric.Metric

	tested    []tested
	predicted []float64 // codes of classes, or numbers
	true      []float64
	folds     int
	repeats   int
	examples  int
	swapped   bool
}

// A tested is a row of the file.
type tested struct {
	repeat, fold, example int32
	line                  int32
	at                    int32 // index of the row
}

func (o *openml) attribute(i int) dataset.Attribute { return o.rows.table.Attribute(i) }

// row takes a row.
func (o *openml) row() error {
	t := o.t
	repeat, err := t.count(o.repeat, 0)
	if err != nil {
		return err
	}
	fold, err := t.count(o.fold, 0)
	if err != nil {
		return err
	}
	id, err := t.count(o.id, 0)
	if err != nil {
		return err
	}
	if o.sample >= 0 {
		if sample, err := t.count(o.sample, 0); err != nil {
			return err
		} else if sample != 0 {
			return t.errorf(o.sample, "%d: learning curves are not read, since their training sets are not the other examples", sample)
		}
	}
	if repeat >= maxCount || fold >= maxCount {
		return o.c.errorf(t.line, "repeat %d or fold %d is too great: %d are allowed", repeat,
			fold, maxCount)
	}
	p, err := o.target(o.prediction)
	if err != nil {
		return err
	}
	q, err := o.target(o.truth)
	if err != nil {
		return err
	}
	o.tested = append(o.tested, tested{
		int32(repeat), int32(fold), int32(id), int32(t.line),
		int32(len(o.tested)),
	})
	o.predicted, o.true = append(o.predicted, p), append(o.true, q)
	o.repeats, o.folds, o.examples = max(o.repeats, repeat+1), max(o.folds, fold+1),
		max(o.examples, id+1)
	return nil
}

// target returns a prediction or the truth: a number, or the code of a class.
func (o *openml) target(column int) (float64, error) {
	if isMissing(o.t.text(column)) {
		return 0, o.t.errorf(column, "there is no value")
	}
	if o.classes == nil {
		return o.t.number(column)
	}
	return float64(o.codes[o.t.text(column)]), nil
}

// size returns an error if files on the same data have different numbers of examples.
func (o *openml) size() error {
	set := o.c.set(o.c.Dataset)
	if set.examples > 0 && o.examples != set.examples {
		return fmt.Errorf("%s has %d examples, but there were %d before", o.c.source, o.examples,
			set.examples)
	}
	set.examples = o.examples
	return nil
}

// A kept is the predictions of a learner, whose columns are settled.
type kept struct {
	learner, source string
	of              *openml
}
