package imports

import (
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

const formatAMLBPredictions = "amlb-predictions"

// readAMLBPredictions reads a file predictions.csv of the AutoML Benchmark: the predictions of a
// framework in a fold. The files of all folds are put together when they have been read.
//
// The path names the rest, as in
// flaml.small.1h8c.local.20260102T030405/predictions/iris/0/predictions.csv: the framework, unless
// there is a learner, the task, and the fold, counted from 0. The last columns are predictions and
// truth. The columns before them have the probabilities of the classes, whose names they have;
// without such columns the task is regression. Columns behind them are left out.
//
// The files do not say which row of the data a row is: examples are counted through the folds. All
// frameworks must have the same truth in the same rows. As in readOpenML, predictions that are
// never the class of the greatest probability where the truth always is are taken for each other.
//
// Sources: the benchmark's source file amlb/results.py (TaskResult.save_predictions,
// validate_predictions, _predictions_file).
func readAMLBPredictions(c *collector, in io.Reader, s Source) error {
	if len(c.Where) > 0 {
		return fmt.Errorf("%w: Where (-where) does not apply to predictions: all examples belong to a fold", ErrOptions)
	}
	framework, task, fold, err := amlbPlace(s.Name)
	if err != nil {
		return fmt.Errorf("%w: %s: %w", ErrOptions, s.Name, err)
	}
	if s.Learner != "" {
		framework = s.Learner
	}
	if framework == "" {
		return fmt.Errorf("%w: %s: the path names no framework: name one with %s", ErrOptions,
			s.Name, optLearner)
	}
	t, err := c.csv(in)
	if err != nil {
		return err
	}
	f := &amlbFold{source: s.Name}
	if err := f.read(t); err != nil {
		return err
	}
	if len(f.truth) == 0 {
		return fmt.Errorf("%s has no predictions", s.Name)
	}
	r := amlbRunOf(c, framework, task)
	if have := r.folds[fold]; have != nil {
		return fmt.Errorf("%s: fold %d of task %s by %s is there already, in %s", s.Name, fold, task,
			framework, have.source)
	}
	r.folds[fold] = f
	return nil
}

// amlbPlace takes a path apart. The framework is empty if the path does not say it.
func amlbPlace(path string) (framework, task string, fold int, err error) {
	parts := strings.Split(filepath.ToSlash(path), "/")
	n := len(parts)
	if n >= 3 {
		fold, err = strconv.Atoi(parts[n-2])
	}
	if n < 3 || err != nil || fold < 0 || fold >= maxCount || parts[n-3] == "" {
		return "", "", 0, fmt.Errorf("it must be in the directory of its fold, in the directory of its task, as in iris/0/predictions.csv")
	}
	if n >= 5 && parts[n-4] == "predictions" {
		framework, _, _ = strings.Cut(parts[n-5], ".")
	}
	return framework, parts[n-3], fold, nil
}

// An amlbRun is the folds of a framework on a task.
type amlbRun struct {
	framework, task string
	folds           map[int]*amlbFold
}

// amlbRunOf returns the folds of a framework on a task.
func amlbRunOf(c *collector, framework, task string) *amlbRun {
	for _, r := range c.amlb {
		if r.framework == framework && r.task == task {
			return r
		}
	}
	r := &amlbRun{framework: framework, task: task, folds: make(map[int]*amlbFold)}
	c.amlb = append(c.amlb, r)
	return r
}

// An amlbFold is a file.
type amlbFold struct {
	source           string
	classes          []string // nil for regression
	predicted, truth []string
	numbers          [2][]float64 // of regression: predicted, true
	probabilities    [][]float64  // by class
	lines            []int
}

// read reads the rows.
func (f *amlbFold) read(t *table) error {
	at, err := t.need("predictions", "truth")
	if err != nil {
		return err
	}
	if at[1] != at[0]+1 {
		return t.c.errorf(1, "the column truth does not follow the column predictions: the columns are %s", t.list())
	}
	f.classes = append(f.classes, t.header()[:at[0]]...)
	if len(f.classes) > maxClasses {
		return t.c.errorf(1, "%d classes are declared, %d are allowed", len(f.classes), maxClasses)
	}
	f.probabilities = make([][]float64, len(f.classes))
	return t.each(func() error {
		f.lines = append(f.lines, t.line)
		for k, column := range at {
			if isMissing(t.text(column)) {
				return t.errorf(column, "there is no value")
			}
			if f.classes == nil {
				x, err := t.number(column)
				if err != nil {
					return err
				}
				f.numbers[k] = append(f.numbers[k], x)
			}
		}
		f.predicted, f.truth = append(f.predicted, strings.Clone(t.text(at[0]))),
			append(f.truth, strings.Clone(t.text(at[1])))
		for k := range f.classes {
			p, err := t.number(k)
			if err != nil {
				return err
			}
			f.probabilities[k] = append(f.probabilities[k], p)
		}
		return nil
	})
}

// finishAMLB puts the trials of all frameworks, whose folds have been read.
func finishAMLB(c *collector) error {
	first := make(map[string]*openml) // by task
	for _, r := range c.amlb {
		o, err := r.together(c)
		if err != nil {
			return err
		}
		if o.c.table(r.task) != nil {
			return fmt.Errorf("%w: %s does not apply to format %s, whose files do not say which rows they are of", ErrOptions, optTables, c.format.Name)
		}
		c.source = r.folds[0].source
		c.Dataset = r.task
		s := Source{Name: r.directory(), Learner: r.framework}
		if err := o.metrics(); err != nil {
			return err
		}
		if err := o.settle(s); err != nil {
			return err
		}
		if before := first[r.task]; before == nil {
			first[r.task] = o
		} else if err := r.sameTruth(o, before); err != nil {
			return err
		}
		c.source = s.Name
		if err := o.put(s); err != nil {
			return err
		}
	}
	return nil
}

// directory returns the directory of the task.
func (r *amlbRun) directory() string { return filepath.Dir(filepath.Dir(r.folds[0].source)) }

// together returns the predictions of all folds, whose examples are counted through them.
func (r *amlbRun) together(c *collector) (*openml, error) {
	o := &openml{
		c: c, repeats: 1, folds: len(r.folds), codes: make(map[string]int),
		names:  [2]string{"predictions", "truth"},
		remedy: "no file says which it is: leave the framework out",
	}
	for fold := range len(r.folds) {
		f := r.folds[fold]
		if f == nil {
			return nil, fmt.Errorf("fold %d of task %s by %s is missing, and there are %d: a framework that fails leaves no predictions: leave it out", fold, r.task, r.framework, len(r.folds))
		}
		if fold == 0 {
			for _, name := range f.classes {
				codeOf(o, name)
			}
			o.confidence = make([][]float64, len(f.classes))
			if f.classes == nil {
				o.codes, o.confidence = nil, nil
			}
		}
		if o.codes != nil && (len(f.classes) != len(o.confidence) ||
			!slices.Equal(f.classes, o.classes[:len(f.classes)])) || o.codes == nil && f.classes != nil {
			return nil, fmt.Errorf("%s has other columns than fold 0 of task %s by %s", f.source,
				r.task, r.framework)
		}
		for i := range f.truth {
			o.tested = append(o.tested, tested{
				0, int32(fold), int32(o.examples), int32(f.lines[i]),
				int32(o.examples),
			})
			o.examples++
			if o.codes == nil {
				o.predicted, o.true = append(o.predicted, f.numbers[0][i]), append(o.true, f.numbers[1][i])
				continue
			}
			o.predicted, o.true = append(o.predicted, float64(codeOf(o, f.predicted[i]))),
				append(o.true, float64(codeOf(o, f.truth[i])))
		}
		for k, p := range f.probabilities {
			o.confidence[k] = append(o.confidence[k], p...)
		}
		o.files = append(o.files, f.source)
	}
	if len(o.confidence) < len(o.classes) { // a class is true, or predicted, of which no framework knew when it was trained
		o.confidence = append(o.confidence, make([][]float64, len(o.classes)-len(o.confidence))...)
		for k := range o.confidence {
			if o.confidence[k] == nil {
				o.confidence[k] = make([]float64, o.examples)
			}
		}
	}
	return o, nil
}

// codeOf returns the code of a class, which may be new.
func codeOf(o *openml, name string) int {
	code, ok := o.codes[name]
	if !ok {
		code = len(o.classes)
		o.codes[name] = code
		o.classes = append(o.classes, name)
	}
	return code
}

// sameTruth returns an error unless the truth is the same as in the results of another framework.
func (r *amlbRun) sameTruth(o, before *openml) error {
	for i, x := range o.tested {
		if i >= len(before.tested) || before.tested[i].fold != x.fold {
			return fmt.Errorf("%s has other numbers of rows than the folds of the framework before it: they are of other partitions", o.files[x.fold])
		}
		if o.show(o.true[i]) != before.show(before.true[i]) {
			o.c.source = o.files[x.fold]
			return o.c.errorf(int(x.line),
				"the truth is %s, and %s in this row of %s: they are of other data or partitions, or in another order", o.show(o.true[i]), before.show(before.true[i]), before.files[x.fold])
		}
	}
	if len(o.tested) != len(before.tested) {
		return fmt.Errorf("%s has other numbers of rows than the folds of the framework before it: they are of other partitions", o.files[len(o.files)-1])
	}
	return nil
}

// amlbFiles returns the files predictions.csv below directories, and the files that are no
// directories.
func amlbFiles(paths []string) (files []string, err error) {
	for _, path := range paths {
		before := len(files)
		err := filepath.WalkDir(path, func(name string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() &&
				(name == path || strings.TrimSuffix(d.Name(), ".gz") == "predictions.csv") {
				files = append(files, name)
			}
			return err
		})
		if err == nil && len(files) == before {
			err = fmt.Errorf("%s: there is no file predictions.csv in it", path)
		}
		if err != nil {
			return nil, err
		}
	}
	return files, nil
}

// amlbSources returns the files below directories, with the learners of these.
func amlbSources(paths, learners []string) ([]Source, error) {
	if len(learners) > 0 && len(learners) != len(paths) {
		return nil, fmt.Errorf("%w: %d learners (-learner) for %d directories: name one for each, in their order", ErrOptions, len(learners), len(paths))
	}
	var sources []Source
	for i, path := range paths {
		files, err := amlbFiles([]string{path})
		if err != nil {
			return nil, err
		}
		for _, name := range files {
			s := Source{Name: name}
			if len(learners) > 0 {
				s.Learner = learners[i]
			}
			sources = append(sources, s)
		}
	}
	return sources, nil
}
