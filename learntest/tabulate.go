package learntest

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/internal/csvfield"
	"github.com/learnbench/learnbench/learntest/internal/trial"
)

// Tabulate lets a learner on tables, such as a program in Python or a reference learner, learn from
// examples of the user's own struct type, beside learners on these structs:
//
//	python := learntest.Tabulate[Payment, bool](learntest.FromProcess[int](program))
//
// Each field is a column, with the name that [CSV] reads it by; the label, the group and fields
// with the tag csv:"-" are none. Numbers and times, in seconds since 1970, are numeric, all others
// nominal. A nil, a NaN and an empty text are missing values. A nominal column has the values of
// all examples, in the order of their first occurrence. Examples of the type []float64 have the
// columns x0, x1 and so on.
//
// The learner keeps its name. If the labels are floats, it is one of numbers, as [FromRegressor]
// makes.
func Tabulate[X any, Y comparable, L int | float64](l Learner[dataset.Row, L]) Learner[X, Y] {
	out := Learner[X, Y]{Name: l.Name, Depends: l.Depends, unnamed: l.unnamed, describe: l.describe}
	if l.Fit == nil {
		return out
	}
	out.Fit = func(ctx context.Context, train Sample[X, Y], seed uint64) (Model[X, Y], error) {
		src, err := tableOf[L](train.src)
		if err != nil {
			return Model[X, Y]{}, fmt.Errorf("%w: %s: %w", dataset.ErrUnusable, l.Name, err)
		}
		m, err := l.Fit(ctx, Sample[dataset.Row, L]{src, train.rows}, seed)
		if err != nil || m.predictor == nil {
			return Model[X, Y]{}, err
		}
		return Model[X, Y]{
			predictor: onTables[X, Y, L]{m.predictor, src.tables.all[0]}, close: m.close,
			reference: m.reference,
		}, nil
	}
	return out
}

// onTables is the predictor of a model that was trained on a table of the examples.
type onTables[X any, Y comparable, L int | float64] struct {
	predictor[dataset.Row, L]
	trained *dataset.Table
}

func (p onTables[X, Y, L]) predict(ctx context.Context, s *source[X, Y], a *trial.Attempt) error {
	src, err := tableOf[L](s)
	if err == nil && !sameAttributes(p.trained, src.tables.all[0]) {
		err = errors.New("the model was trained on examples with other columns")
	}
	if err != nil {
		return fmt.Errorf("%w: %w", dataset.ErrUnusable, err)
	}
	return p.predictor.predict(ctx, src, a)
}

// tableOf returns the data set whose examples are the rows of a table that is made of the examples
// of another one.
func tableOf[L int | float64, X any, Y comparable](s *source[X, Y]) (*source[dataset.Row, L],
	error,
) {
	if _, classes := any(*new(L)).(int); classes != s.classification() {
		return nil, fmt.Errorf("the labels are of type %v: a learner of classes learns from labels that are no floats, and one of numbers from floats", reflect.TypeFor[Y]())
	}
	t := s.table
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.source == nil && t.err == nil {
		var src *source[dataset.Row, L]
		if src, t.err = tabulated[L](s); t.err == nil {
			t.source, t.tables = src, src.tables
		}
	}
	src, _ := t.source.(*source[dataset.Row, L])
	return src, t.err
}

