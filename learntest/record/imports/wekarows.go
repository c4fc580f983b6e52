package imports

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// wekaRows are the rows of a CSV file as Weka's CSVResultListener writes it: a line for
// each, fields quoted with ' where they have to be, with escapes as in Java. Fields
// quoted with ", in which it is doubled, come from a spreadsheet.
type wekaRows struct {
	c      *collector
	in     *bufio.Reader
	line   int
	names  []string
	fields []string
	buf    []byte
}

func (c *collector) wekaCSV(in io.Reader) (*table, error) {
	r := &wekaRows{c: c, in: bufio.NewReaderSize(skipBOM(&lineReader{r: in, limit: c.limits.line()}),
		1<<16)}
	if err := r.read(); errors.Is(err, io.EOF) {
		return nil, c.errorf(1, "the file is empty: no line names the columns")
	} else if err != nil {
		return nil, err
	}
	r.names = append(r.names, r.fields...)
	return c.tabulate(r)
}

func (r *wekaRows) header() []string { return r.names }

func (r *wekaRows) text(i int) string { return r.fields[i] }

func (r *wekaRows) next() (int, error) {
	if err := r.read(); err != nil {
		return 0, err
	}
	if len(r.fields) != len(r.names) {
		return 0, r.c.errorf(r.line, "%d fields, but %d columns", len(r.fields), len(r.names))
	}
	return r.line, nil
}

// read reads the next line that is not blank.
func (r *wekaRows) read() error {
	for {
		r.buf = r.buf[:0]
		var err error
		for {
			var part []byte
			part, err = r.in.ReadSlice('\n')
			r.buf = append(r.buf, part...)
			if !errors.Is(err, bufio.ErrBufferFull) {
				break
			}
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return r.c.wrap(r.line+1, err)
		}
		if len(r.buf) == 0 {
			return io.EOF
		}
		r.line++
		if text := bytes.TrimRight(r.buf, "\r\n"); len(bytes.TrimSpace(text)) > 0 {
			return r.split(text)
		}
	}
}

// split splits a line into fields.
func (r *wekaRows) split(text []byte) error {
	r.fields = r.fields[:0]
	for {
		var field string
		var err error
		if len(text) > 0 && (text[0] == '\'' || text[0] == '"') {
			field, text, err = r.quoted(text)
			if err != nil {
				return err
			}
		} else {
			end := bytes.IndexByte(text, ',')
			if end < 0 {
				end = len(text)
			}
			field, text = string(text[:end]), text[end:]
		}
		r.fields = append(r.fields, field)
		if len(text) == 0 {
			return nil
		}
		if text[0] != ',' {
			return r.c.errorf(r.line, "%s follows the closing quote of field %d", excerpt(string(text)),
				len(r.fields))
		}
		text = text[1:]
	}
}

// quoted returns the field that begins the text, and what follows it.
func (r *wekaRows) quoted(text []byte) (field string, rest []byte, err error) {
	quote := text[0]
	var b []byte
	for i := 1; i < len(text); i++ {
		switch x := text[i]; {
		case x == '\\' && quote == '\'' && i+1 < len(text):
			i++
			b = append(b, unescape(text[i]))
		case x == quote && quote == '"' && i+1 < len(text) && text[i+1] == quote:
			i++
			b = append(b, quote)
		case x == quote:
			return string(b), text[i+1:], nil
		default:
			b = append(b, x)
		}
	}
	return "", nil, r.c.errorf(r.line, "the quote that begins field %d is not closed", len(r.fields)+1)
}

// unescape returns what a character behind a backslash stands for.
func unescape(x byte) byte {
	switch x {
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	}
	return x
}
