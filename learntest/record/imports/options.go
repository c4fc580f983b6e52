package imports

import (
	"fmt"
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

	// Predictions keeps the predictions of OpenML's files besides their scores: see [Results].
	// Probabilities says which confidences are kept with them, as in predictions.Header.
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
		return fmt.Errorf("%w: %q is no number of examples: write N or NAME=N, where N is 2 or more",
			ErrOptions, s)
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

// name returns the name of the metric.
func (m Measure) name() string {
	if m.Name == "" {
		return m.Column
	}
	return m.Name
}

// AddMap adds the columns of a text as [ParseMap] takes it.
func (o *Options) AddMap(s string) error {
	m, err := ParseMap(s)
	o.Map = append(o.Map, m...)
	return err
}

// column returns the name of the column that has the role, or "".
func (o *Options) column(role string) string {
	for _, m := range o.Map {
		if m.What == role {
			return m.Column
		}
	}
	return ""
}
