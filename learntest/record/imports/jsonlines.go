package imports

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
)

// nestedJSON reads JSON lines, a list of dicts or the JSON of a DataFrame. The values of a dict in
// a row are columns, too, with names such as config.fold.
func (c *collector) nestedJSON(in io.Reader) (*table, error) {
	text, err := io.ReadAll(c.limits.line().Reader(in))
	if err != nil {
		return nil, c.wrap(1, err)
	}
	text = nullNaN(text)
	first, rest, _ := bytes.Cut(bytes.TrimLeft(text, " \t\r\n"), []byte("\n"))
	lines := json.Valid(first) && len(bytes.TrimSpace(rest)) > 0
	if !lines && first[0] == '{' {
		return jsonTable(c, text, true)
	}
	rows := &jsonLines{row: -1, index: make(map[string]bool)}
	if lines {
		err = rows.readLines(c, text)
	} else {
		err = rows.readList(c, text)
	}
	if err != nil {
		return nil, err
	}
	return c.tabulate(rows)
}

// jsonLines are the rows of a file with a dict for each row, which need not have all columns.
type jsonLines struct {
	names []string
	index map[string]bool
	rows  []map[string]string
	lines []int
	row   int
}

func (r *jsonLines) header() []string { return r.names }

func (r *jsonLines) text(i int) string { return r.rows[r.row][r.names[i]] }

func (r *jsonLines) next() (int, error) {
	if r.row+1 >= len(r.rows) {
		return 0, io.EOF
	}
	r.row++
	return r.lines[r.row], nil
}

// readLines reads a dict from each line.
func (r *jsonLines) readLines(c *collector, text []byte) error {
	for i, line := range bytes.Split(text, []byte("\n")) {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		if err := r.add(i+1, line); err != nil {
			return c.errorf(i+1, "%v", err)
		}
	}
	return nil
}

// readList reads a list of dicts. Its lines are those on which the dicts end.
func (r *jsonLines) readList(c *collector, text []byte) error {
	dec := json.NewDecoder(bytes.NewReader(text))
	at, counted := 1, 0
	line := func() int {
		offset := min(len(text), int(dec.InputOffset()))
		at += bytes.Count(text[counted:offset], []byte("\n"))
		counted = offset
		return at
	}
	if _, err := dec.Token(); err != nil {
		return c.errorf(line(), "%v", unexpected(err))
	}
	for dec.More() {
		var row json.RawMessage
		if err := dec.Decode(&row); err != nil {
			return c.errorf(line(), "row %d: %v", len(r.rows)+1, unexpected(err))
		}
		if err := r.add(line(), row); err != nil {
			return c.errorf(line(), "row %d: %v", len(r.rows)+1, err)
		}
	}
	if _, err := dec.Token(); err != nil {
		return c.errorf(line(), "%v", unexpected(err))
	}
	if _, err := dec.Token(); err != io.EOF {
		return c.errorf(line(), "something follows the table")
	}
	return nil
}

// add adds the row of a dict.
func (r *jsonLines) add(line int, text []byte) error {
	row := make(map[string]string)
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	if token, err := dec.Token(); err != nil || token != json.Delim('{') {
		return fmt.Errorf("this is no dict: want a dict in each line, or a list of dicts")
	}
	if err := r.fields(dec, row, "", 0); err != nil {
		return err
	}
	if _, err := dec.Token(); err != io.EOF {
		return fmt.Errorf("something follows the dict")
	}
	r.rows, r.lines = append(r.rows, row), append(r.lines, line)
	return nil
}

// fields reads the fields of a dict up to its end.
func (r *jsonLines) fields(dec *json.Decoder, row map[string]string, prefix string,
	depth int,
) error {
	const deepest = 8
	if depth > deepest {
		return fmt.Errorf("%q is in more than %d dicts", prefix, deepest)
	}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return unexpected(err)
		}
		name := prefix + fmt.Sprint(key)
		token, err := dec.Token()
		if err != nil {
			return fmt.Errorf("%q: %w", name, unexpected(err))
		}
		switch token {
		case json.Delim('{'):
			if err := r.fields(dec, row, name+".", depth+1); err != nil {
				return err
			}
			continue
		case json.Delim('['):
			if err := skipList(dec); err != nil {
				return fmt.Errorf("%q: %w", name, err)
			}
			token = "a list"
		case nil:
			token = ""
		}
		if _, ok := row[name]; ok {
			return fmt.Errorf("%q is there twice", name)
		}
		row[name] = fmt.Sprint(token)
		if !r.index[name] {
			r.index[name] = true
			r.names = append(r.names, name)
		}
	}
	_, err := dec.Token()
	return unexpected(err)
}

// skipList skips the rest of a list.
func skipList(dec *json.Decoder) error {
	for depth := 1; depth > 0; {
		token, err := dec.Token()
		if err != nil {
			return unexpected(err)
		}
		if d, ok := token.(json.Delim); ok {
			depth += map[bool]int{true: 1, false: -1}[slices.Contains([]json.Delim{'[', '{'}, d)]
		}
	}
	return nil
}
