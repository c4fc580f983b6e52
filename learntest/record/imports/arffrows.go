package imports

import (
	"bufio"
	"errors"
	"io"
	"strconv"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/record"
)

// arffRows are the rows of an ARFF file.
type arffRows struct {
	table *dataset.Table
	names []string
	lines []int32
	row   int
}

func (c *collector) arff(in io.Reader) (*table, *arffRows, error) {
	r := &arffRows{row: -1}
	t, err := dataset.ReadARFF(in, c.source, dataset.ReadOptions{
		NoClass: true,
		OnRow:   func(line int) { r.lines = append(r.lines, int32(line)) },
		Limits:  dataset.Limits{Line: c.limits.Line},
	})
	if err != nil {
		return nil, nil, c.arffError(err)
	}
	r.table = t
	for i := range t.NumAttributes() {
		r.names = append(r.names, t.Attribute(i).Name)
	}
	named, err := c.tabulate(r)
	return named, r, err
}

// arffError returns an error of the reader as one of this package.
func (c *collector) arffError(err error) error {
	var syntax *dataset.SyntaxError
	if !errors.As(err, &syntax) {
		return err
	}
	e := &record.SyntaxError{File: c.source, Line: syntax.Line, Msg: syntax.Msg}
	if errors.Is(err, ErrLimit) {
		e.Err = ErrLimit
	}
	return e
}

func (r *arffRows) header() []string { return r.names }

func (r *arffRows) next() (int, error) {
	if r.row+1 >= len(r.lines) {
		return 0, io.EOF
	}
	r.row++
	return int(r.lines[r.row]), nil
}

func (r *arffRows) text(i int) string {
	if r.table.Missing(r.row, i) {
		return "?"
	}
	a := r.table.Attribute(i)
	if a.Kind == dataset.Numeric {
		return strconv.FormatFloat(r.table.Numbers(i)[r.row], 'g', -1, 64)
	}
	return a.Values[r.table.Codes(i)[r.row]]
}

// skipBOM drops the byte-order mark that some editors put before UTF-8.
func skipBOM(in io.Reader) *bufio.Reader {
	r := bufio.NewReaderSize(in, 1<<16)
	if b, _ := r.Peek(3); string(b) == "\ufeff" {
		_, _ = r.Discard(3)
	}
	return r
}
