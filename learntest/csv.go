package learntest

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/internal/csvfield"
)

// CSV reads the data set in a CSV file with a header, or one that is compressed (.csv.gz), into
// structs of the user's own. Tags of the fields name the columns:
//
//	type visit struct {
//		Patient string    `csv:"patient,group"`
//		Age     int       `csv:"age"`
//		Weight  *float64  `csv:"weight"` // nil where it is missing
//		Score   float64   `csv:"score,nan"`
//		Seen    time.Time `csv:"seen"`
//		Ill     bool      `csv:"outcome,label"`
//	}
//
//	visits, err := learntest.CSV[visit, bool]("testdata/visits.csv")
//
// A field without a name in its tag, or without a tag, is of the column with the field's name;
// csv:"-" leaves a field out, and columns that no field names are not read. Fields of embedded
// structs count as the struct's own. The options are
//
//	label  the label to predict, of the type Y; each struct has one. In the
//	       examples the field is zero, so that no learner can look at it.
//	group  which examples belong together, as in WithGroups
//	slice  each of its values is a slice of the examples, as in WithSlice, of at
//	       most 20; beside label or group as well
//	nan    a missing number is NaN
//	text   the cell unchanged: nothing in it stands for a missing value
//
// Fields are strings, booleans (true, false, t, f, 1, 0), integers, floats in decimal digits,
// anything that reads itself by UnmarshalText, such as a time.Time, or pointers to these. White
// space around a cell does not count, but for text. A cell that is empty, ? or NA is missing: a
// pointer is nil then, and any other field without nan or text is an error, since nothing is
// imputed. So is a missing label or group.
//
// Errors about the file are of type [*dataset.SyntaxError] with its line and column, errors about
// the struct wrap [dataset.ErrUnusable], and errors about limits that the file exceeds wrap
// [dataset.ErrLimit]. The data set has the name of the file without extensions.
//
// When a test uses the data set, go test learns that the test's outcome depends on the file, also
// if the file was read before the tests began. A file outside of the module, where go test does
// not look, is an error then, unless go test has -count=1 or the test has written the file.
func CSV[X any, Y comparable](path string) (*ExampleSet[X, Y], error) {
	return CSVWith[X, Y](path, dataset.ReadOptions{})
}

// CSVWith is CSV with options, of which Name, Comma, Missing, Limits and OnRow apply to
// structs. Others are an error that wraps [dataset.ErrOptions].
func CSVWith[X any, Y comparable](path string, opts dataset.ReadOptions) (*ExampleSet[X, Y],
	error,
) {
	o := opts
	o.Name, o.Comma, o.Missing, o.Limits, o.OnRow = "", 0, nil, dataset.Limits{}, nil
	if !reflect.ValueOf(o).IsZero() {
		return nil, fmt.Errorf("%w: only Name, Comma, Missing, Limits and OnRow apply to structs, whose tags say the rest", dataset.ErrOptions)
	}
	fields, err := csvfield.Of(reflect.TypeFor[X](), reflect.TypeFor[Y]())
	if err != nil {
		return nil, fmt.Errorf("%w: %s cannot be read into %v: %w", dataset.ErrUnusable, path,
			reflect.TypeFor[X](), err)
	}
	if opts.Missing == nil {
		opts.Missing = []string{"", "?", "NA"}
	}
	e := &ExampleSet[X, Y]{name: opts.Name}
	if e.file, err = filepath.Abs(path); err != nil {
		return nil, err
	}
	err = dataset.OpenCSV(path, opts, func(c *dataset.CSVReader) error {
		if e.name == "" {
			e.name = c.Name()
		}
		return e.read(c, fields, &opts)
	})
	if err != nil {
		return nil, err
	}
	return e, nil
}

// read reads all rows.
func (e *ExampleSet[X, Y]) read(c *dataset.CSVReader, fields []csvfield.Field,
	opts *dataset.ReadOptions,
) error {
	columns := make([]int, len(fields))
	for i, f := range fields {
		if columns[i] = slices.Index(c.Names(), f.Name); columns[i] < 0 {
			names := c.Names()
			return c.Errorf(0, "there is no column %q for the field %s: the first of %d columns are %.100q",
				f.Name, f.Path, len(names), names[:min(len(names), 10)])
		}
	}
	texts := make(map[string][]string) // of the columns whose values are slices
	for {
		row, err := c.Read()
		if errors.Is(err, io.EOF) && len(e.xs) == 0 {
			return c.Errorf(0, "there are no rows below the header")
		}
		if errors.Is(err, io.EOF) {
			return e.sliceBy(fields, texts)
		}
		if err != nil {
			return err
		}
		var x X
		value := reflect.ValueOf(&x).Elem()
		for i, f := range fields {
			cell := row[columns[i]]
			if err := f.Set(value.FieldByIndex(f.Index), cell, opts.Missing); err != nil {
				return c.Errorf(columns[i], "column %q, field %s %v: %v", f.Name, f.Path, f.Type, err)
			}
			if f.Slice {
				text := strings.Clone(strings.TrimSpace(cell))
				if slices.Contains(opts.Missing, text) {
					text = ""
				}
				texts[f.Name] = append(texts[f.Name], text)
			}
			switch {
			case f.Label:
				e.column = f.Name
				label := value.FieldByIndex(f.Index)
				e.ys = append(e.ys, label.Interface().(Y))
				label.SetZero()
			case f.Group:
				e.groups = append(e.groups, strings.Clone(strings.TrimSpace(cell)))
			}
		}
		e.xs = append(e.xs, x)
		if opts.OnRow != nil {
			opts.OnRow(c.Line())
		}
	}
}
