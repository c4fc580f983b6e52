package imports

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// jsonRows are the rows of a JSON file. Their line is the number of the row, since
// most such files have one line.
type jsonRows struct {
	names   []string
	columns [][]string // by name, then by row
	n       int
	row     int
}

func (r *jsonRows) header() []string { return r.names }

func (r *jsonRows) text(i int) string { return r.columns[i][r.row] }

func (r *jsonRows) next() (int, error) {
	if r.row+1 >= r.n {
		return 0, io.EOF
	}
	r.row++
	return r.row + 1, nil
}

// json reads a dict of lists, a dict of dicts by row or a list of dicts.
func (c *collector) json(in io.Reader) (*table, error) {
	text, err := io.ReadAll(c.limits.line().Reader(in))
	if err != nil {
		return nil, c.wrap(1, err)
	}
	return jsonTable(c, nullNaN(text), false)
}

// jsonTable reads a table from a text. Values may be dicts and lists if nested, and are their
// texts.
func jsonTable(c *collector, text []byte, nested bool) (*table, error) {
	p := &jsonParser{
		dec: json.NewDecoder(bytes.NewReader(text)), rows: &jsonRows{row: -1},
		index: make(map[string]int), nested: nested,
	}
	p.dec.UseNumber()
	if err := p.parse(); err != nil {
		line := 1 + bytes.Count(text[:min(int64(len(text)), p.dec.InputOffset())], []byte("\n"))
		return nil, c.errorf(line, "%v", err)
	}
	for i, column := range p.rows.columns {
		if len(column) != p.rows.n {
			return nil, c.errorf(1, "%q has %d values, others have %d", p.rows.names[i], len(column),
				p.rows.n)
		}
	}
	return c.tabulate(p.rows)
}

// nullNaN returns the text with null in place of NaN, which Python writes although JSON
// does not have it.
func nullNaN(text []byte) []byte {
	if !bytes.Contains(text, []byte("NaN")) {
		return text
	}
	var out []byte
	quoted := false
	for i := 0; i < len(text); i++ {
		switch x := text[i]; {
		case quoted && x == '\\' && i+1 < len(text):
			out = append(out, x)
			i++
		case x == '"':
			quoted = !quoted
		case !quoted && bytes.HasPrefix(text[i:], []byte("NaN")):
			out = append(out, "null"...)
			i += 2
			continue
		}
		out = append(out, text[i])
	}
	return out
}

// A jsonParser parses the layouts in which tables are written.
type jsonParser struct {
	dec   *json.Decoder
	rows  *jsonRows
	index map[string]int

	nested bool // values may be dicts and lists
}

var errLayout = errors.New("want a dict of lists, or a DataFrame as to_json writes it with orient columns or records")

func (p *jsonParser) parse() error {
	d, err := p.delim()
	switch {
	case err != nil:
		return err
	case d == '{':
		err = p.lists()
	case d == '[':
		err = p.records()
	default:
		return errLayout
	}
	if err != nil {
		return err
	}
	if _, err := p.dec.Token(); !errors.Is(err, io.EOF) {
		return errors.New("something follows the table")
	}
	return nil
}

// delim returns the next token, which must be a delimiter.
func (p *jsonParser) delim() (json.Delim, error) {
	token, err := p.dec.Token()
	if err != nil {
		return 0, unexpected(err)
	}
	d, ok := token.(json.Delim)
	if !ok {
		return 0, fmt.Errorf("%v is out of place: %w", token, errLayout)
	}
	return d, nil
}

// unexpected returns the error of a text that ends too early as such.
func unexpected(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// lists reads the columns up to the end of a dict.
func (p *jsonParser) lists() error {
	for p.dec.More() {
		name, err := p.key()
		if err != nil {
			return err
		}
		if _, ok := p.index[name]; ok {
			return fmt.Errorf("%q is there twice", name)
		}
		column, err := p.column()
		if err != nil {
			return fmt.Errorf("%q: %w", name, err)
		}
		p.index[name] = len(p.rows.names)
		p.rows.names = append(p.rows.names, name)
		p.rows.columns = append(p.rows.columns, column)
		p.rows.n = max(p.rows.n, len(column))
	}
	_, err := p.delim()
	return err
}

func (p *jsonParser) key() (string, error) {
	token, err := p.dec.Token()
	if err != nil {
		return "", unexpected(err)
	}
	name, ok := token.(string)
	if !ok {
		return "", errLayout
	}
	return name, nil
}

// column reads a list of values, or a dict of them by their index.
func (p *jsonParser) column() ([]string, error) {
	var values []string
	d, err := p.delim()
	if err != nil {
		return nil, err
	}
	if d != '[' && d != '{' {
		return nil, errLayout
	}
	for p.dec.More() {
		if d == '{' {
			key, err := p.key()
			if err != nil {
				return nil, err
			}
			if key != strconv.Itoa(len(values)) {
				return nil, fmt.Errorf("row %q comes where row %d belongs: rows must be in the order of the splits", key, len(values))
			}
		}
		x, err := p.value()
		if err != nil {
			return nil, fmt.Errorf("row %d: %w", len(values), err)
		}
		values = append(values, x)
	}
	_, err = p.delim()
	return values, err
}

// value reads a number, a text, null or, if they are allowed, anything else as its text.
func (p *jsonParser) value() (string, error) {
	if p.nested {
		return p.any()
	}
	token, err := p.dec.Token()
	if err != nil {
		return "", unexpected(err)
	}
	switch x := token.(type) {
	case nil:
		return "null", nil
	case json.Number:
		return x.String(), nil
	case string:
		return x, nil
	}
	return "", fmt.Errorf("%v is not a number: %w", token, errLayout)
}

func (p *jsonParser) any() (string, error) {
	var raw json.RawMessage
	if err := p.dec.Decode(&raw); err != nil {
		return "", unexpected(err)
	}
	var text string
	if err := json.Unmarshal(raw, &text); err == nil && string(raw) != "null" {
		return text, nil
	}
	return string(raw), nil
}

// records reads a list of dicts up to its end.
func (p *jsonParser) records() error {
	for p.dec.More() {
		d, err := p.delim()
		if err != nil {
			return err
		}
		if d != '{' {
			return errLayout
		}
		for p.dec.More() {
			if err := p.field(); err != nil {
				return fmt.Errorf("row %d: %w", p.rows.n, err)
			}
		}
		if _, err := p.delim(); err != nil {
			return err
		}
		p.rows.n++
	}
	_, err := p.delim()
	return err
}

// field reads a name and its value in the current row.
func (p *jsonParser) field() error {
	name, err := p.key()
	if err != nil {
		return err
	}
	x, err := p.value()
	if err != nil {
		return fmt.Errorf("%q: %w", name, err)
	}
	i, ok := p.index[name]
	if !ok {
		i = len(p.rows.names)
		p.index[name] = i
		p.rows.names = append(p.rows.names, name)
		p.rows.columns = append(p.rows.columns, nil)
	}
	if len(p.rows.columns[i]) != p.rows.n {
		return fmt.Errorf("%q is there twice, or not in each row before", name)
	}
	p.rows.columns[i] = append(p.rows.columns[i], x)
	return nil
}

// startsJSON reports whether the text begins as JSON does.
func startsJSON(r *bufio.Reader) bool {
	start, _ := r.Peek(1 << 10)
	text := strings.TrimLeft(strings.TrimPrefix(string(start), "\ufeff"), " \t\r\n")
	return strings.HasPrefix(text, "{") || strings.HasPrefix(text, "[")
}
