package imports

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/unit"
)

// Options say what files do not. The zero value is right for results of Weka.
type Options struct {
	// Dataset is the name of the data set, where the format has none. If empty, it is the
	// name of the only one of Tables.
	Dataset string

	// Runs and Folds are the numbers of runs and of the folds of each, as
	// requested of the tool. If Runs is zero, there are as many as in the
	// files, whose first may then have any number in results of Weka. If Folds is zero,
	// it follows from the files, which only Weka's and OpenML's allow.
	Runs, Folds int

	// Examples has the number of examples of each data set by its name; the empty
	// name is for all others. It is needed where neither the files nor Tables
	// say it.
	Examples map[string]int

	// Partitions is a name for the partitions, where the file says nothing that tells
	// them from others: any text, such as the call that made them with its seed. Results
	// pair only if their names are equal.
	Partitions string

	// Measures are the columns to import. If empty, they are the accuracy of Weka
	// and OpenML (the root mean squared error of regression), the result of the
	// AutoML Benchmark, and every score of scikit-learn and mlr3.
	Measures []Measure

	// Map says what the columns of a table are, which no other format has.
	Map []Mapping

	// Where leaves out the rows whose columns have other values. Results of OpenML and
	// scikit-learn have no such columns.
	Where []Condition

	// Tables are data that results are of, by their names. They give the numbers of
	// examples and true digests, and results are checked against them: to have other numbers in
	// Examples is an error.
	Tables []*dataset.Table

	// Predictions keeps the predictions of OpenML's files besides their scores: see [Results]. Probabilities says
	// which confidences are kept with them, as in predictions.Header.
	Predictions   bool
	Probabilities string

	Limits Limits
}

// A Measure is a column of scores.
type Measure struct {
	Column string

	// Name is the metric. If empty, it is the known metric of the column. The scores
	// of an unknown column are not converted; their unit is the unit of the
	// metric of this name in package metric, if there is one.
	Name string

	// Better is the direction, which must be given if it is not known, and cannot be
	// changed if it is.
	Better unit.Direction
}

// ParseMeasure parses COLUMN, COLUMN=NAME or COLUMN=NAME:DIRECTION, where the direction
// is higher or lower.
func ParseMeasure(s string) (Measure, error) {
	var m Measure
	var ok bool
	m.Column, m.Name, ok = strings.Cut(s, "=")
	name, direction, directed := strings.Cut(m.Name, ":")
	if directed {
		m.Name = name
		switch direction {
		case unit.Higher.String():
			m.Better = unit.Higher
		case unit.Lower.String():
			m.Better = unit.Lower
		}
	}
	if m.Column == "" || ok && m.Name == "" || directed && m.Better == 0 {
		return m, fmt.Errorf("%w: %q is no measure: write COLUMN, COLUMN=NAME or COLUMN=NAME:DIRECTION, where DIRECTION is higher or lower", ErrOptions, s)
	}
	return m, nil
}

// A Condition is met by rows that have the value in the column.
type Condition struct{ Column, Value string }

// ParseCondition parses COLUMN=VALUE.
func ParseCondition(s string) (Condition, error) {
	column, value, ok := strings.Cut(s, "=")
	if !ok || column == "" {
		return Condition{}, fmt.Errorf("%w: %q is no condition: write COLUMN=VALUE", ErrOptions, s)
	}
	return Condition{column, value}, nil
}

// SetExamples parses N or NAME=N and sets the number of examples of the data set.
func (o *Options) SetExamples(s string) error {
	name, number := "", s
	if i := strings.LastIndexByte(s, '='); i >= 0 {
		name, number = s[:i], s[i+1:]
	}
	n, err := strconv.Atoi(number)
	if err != nil || n < 2 {
		return fmt.Errorf("%w: %q is no number of examples: write N or NAME=N, where N is 2 or more", ErrOptions, s)
	}
	if _, ok := o.Examples[name]; ok {
		return fmt.Errorf("%w: the number of examples of %q is there twice", ErrOptions, name)
	}
	if o.Examples == nil {
		o.Examples = make(map[string]int)
	}
	o.Examples[name] = n
	return nil
}

// withDefaults returns the options with what others say.
func (o Options) withDefaults(f Format) Options {
	if o.Dataset == "" && len(o.Tables) == 1 && slices.Contains(f.needs, optDataset) {
		o.Dataset = o.Tables[0].Name()
	}
	return o
}

// check returns an error for options that no file could make right.
func (o *Options) check(f Format, sources []Source) error {
	if err := o.Limits.check(); err != nil {
		return err
	}
	if err := o.checkMap(f); err != nil {
		return err
	}
	learner := ""
	if len(sources) > 0 {
		learner = sources[0].Learner
		for i, s := range sources {
			if (s.Learner == "") != (learner == "") {
				return fmt.Errorf("%w: source %s has no learner, others have: name one for each (-learner)", ErrOptions, sources[i].Name)
			}
		}
	}
	if o.Predictions && f.Name != formatOpenML {
		return fmt.Errorf("%w: Predictions (-predictions) are in files of format %s, and not of format %s", ErrOptions, formatOpenML, f.Name)
	}
	given := []struct {
		name string
		set  bool
	}{
		{optDataset, o.Dataset != ""},
		{optLearner, learner != ""},
		{optFolds, o.Folds != 0},
		{optRuns, o.Runs != 0},
		{optExamples, len(o.Examples) > 0},
		{optPartitions, o.Partitions != ""},
	}
	var missing []string
	for _, g := range given {
		if !g.set && slices.Contains(f.needs, g.name) {
			missing = append(missing, g.name)
		}
		if g.name == optExamples && f.sizeless && !g.set && len(o.Tables) == 0 && len(missing) > 0 {
			missing = append(missing, g.name+" "+orTables) // columns n_train and n_test may say it, but something is missing anyway
		}
		if g.set && slices.Contains(f.refuses, g.name) {
			return fmt.Errorf("%w: %s does not apply to format %s, whose files say it", ErrOptions, g.name, f.Name)
		}
	}
	if len(missing) > 0 {
		return fmt.Errorf("%w: format %s needs %s, which its files do not say", ErrOptions, f.Name, strings.Join(missing, ", "))
	}
	if o.Runs < 0 || o.Runs > maxCount {
		return fmt.Errorf("%w: %d runs: give a number from 1 to %d", ErrOptions, o.Runs, maxCount)
	}
	if o.Folds < 0 || o.Folds > maxCount {
		return fmt.Errorf("%w: %d folds: give a number from 1 to %d", ErrOptions, o.Folds, maxCount)
	}
	seen := make(map[string]bool)
	for _, t := range o.Tables {
		if seen[t.Name()] {
			return fmt.Errorf("%w: there are two tables of data set %q", ErrOptions, t.Name())
		}
		seen[t.Name()] = true
	}
	clear(seen)
	for _, m := range o.Measures {
		if seen[m.Column] {
			return fmt.Errorf("%w: measure %q is there twice", ErrOptions, m.Column)
		}
		seen[m.Column] = true
	}
	return nil
}

// table returns the table of a data set, or nil.
func (o *Options) table(name string) *dataset.Table {
	for _, t := range o.Tables {
		if t.Name() == name {
			return t
		}
	}
	return nil
}

// examples returns the number of examples of a data set; 0 if it is not known.
func (o *Options) examples(name string) int {
	if t := o.table(name); t != nil {
		return t.Len()
	}
	if n, ok := o.Examples[name]; ok {
		return n
	}
	return o.Examples[""]
}
