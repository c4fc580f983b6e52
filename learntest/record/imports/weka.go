package imports

import (
	"bufio"
	"io"
	"slices"
	"strings"
)

const formatWeka = "weka"

// readWeka reads results of Weka's Experimenter: what its classes CSVResultListener and
// InstancesResultListener write, the one with all digits, the other with six decimals.
//
// The columns Key_Dataset, Key_Run, Key_Fold (not there where a run is one random split),
// Key_Scheme and Key_Scheme_options say what a row is of; runs and folds are counted from 1. The
// learner is scheme and options, without "weka.classifiers.". Number_of_training_instances and
// Number_of_testing_instances are the sizes, Elapsed_Time_training and Elapsed_Time_testing the
// seconds. Cross-validation has the protocol "weka" with the number of the first run as its seed.
//
// Sources: the classes CrossValidationResultProducer, RandomSplitResultProducer,
// ClassifierSplitEvaluator and RegressionSplitEvaluator of package weka.experiment, whose
// getKeyNames and getResultNames say which columns there are. Compared with version
// 3.6.14; versions 3.7 to 3.9 have more columns, and the same names for these.
func readWeka(c *collector, in io.Reader, _ Source) error {
	r := bufio.NewReaderSize(in, 1<<16)
	t, err := c.wekaTable(r)
	if err != nil {
		return err
	}
	w, err := newWekaReader(t)
	if err != nil {
		return err
	}
	if err := t.each(w.row); err != nil {
		return err
	}
	for _, s := range c.sets {
		if w.fold >= 0 && s.maxFold == 1 {
			return c.errorf(1, "there is one fold of data set %q only: the experiment was not run to its end", s.name)
		}
	}
	return nil
}

// wekaTable returns the rows of a CSV or ARFF file, whichever it is.
func (c *collector) wekaTable(in *bufio.Reader) (*table, error) {
	start, _ := in.Peek(1 << 10)
	text := strings.TrimLeft(strings.TrimPrefix(string(start), "\ufeff"), " \t\r\n")
	if strings.HasPrefix(text, "@") || strings.HasPrefix(text, "%") {
		t, _, err := c.arff(in)
		return t, err
	}
	return c.wekaCSV(in)
}

// A wekaReader reads the rows of one file.
type wekaReader struct {
	t                                *table
	data, run, scheme, options, fold int
	train, test                      int
	version                          int // -1 if there is none
	times                            times
	columns                          []column
	result                           result
	keys                             map[[2]string]string // names of learners
}

func newWekaReader(t *table) (*wekaReader, error) {
	if slices.ContainsFunc(t.header(),
		func(name string) bool { return strings.HasPrefix(name, "Avg_") }) {
		return nil, t.c.errorf(1, "these are averages of runs (Avg_ columns), of which no fold is known: store the results of CrossValidationResultProducer itself")
	}
	at, err := t.need("Key_Dataset", "Key_Run", "Key_Scheme", "Key_Scheme_options",
		"Number_of_training_instances", "Number_of_testing_instances")
	if err != nil {
		return nil, err
	}
	w := &wekaReader{
		t: t, data: at[0], run: at[1], scheme: at[2], options: at[3], train: at[4], test: at[5],
		fold: t.find("Key_Fold"), version: t.find("Key_Scheme_version_ID"),
		times: times{t.find("Elapsed_Time_training"), t.find("Elapsed_Time_testing")},
		keys:  make(map[[2]string]string),
	}
	usual := Measure{Column: "Percent_correct"}
	if t.find(usual.Column) < 0 { // regression
		usual.Column = "Root_mean_squared_error"
	}
	w.columns, w.result.units, err = t.measures(wekaMeasures(), []Measure{usual})
	return w, err
}

// row takes a row.
func (w *wekaReader) row() (err error) {
	t, r := w.t, &w.result
	r.line, r.data, r.fold = t.line, t.text(w.data), 1
	if r.run, err = t.count(w.run, 1); err != nil {
		return err
	}
	if w.fold >= 0 {
		if r.fold, err = t.count(w.fold, 1); err != nil {
			return err
		}
	} else {
		r.task = "a random split a run"
	}
	if r.trainN, err = t.count(w.train, 1); err != nil {
		return err
	}
	if r.testN, err = t.count(w.test, 1); err != nil {
		return err
	}
	if err := w.times.take(t, r); err != nil {
		return err
	}
	r.values = r.values[:0]
	for _, c := range w.columns {
		x, err := t.number(c.at)
		if err != nil {
			return err
		}
		r.values = append(r.values, c.scale.of(x))
	}
	r.learner = w.learner()
	r.again = ""
	if w.version >= 0 {
		r.again = "if they are of two versions of the scheme (Key_Scheme_version_ID), choose with Where (-where)"
	}
	return t.c.put(r)
}

// learner returns the name of the learner.
func (w *wekaReader) learner() string {
	key := [2]string{w.t.text(w.scheme), strings.TrimSpace(w.t.text(w.options))}
	name, ok := w.keys[key]
	if !ok {
		name = strings.TrimPrefix(key[0], "weka.classifiers.")
		if key[1] != "" {
			name += " " + key[1]
		}
		w.keys[key] = name
	}
	return name
}
