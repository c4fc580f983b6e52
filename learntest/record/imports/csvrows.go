package imports

import (
	"bufio"
	"encoding/csv"
	"errors"
	"io"
)

// csvRows are the rows of a CSV file as in RFC 4180.
type csvRows struct {
	c      *collector
	r      *csv.Reader
	names  []string
	record []string
	last   int // line of the last row
}

func (c *collector) csv(in io.Reader) (*table, error) {
	text := skipBOM(&lineReader{r: in, limit: c.limits.line()})
	r := csv.NewReader(text)
	if r.Comma = separator(text); r.Comma != ',' {
		c.assumed.add("columns are separated by %q", r.Comma)
	}
	r.ReuseRecord = true
	rows := &csvRows{c: c, r: r}
	if _, err := rows.next(); errors.Is(err, io.EOF) {
		return nil, c.errorf(1, "the file is empty: no line names the columns")
	} else if err != nil {
		return nil, err
	}
	rows.names = append(rows.names, rows.record...)
	t, err := c.tabulate(rows)
	if err == nil {
		t.decimals.commas = r.Comma != ','
	}
	return t, err
}

func (r *csvRows) header() []string { return r.names }

func (r *csvRows) text(i int) string { return r.record[i] }

func (r *csvRows) next() (int, error) {
	var err error
	r.record, err = r.r.Read()
	var parse *csv.ParseError
	switch {
	case errors.Is(err, io.EOF):
		return 0, io.EOF
	case errors.As(err, &parse):
		if errors.Is(parse.Err, csv.ErrFieldCount) {
			return 0, r.c.errorf(parse.Line, "%d fields, but %d columns", len(r.record), len(r.names))
		}
		return 0, r.c.errorf(parse.Line, "%v", parse.Err)
	case err != nil:
		return 0, r.c.wrap(r.last+1, err)
	}
	r.last, _ = r.r.FieldPos(0)
	return r.last, nil
}

// separator returns what separates the names of columns: the most frequent of comma, semicolon and
// tab.
func separator(in *bufio.Reader) rune {
	start, _ := in.Peek(1 << 15)
	numbers := make(map[byte]int)
	quoted := false
	for _, x := range start {
		switch {
		case x == '"':
			quoted = !quoted
		case quoted:
		case x == '\n':
			return most(numbers)
		default:
			numbers[x]++
		}
	}
	return most(numbers)
}

func most(numbers map[byte]int) rune {
	best := byte(',')
	for _, x := range []byte(";\t") {
		if numbers[x] > numbers[best] {
			best = x
		}
	}
	return rune(best)
}
