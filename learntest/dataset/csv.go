package dataset

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// ReadCSV reads a table of comma-separated values (RFC 4180) from r. The first line names
// the columns. filename appears in errors and, without its extensions, as the name of the
// table. White space around a field is ignored, and blank lines are skipped.
//
// A column is numeric if each of its values, apart from missing ones, is a decimal number;
// otherwise it is nominal, and its values are declared in the order of their first
// appearance. The class is always nominal; name the column as the target to predict a
// number. [ReadOptions] override this. Set them if values must be declared that do not
// occur, or if several files must agree.
//
// ReadCSV returns a [*SyntaxError] for a row whose number of fields differs from the
// header's, a misplaced quote, a column without a name or with a repeated one, and a value
// that contradicts [ReadOptions]. It also rejects a numeric column with infinities or NaNs,
// and a column in which other texts make up less than a tenth of the rows, because it is
// hardly meant to be nominal. A file that exceeds one of the [Limits] is an error that
// wraps [ErrLimit].
func ReadCSV(r io.Reader, filename string, opts ReadOptions) (*Table, error) {
	if err := opts.checkCSV(); err != nil {
		return nil, err
	}
	rows, err := newCSVReader(r, filename, &opts, slices.Contains(opts.Ignore, ""))
	if err != nil {
		return nil, err
	}
	c := csvFile{CSVReader: rows, missing: opts.missing()}
	c.direct = c.readsDirectly()
	if err := c.describe(&opts); err != nil {
		return nil, err
	}
	for {
		record, err := c.next()
		if errors.Is(err, io.EOF) {
			return c.table(&opts)
		}
		if err == nil && c.plain.line != nil {
			err = c.readLine()
		}
		for i := 0; err == nil && i < len(record); i++ {
			err = c.readCell(i, record[i])
		}
		if err != nil {
			return nil, err
		}
		if opts.OnRow != nil {
			opts.OnRow(c.Line())
		}
	}
}

// A csvFile is the part of a file that has been read.
type csvFile struct {
	*CSVReader
	cols    []csvColumn
	groups  groupColumn
	missing []string
	direct  bool // whether numbers are read before the field is cut out of its line
}

// readsDirectly reports whether a plain number ends before the separator and is not missing.
func (c *csvFile) readsDirectly() bool {
	if strings.ContainsRune("+-.0123456789", c.plain.comma) {
		return false
	}
	for _, text := range c.missing {
		if _, decimals, err := parsePlain([]byte(text)); err == nil && decimals >= 0 {
			return false
		}
	}
	return true
}

// describe creates the columns that the header names.
func (c *csvFile) describe(opts *ReadOptions) error {
	c.budget.width = 0
	for _, name := range c.names {
		ignore := slices.Contains(opts.Ignore, name)
		c.cols = append(c.cols, csvColumn{name: name, ignore: ignore, group: opts.Group != "" &&
			name == opts.Group, budget: c.budget})
		if !ignore {
			c.budget.width++
		}
	}
	if err := opts.checkNames(c.file, c.names); err != nil {
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

// readLine reads the cells of a plain line.
func (c *csvFile) readLine() error {
	rest := c.plain.line
	for i := range c.cols {
		if c.direct && c.cols[i].isNumeric() {
			if x, decimals, n := plainNumber(rest, byte(c.plain.comma)); n > 0 {
				c.cols[i].appendNumber(x, decimals, rest[:n])
				rest = rest[min(n+1, len(rest)):]
				continue
			}
		}
		field, after, _ := c.plain.cut(rest)
		if err := c.readCell(i, field); err != nil {
			return err
		}
		rest = after
	}
	return nil
}

func (c *csvFile) readCell(i int, field []byte) error {
	col := &c.cols[i]
	if col.ignore {
		return nil
	}
	field = bytes.TrimSpace(field)
	if c.lacks(field) {
		if col.group {
			return c.Errorf(i, "the row has no group, column %q: give it one, or leave the row out",
				col.name)
		}
		col.appendMissing()
		return nil
	}
	var err error
	if col.group {
		err = c.groups.append(field, c.budget)
	} else {
		err = col.append(field)
	}
	switch {
	case errors.Is(err, ErrLimit):
		return c.limited(err)
	case err != nil:
		return c.Errorf(i, "column %q: %v", col.name, err)
	}
	if col.oddAt.line == 0 && col.odd != "" {
		col.oddAt.line, col.oddAt.column = c.place(i)
	}
	if col.wordAt.line == 0 && col.word != "" {
		col.wordAt.line, col.wordAt.column = c.place(i)
	}
	return nil
}

// lacks reports whether a field stands for a missing value.
func (c *csvFile) lacks(field []byte) bool {
	for _, text := range c.missing {
		if text == string(field) {
			return true
		}
	}
	return false
}

func (c *csvFile) table(opts *ReadOptions) (*Table, error) {
	cols := make([]Column, 0, len(c.cols))
	for i := range c.cols {
		col := &c.cols[i]
		if col.ignore || col.group {
			continue
		}
		if text, at, ok := col.suspect(); ok {
			numbers := "1 number"
			if col.numberN > 1 {
				numbers = fmt.Sprintf("%d numbers", col.numberN)
			}
			return nil, newSyntaxError(c.file, at.line, at.column,
				"column %q: %q among %s: mend it, or say that it is missing (-missing, in Go ReadOptions.Missing) or that the column is nominal (-nominal, ReadOptions.Kinds)", col.name, text, numbers)
		}
		cols = append(cols, col.column())
	}
	return opts.table(c.file, c.Name(), cols, nil, &c.groups)
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