func tabulated[L int | float64, X any, Y comparable](s *source[X, Y]) (*source[dataset.Row, L],
	error,
) {
	var like *dataset.Table
	if s.table.of != nil {
		if made := s.table.of.made(); made != nil {
			like = made.all[0]
		}
	}
	columns, err := columnsOf(s, like)
	if err != nil {
		return nil, err
	}
	label := dataset.Column{Attribute: dataset.Attribute{Name: "label"}, Numbers: s.values}
	if e, ok := any(s.data).(*ExampleSet[X, Y]); ok && e.column != "" {
		label.Name = e.column
	}
	src := &source[dataset.Row, L]{
		name: s.name, digest: s.digest, classNames: s.classNames,
		truth: s.truth, values: s.values, groups: s.groups, table: new(tabular),
	}
	if s.classification() {
		label.Kind, label.Values, label.Codes = dataset.Nominal, s.classNames, make([]int32, len(s.truth))
		for i, c := range s.truth {
			label.Codes[i] = int32(c)
		}
		for c := range s.classes {
			src.classes = append(src.classes, L(c))
		}
		src.indexClasses()
	}
	for slices.ContainsFunc(columns, func(c dataset.Column) bool { return c.Name == label.Name }) {
		label.Name += "'"
	}
	table, err := dataset.New(s.name, append(columns, label), len(columns), nil)
	if err != nil {
		return nil, err
	}
	var data any = table
	if !s.classification() {
		data = dataset.Regression{Table: table}
	}
	src.data = data.(Data[dataset.Row, L])
	src.tables, err = tablesOf(src.data, indices(table.Len()))
	return src, err
}

// columnsOf returns the columns of the examples; nominal ones have the values of the table, if any.
func columnsOf[X any, Y comparable](s *source[X, Y], like *dataset.Table) ([]dataset.Column,
	error,
) {
	var columns []dataset.Column
	var err error
	switch {
	case s.tables != nil:
		return nil, errors.New("the examples are rows of tables: give them to this learner without Tabulate")
	case reflect.TypeFor[X]() == reflect.TypeFor[[]float64]():
		columns, err = numbersOf(s.data)
	default:
		columns, err = fieldsOf(s.data, like)
	}
	if err == nil && len(columns) == 0 {
		err = fmt.Errorf("examples of type %v have no columns", reflect.TypeFor[X]())
	}
	return columns, err
}

// numbersOf returns the columns of rows of numbers.
func numbersOf[X any, Y comparable](data Data[X, Y]) ([]dataset.Column, error) {
	row := func(i int) []float64 { return any(data.Example(i)).([]float64) }
	columns := make([]dataset.Column, len(row(0)))
	for j := range columns {
		columns[j].Name = "x" + strconv.Itoa(j)
	}
	for i := range data.Len() {
		if len(row(i)) != len(columns) {
			return nil, fmt.Errorf("example %d has %d numbers, and example 0 has %d", i, len(row(i)),
				len(columns))
		}
		for j, x := range row(i) {
			columns[j].Numbers = append(columns[j].Numbers, x)
		}
	}
	return columns, nil
}

// fieldsOf returns the columns of structs; nominal ones have the values of the table, if any.
func fieldsOf[X any, Y comparable](data Data[X, Y], like *dataset.Table) ([]dataset.Column, error) {
	fields, err := csvfield.Attributes(reflect.TypeFor[X]())
	if err != nil {
		return nil, fmt.Errorf("%v is no row of a table: %w", reflect.TypeFor[X](), err)
	}
	columns := make([]dataset.Column, len(fields))
	for j, f := range fields {
		c := &columns[j]
		c.Name = f.Name
		if !f.Numeric() {
			c.Kind, c.Values = dataset.Nominal, f.Values()
		}
		if like != nil {
			c.Values = like.Attribute(j).Values
		}
		codes := make(map[string]int32)
		for k, v := range c.Values {
			codes[v] = int32(k)
		}
		for i := range data.Len() {
			x := reflect.ValueOf(data.Example(i))
			if f.Numeric() {
				c.Numbers = append(c.Numbers, f.Number(x))
				continue
			}
			text, err := f.Text(x)
			if err != nil {
				return nil, fmt.Errorf("example %d, field %s: %w", i, f.Path, err)
			}
			code, known := codes[text]
			switch {
			case text == "":
				code = -1
			case !known && like != nil:
				return nil, fmt.Errorf("example %d, field %s: %.100q occurs in no example of the data set",
					i, f.Path, text)
			case !known:
				code = int32(len(c.Values))
				c.Values, codes[text] = append(c.Values, text), code
			}
			c.Codes = append(c.Codes, code)
		}
	}
	return columns, nil
}
