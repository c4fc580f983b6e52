package dataset

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

// A CSVReader reads a CSV file row by row, as text, for programs that do not want a
// [Table]. Syntax and errors are as for [ReadCSV].
type CSVReader struct {
	r      *csv.Reader
	rows   *rowReader
	plain  plainRows
	parsed parsedRow
	record []string
	budget *budget
	file   string
	names  []string
}

// newCSVReader returns a reader positioned after the header. If unnamed, one column may
// lack a name.
func newCSVReader(r io.Reader, filename string, opts *ReadOptions, unnamed bool) (*CSVReader,
	error,
) {
	comma := cmp.Or(opts.Comma, ',')
	c := &CSVReader{file: filename, budget: newBudget(opts.Limits)}
	c.rows = newRowReader(r, comma, c.budget)
	c.r = csv.NewReader(c.rows.buffer)
	c.r.ReuseRecord = true
	c.r.FieldsPerRecord = -1
	c.r.Comma = comma
	c.plain.rows, c.plain.comma = c.rows, comma
	return c, c.readHeader(unnamed)
}

func (c *CSVReader) readHeader(unnamed bool) error {
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
	seen := make(map[string]int)
	for i, field := range record {
		name := strings.TrimSpace(field)
		switch {
		case !utf8.ValidString(name):
			return c.Errorf(i, "name %q of column %d is not UTF-8: convert the file first", name, i+1)
		case name == "" && !unnamed:
			hint := ""
			if i == 0 {
				hint = ": if it is the index that pandas writes, use to_csv(index=False), or leave it out (-ignore '', in Go \"\" in ReadOptions.Ignore)"
			}
			return c.Errorf(i, "column %d has no name%s", i+1, hint)
		}
		if prev, ok := seen[name]; ok {
			return c.Errorf(i, "columns %d and %d are both named %q", prev+1, i+1, name)
		}
		seen[name] = i
		if err := c.limited(c.budget.name()); err != nil {
			return err
		}
		c.names = append(c.names, strings.Clone(name)) // not the whole line
	}
	c.budget.width = int64(len(c.names))
	return nil
}

// Name returns the name of the file without its directory and extensions.
func (c *CSVReader) Name() string {
	name := filepath.Base(c.file)
	for _, ext := range []string{".gz", ".csv"} {
		if n := len(name) - len(ext); n > 0 && strings.EqualFold(name[n:], ext) {
			name = name[:n]
		}
	}
	return name
}

// Names returns the names of the columns, in their order. The caller must not modify it.
func (c *CSVReader) Names() []string { return c.names }

// Line returns the line of the file on which the last row begins, counted from 1.
func (c *CSVReader) Line() int {
	line, _ := c.place(0)
	return line
}

// place returns the line and the column of a field of the last row.
func (c *CSVReader) place(field int) (line, column int) {
	if c.plain.line != nil {
		return c.rows.line() - 1, c.plain.column(field)
	}
	line, column = c.r.FieldPos(field)
	return line + c.plain.taken, column
}

// Read returns the next row: a field for each name, including the white space around it.
// The row is valid until the next call. After the last row the error is io.EOF.
func (c *CSVReader) Read() ([]string, error) {
	fields, err := c.read()
	if err != nil {
		return nil, err
	}
	c.record = c.record[:0]
	rest := string(bytes.Join(fields, nil))
	for _, field := range fields {
		c.record = append(c.record, rest[:len(field)])
		rest = rest[len(field):]
	}
	return c.record, nil
}

// read is Read for fields that are valid until the next call, too.
func (c *CSVReader) read() ([][]byte, error) {
	record, err := c.next()
	if err == nil && c.plain.line != nil {
		record = c.plain.split()
	}
	return record, err
}

// next goes to the next row: c.plain.line, or else the fields that it returns.
func (c *CSVReader) next() (record [][]byte, err error) {
	c.rows.next()
	width := 0
	if c.plain.next() {
		width = c.plain.width()
	} else {
		fields, err := c.r.Read()
		switch {
		case errors.Is(err, io.EOF):
			return nil, io.EOF
		case err != nil:
			return nil, c.position(err)
		}
		record, width = c.parsed.split(fields), len(fields)
	}
	if err := c.limited(c.rows.check()); err != nil {
		return nil, err
	}
	if width != len(c.names) {
		return nil, c.Errorf(min(width-1, len(c.names)), "the row has %d fields, the header has %d",
			width, len(c.names))
	}
	if c.repeats(record) {
		return nil, c.Errorf(0, "the row repeats the header, as where files are put together: remove it")
	}
	return record, c.limited(c.budget.row())
}

// repeats reports whether the fields of the row are the names of several columns.
func (c *CSVReader) repeats(record [][]byte) bool {
	if c.plain.line != nil {
		if first, _, _ := c.plain.cut(c.plain.line); string(bytes.TrimSpace(first)) != c.names[0] {
			return false
		}
		record = c.plain.split()
	}
	for i, name := range c.names {
		if string(bytes.TrimSpace(record[i])) != name {
			return false
		}
	}
	return len(c.names) > 1
}

// Errorf returns a [*SyntaxError] at a field, counted from 0, of the last row, or of the
// header before the first row.
func (c *CSVReader) Errorf(field int, format string, args ...any) error {
	line, column := c.place(field)
	return newSyntaxError(c.file, line, column, format, args...)
}

// limited returns an error about a limit, if it is one, with the line of the
// current row.
func (c *CSVReader) limited(err error) error {
	if err != nil {
		return limitError(c.file, c.Line(), err)
	}
	return nil
}

// position turns an error of encoding/csv into one of this package.
func (c *CSVReader) position(err error) error {
	var parse *csv.ParseError
	if errors.As(err, &parse) {
		msg := parse.Err.Error()
		if parse.StartLine != parse.Line {
			msg += fmt.Sprintf(" in the row that starts on line %d", parse.StartLine+c.plain.taken)
		}
		return &SyntaxError{
			File: c.file, Line: parse.Line + c.plain.taken, Column: parse.Column,
			Msg: msg,
		}
	}
	if errors.Is(err, ErrLimit) {
		return limitError(c.file, c.rows.line(), err)
	}
	return fmt.Errorf("%s: after line %d: %w", c.file, c.rows.line()-1, err)
}
