package imports

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/metric"
	"github.com/learnbench/learnbench/learntest/record"
)

// maxClasses bounds the classes of predictions, since some metrics take memory for each
// pair of them.
const maxClasses = 4096

// readOpenML reads the predictions of an OpenML run (predictions.arff) and computes the
// scores: the accuracy, the root mean squared error of regression, or the
// metrics of package metric that Options.Measures name.
//
// The columns repeat, fold and row_id, all counted from 0, say which example was tested
// where; a column sample must be 0. prediction is the predicted value, and correct, or
// truth, the true one; confidence.CLASS are the probabilities. Every fold's
// training set is all other examples, so that each example must be tested once in a
// repetition.
//
// Clients have swapped prediction and correct. Where there are data, or confidences, they
// decide: if prediction is not the value in the data, or the class with the
// greatest confidence, in every row, but correct is, the columns are taken for each other, and
// a note says so; if neither is, it is an error. Without both, only
// metrics are allowed that do not change with a swap.
//
// Sources: the description of the task types in OpenML's documentation, the method
// _generate_arff_dict of openml-python's runs/run.py, and openml-python's change 1209 and
// OpenML's discussion 1185 about the swap. The files in testdata imitate version 0.14.
func readOpenML(c *collector, in io.Reader, s Source) error {
	if len(c.Where) > 0 {
		return fmt.Errorf("%w: Where (-where) does not apply to predictions: all examples belong to a fold", ErrOptions)
	}
	t, rows, err := c.arff(in)
	if err != nil {
		return err
	}
	o := &openml{
		t: t, rows: rows, c: c,
		remedy: "clients have swapped it with the truth, and only the data can tell: give them with " +
			optTables,
	}
	if err := o.columns(); err != nil {
		return err
	}
	if err := o.metrics(); err != nil {
		return err
	}
	if err := t.each(o.row); err != nil {
		return err
	}
	if err := o.settle(s); err != nil {
		return err
	}
	return o.put(s)
}

// columns finds the columns.
func (o *openml) columns() error {
	at, err := o.t.need("repeat", "fold", "row_id", "prediction")
	if err != nil {
		return err
	}
	o.repeat, o.fold, o.id, o.prediction = at[0], at[1], at[2], at[3]
	o.sample = o.t.find("sample")
	if o.truth = o.t.find("correct"); o.truth < 0 {
		o.truth = o.t.find("truth")
	}
	if o.truth < 0 {
		return o.c.errorf(1, "there is no column correct or truth: without the truth there is no score")
	}
	p, q := o.attribute(o.prediction), o.attribute(o.truth)
	o.names = [2]string{p.Name, q.Name}
	if p.Kind != q.Kind {
		return o.c.errorf(1, "prediction is %v, %s %v", p.Kind, q.Name, q.Kind)
	}
	if p.Kind == dataset.Numeric {
		return nil
	}
	o.codes = make(map[string]int)
	for _, name := range slices.Concat(q.Values, p.Values) {
		if _, ok := o.codes[name]; !ok {
			o.codes[name] = len(o.classes)
			o.classes = append(o.classes, name)
		}
	}
	if len(o.classes) > maxClasses {
		return o.c.errorf(1, "%d classes are declared, %d are allowed", len(o.classes), maxClasses)
	}
	for _, name := range o.classes {
		i := o.t.find("confidence." + name)
		if i < 0 || o.attribute(i).Kind != dataset.Numeric {
			o.confidence = nil
			break
		}
		o.confidence = append(o.confidence, o.rows.table.Numbers(i))
	}
	return nil
}

// metrics finds the metrics.
func (o *openml) metrics() error {
	if len(o.c.Measures) == 0 {
		usual := metric.Accuracy()
		if o.classes == nil {
			usual = metric.RMSE()
		}
		o.chosen = []metric.Metric{usual}
		return nil
	}
	for _, m := range o.c.Measures {
		of, err := metric.Lookup(m.Column)
		if err != nil {
			return fmt.Errorf("%w: %s: %w", ErrOptions, optMeasures, err)
		}
		if m.Name != "" || m.Better != 0 {
			return fmt.Errorf("%w: %s: the metric %s is computed, and has its name and direction",
				ErrOptions, optMeasures, m.Column)
		}
		o.chosen = append(o.chosen, of)
	}
	return nil
}

