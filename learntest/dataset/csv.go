package dataset

import (
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"
)

// ReadCSV reads a table of comma-separated values (RFC 4180) from r. The first
// line names the columns. filename is used in errors and, without its
// extensions, as the name of the table. White space around a field does not
// count, and blank lines are skipped.
//
// A column is numeric if each of its values that is not missing is a decimal
// number, and nominal otherwise; its values are then declared in the order of
// their first appearance. The class is nominal whatever its values look like,
// unless it is named as the target.
// [ReadOptions] can say otherwise, and should if values that do not occur must
// be declared or if files that are read separately must agree.
//
// ReadCSV returns a [*SyntaxError] for a row whose number of fields differs from
// the header's, a quote out of place, a column without a name or with a
// repeated one, and a value that does not fit what [ReadOptions] say about its
// column. A column of numbers among which are infinities or NaNs is an error too,
// since it is hardly meant to be nominal. So is a file that exceeds one of the
// [Limits], which wraps [ErrLimit].
func ReadCSV(r io.Reader, filename string, opts ReadOptions) (*Table, error) {
	if err := opts.checkCSV(); err != nil {
		return nil, err
	}
	comma := cmp.Or(opts.Comma, ',')
	c := csvFile{file: filename, budget: newBudget(opts.Limits)}
	c.rows = newRowReader(r, comma, c.budget)
	c.r = csv.NewReader(c.rows.buffer)
	c.r.ReuseRecord = true
	c.r.FieldsPerRecord = -1
	c.r.Comma = comma
	if err := c.readHeader(&opts); err != nil {
		return nil, err
	}
	for {
		c.rows.next()
		record, err := c.r.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err == nil {
			err = c.readRow(record)
		}
		if err != nil {
			return nil, c.position(err)
		}
		if opts.OnRow != nil {
			line, _ := c.r.FieldPos(0)
			opts.OnRow(line)
		}
	}
	return c.table(&opts)
}

// A csvFile is what has been read of a file.
type csvFile struct {
	r       *csv.Reader
	rows    *rowReader
	budget  *budget
	file    string
	cols    []csvColumn
	groups  groupColumn
	missing []string
}

func (c *csvFile) errorAt(field int, format string, args ...any) error {
	line, column := c.r.FieldPos(field)
	return newSyntaxError(c.file, line, column, format, args...)
}

// limited returns an error about a limit, if it is one, with the line of the
// current row.
func (c *csvFile) limited(err error) error {
	if err != nil {
		line, _ := c.r.FieldPos(0)
		return limitError(c.file, line, err)
	}
	return nil
}

// position turns an error of encoding/csv into one of this package.
func (c *csvFile) position(err error) error {
	var parse *csv.ParseError
	if errors.As(err, &parse) {
		msg := parse.Err.Error()
		if parse.StartLine != parse.Line {
			msg += fmt.Sprintf(" in the row that starts on line %d", parse.StartLine)
		}
		return &SyntaxError{File: c.file, Line: parse.Line, Column: parse.Column, Msg: msg}
	}
	var syntax *SyntaxError
	if errors.As(err, &syntax) || errors.Is(err, ErrOptions) {
		return err
	}
	if errors.Is(err, ErrLimit) {
		return limitError(c.file, c.rows.line(), err)
	}
	return fmt.Errorf("%s: after line %d: %w", c.file, c.rows.line()-1, err)
}

func (c *csvFile) readHeader(opts *ReadOptions) error {
	record, err := c.r.Read()
	if errors.Is(err, io.EOF) {
		return &SyntaxError{File: c.file, Line: 1, Msg: "the file is empty: no line names the columns"}
	}
	if err != nil {
		return c.position(err)
	}
	if err := c.limited(c.rows.check()); err != nil {
		return err
	}
	c.missing = opts.missing()
	seen := make(map[string]int)
	for i, field := range record {
		name := strings.TrimSpace(field)
		ignore := slices.Contains(opts.Ignore, name)
		switch {
		case !utf8.ValidString(name):
			return c.errorAt(i, "name %q of column %d is not UTF-8: convert the file first", name, i+1)
		case name == "" && !ignore:
			return c.errorAt(i, "column %d has no name", i+1)
		}
		if prev, ok := seen[name]; ok {
			return c.errorAt(i, "columns %d and %d are both named %q", prev+1, i+1, name)
		}
		seen[name] = i
		if err := c.limited(c.budget.name()); err != nil {
			return err
		}
		c.cols = append(c.cols, csvColumn{name: name, ignore: ignore, group: opts.Group != "" && name == opts.Group, budget: c.budget})
		if !ignore {
			c.budget.width++
		}
	}
	has := func(name string) bool { _, ok := seen[name]; return ok }
	if err := opts.checkNames(c.file, has); err != nil {
		return err
	}
	class := opts.Class
	if opts.predicted() == "" && !opts.NoClass {
		for i := range c.cols {
			if !c.cols[i].ignore && !c.cols[i].group {
				class = c.cols[i].name
			}
		}
	}
	for i := range c.cols {
		col := &c.cols[i]
		kind, fixed := opts.Kinds[col.name]
		values, declared := opts.Values[col.name]
		switch {
		case declared:
			col.declare(values)
		case fixed && kind == Numeric:
			col.mode = csvNumeric
		case fixed || class != "" && col.name == class:
			col.mode = csvNominal
		}
	}
	return nil
}

func (c *csvFile) readRow(record []string) error {
	if err := c.limited(c.rows.check()); err != nil {
		return err
	}
	if len(record) != len(c.cols) {
		return c.errorAt(min(len(record)-1, len(c.cols)), "the row has %d fields, the header has %d", len(record), len(c.cols))
	}
	if err := c.limited(c.budget.row()); err != nil {
		return err
	}
	for i, field := range record {
		col := &c.cols[i]
		if col.ignore {
			continue
		}
		field = strings.TrimSpace(field)
		if slices.Contains(c.missing, field) {
			if col.group {
				return c.errorAt(i, "the row has no group, column %q: give it one, or leave the row out", col.name)
			}
			col.appendMissing()
			continue
		}
		var err error
		if col.group {
			err = c.groups.append([]byte(field), c.budget)
		} else {
			err = col.append(field)
		}
		switch {
		case errors.Is(err, ErrLimit):
			return c.limited(err)
		case err != nil:
			return c.errorAt(i, "column %q: %v", col.name, err)
		}
		if col.oddLine == 0 && col.odd != "" {
			col.oddLine, col.oddColumn = c.r.FieldPos(i)
		}
	}
	return nil
}

func (c *csvFile) table(opts *ReadOptions) (*Table, error) {
	cols := make([]Column, 0, len(c.cols))
	for i := range c.cols {
		col := &c.cols[i]
		if col.ignore || col.group {
			continue
		}
		if col.odd != "" && col.hasNumbers && !col.hasWords {
			return nil, newSyntaxError(c.file, col.oddLine, col.oddColumn,
				"column %q: %q among numbers: fix the column's kind, or list it in ReadOptions.Missing", col.name, col.odd)
		}
		cols = append(cols, col.column())
	}
	name := filepath.Base(c.file)
	for _, ext := range []string{".gz", ".csv"} {
		if n := len(name) - len(ext); n > 0 && strings.EqualFold(name[n:], ext) {
			name = name[:n]
		}
	}
	return opts.table(c.file, name, cols, nil, &c.groups)
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