// settle checks the partitions, and which column has the truth.
func (o *openml) settle(s Source) error {
	if len(o.tested) == 0 {
		return nil
	}
	slices.SortFunc(o.tested, func(a, b tested) int {
		return cmp.Or(cmp.Compare(a.repeat, b.repeat), cmp.Compare(a.fold, b.fold),
			cmp.Compare(a.example, b.example))
	})
	if err := o.cover(); err != nil {
		return err
	}
	if err := o.decide(); err != nil {
		return err
	}
	predicted, truth := o.names[0], o.names[1]
	if o.swapped {
		predicted, truth = truth, predicted
	}
	o.c.assumed.add("the predicted value is column %q, the true one column %q", predicted, truth)
	if o.swapped {
		o.predicted, o.true = o.true, o.predicted
		o.c.notes = append(o.c.notes, fmt.Sprintf("%s: %s and %s are swapped in the file, as by some clients of OpenML, and were taken for each other", s.Name, o.names[0], o.names[1]))
	}
	return o.consistent()
}

// cover returns an error unless each example is tested once in each repetition.
func (o *openml) cover() error {
	if o.examples > len(o.tested) {
		return o.c.errorf(1, "there is a row_id %d, but there are %d rows only, and so the training sets are not known: every row_id from 0 on must be there", o.examples-1, len(o.tested))
	}
	first := o.tested[0]
	for _, r := range o.tested {
		first.fold = min(first.fold, r.fold)
	}
	if first.repeat > 0 || first.fold > 0 {
		return o.c.errorf(int(first.line),
			"the lowest repeat is %d and the lowest fold %d, but OpenML counts them from 0", first.repeat,
			first.fold)
	}
	seen := make([]int32, o.examples) // 1 + the repetition in which it was tested last
	lines := make([]int32, o.examples)
	n := 0
	for i, r := range o.tested {
		if seen[r.example] == r.repeat+1 {
			return &record.SyntaxError{
				File: o.c.source, Line: int(max(r.line, lines[r.example])), Err: record.ErrDouble,
				Msg: fmt.Sprintf("row_id %d is tested in repeat %d already, in line %d", r.example, r.repeat,
					min(r.line, lines[r.example])),
			}
		}
		seen[r.example], lines[r.example] = r.repeat+1, r.line
		n++
		if i+1 < len(o.tested) && o.tested[i+1].repeat == r.repeat {
			continue
		}
		if n < o.examples {
			return o.c.errorf(int(r.line),
				"repeat %d tests %d of %d examples, and so the training sets are not known: every row_id from 0 to %d must be there", r.repeat, n, o.examples, o.examples-1)
		}
		n = 0
	}
	return nil
}

// put puts a trial for each fold.
func (o *openml) put(s Source) error {
	r := &result{data: o.c.Dataset, learner: s.Learner}
	for _, m := range o.chosen {
		r.units = append(r.units, m.Unit)
	}
	if err := o.size(); err != nil {
		return err
	}
	var err error
	if r.task, err = o.partitions(); err != nil {
		return err
	}
	for fold := range eachFold(o) {
		first := fold[0]
		r.line, r.run, r.fold = int(first.line), int(first.repeat)+1, int(first.fold)+1
		r.trainN, r.testN = o.examples-len(fold), len(fold)
		p := o.predictions(fold)
		r.values = r.values[:0]
		for _, m := range o.chosen {
			x, err := m.Eval(p)
			if err != nil {
				return fmt.Errorf("%s: repeat %d, fold %d: %w", o.c.source, first.repeat, first.fold, err)
			}
			r.values = append(r.values, x)
		}
		if err := o.c.put(r); err != nil {
			return err
		}
	}
	if o.c.Predictions && len(o.tested) > 0 {
		set := o.c.set(o.c.Dataset)
		set.kept = append(set.kept, kept{s.Learner, o.c.source, o})
	}
	return nil
}
