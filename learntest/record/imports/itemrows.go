package imports

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// An object is a row of JSON or, with texts only, of CSV.
type object map[string]any

// get returns the value of a path with dots, or nil.
func (o object) get(path string) any {
	if x, ok := o[path]; ok {
		return x
	}
	for i := 0; i < len(path); i++ {
		if path[i] != '.' {
			continue
		}
		if inner, ok := o[path[:i]].(map[string]any); ok {
			if x := object(inner).get(path[i+1:]); x != nil {
				return x
			}
		}
	}
	return nil
}

// text returns a value as a text: of lists and dicts, their JSON.
func text(x any) string {
	switch x := x.(type) {
	case nil:
		return ""
	case string:
		return x
	case json.Number:
		return x.String()
	}
	b, err := json.Marshal(x)
	if err != nil { // it was decoded
		return fmt.Sprint(x)
	}
	return string(b)
}

// errNoScore means that a value is none, as tools write where a trial failed.
var errNoScore = errors.New("no score")

// score returns a value as a score: true is 1 and false 0.
func score(x any) (float64, error) {
	switch x := x.(type) {
	case nil:
		return 0, errNoScore
	case bool:
		if x {
			return 1, nil
		}
		return 0, nil
	case json.Number:
		return finite(x.String())
	case string:
		switch strings.ToLower(x) {
		case "true":
			return 1, nil
		case "false":
			return 0, nil
		}
		if isMissing(x) {
			return 0, errNoScore
		}
		return finite(strings.TrimSpace(x))
	}
	return 0, fmt.Errorf("%s is no score", excerpt(text(x)))
}

func finite(s string) (float64, error) {
	x, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
		return 0, fmt.Errorf("%s is not a finite number", excerpt(s))
	}
	return x, nil
}

// objects calls f for each row of JSON lines, of a JSON list or of CSV that meets the conditions.
func (c *itemCollector) objects(in io.Reader, f func(line int, o object) error) error {
	r := bufio.NewReaderSize(in, 1<<16)
	met := func(line int, o object) error {
		for _, w := range c.ItemOptions.Where {
			if text(o.get(w.Column)) != w.Value {
				return nil
			}
		}
		return f(line, o)
	}
	if startsJSON(r) {
		return c.jsonObjects(skipBOM(r), met)
	}
	t, err := c.csv(r)
	if err != nil {
		return err
	}
	names := t.header()
	return t.each(func() error {
		o := make(object, len(names))
		for i, name := range names {
			o[name] = t.text(i)
		}
		return met(t.line, o)
	})
}

// jsonObjects calls f for each line, or for each element of a list, whose line is the number of the element.
func (c *itemCollector) jsonObjects(r *bufio.Reader, f func(line int, o object) error) error {
	start, _ := r.Peek(1 << 10)
	if strings.HasPrefix(strings.TrimLeft(string(start), " \t\r\n"), "[") {
		var list []object
		if err := c.document(r, &list); err != nil {
			return err
		}
		for i, o := range list {
			if err := f(i+1, o); err != nil {
				return err
			}
		}
		return nil
	}
	lines := bufio.NewReaderSize(&lineReader{r: r, limit: c.limits.line()}, 1<<16)
	for line := 1; ; line++ {
		b, err := lines.ReadBytes('\n')
		if err != nil && err != io.EOF {
			return c.wrap(line, err)
		}
		if len(bytes.TrimSpace(b)) > 0 {
			var o object
			if err := decode(b, &o); err != nil {
				return c.errorf(line, "this is no line of JSON with a dict: %v", err)
			}
			if err := f(line, o); err != nil {
				return err
			}
		}
		if err == io.EOF {
			return nil
		}
	}
}

// decode decodes a JSON text, which may have NaN for null.
func decode(b []byte, x any) error {
	dec := json.NewDecoder(bytes.NewReader(nullNaN(b)))
	dec.UseNumber()
	if err := dec.Decode(x); err != nil {
		return unexpected(err)
	}
	if _, err := dec.Token(); err != io.EOF {
		return errors.New("something follows it")
	}
	return nil
}

// document decodes a source that is one JSON text.
func (c *itemCollector) document(in io.Reader, x any) error {
	b, err := io.ReadAll(in)
	if err != nil {
		return c.wrap(1, err)
	}
	if err := decode(b, x); err != nil {
		return c.errorf(1, "this is not the JSON of %s: %v", c.kind.Doc, err)
	}
	return nil
}

// measured adds the measures of a row to an answer.
func (c *itemCollector) measured(a *answer, o object, line int) error {
	a.values = make(map[string]float64)
	for _, m := range c.ItemOptions.Measures {
		x, err := score(o.get(m.Column))
		switch {
		case errors.Is(err, errNoScore):
			a.cause = "no score " + m.name()
		case err != nil:
			return c.errorf(line, "%q: %v", m.Column, err)
		default:
			a.values[m.name()] = x
			c.named[m.name()] = m
		}
	}
	return nil
}

// name returns the name of the metric.
func (m Measure) name() string {
	if m.Name == "" {
		return m.Column
	}
	return m.Name
}

// required returns the text of a column that there must be.
func (c *itemCollector) required(o object, path string, line int) (string, error) {
	if x := o.get(path); x != nil {
		return text(x), nil
	}
	return "", c.errorf(line, "there is no %q", path)
}

// readItemRows reads a row for each answer.
func readItemRows(c *itemCollector, in io.Reader, s Source) error {
	return c.objects(in, func(line int, o object) error {
		var a answer
		var err error
		if a.id, err = c.required(o, c.ID, line); err != nil {
			return err
		}
		if err = c.groups(&a, o, line); err != nil {
			return err
		}
		var content []string
		for _, path := range c.Content {
			x, err := c.required(o, path, line)
			if err != nil {
				return err
			}
			content = append(content, x)
		}
		if len(content) > 0 {
			a.content = digestOf("content", content...)
		}
		if c.Repeat != "" {
			x, err := c.required(o, c.Repeat, line)
			if err != nil {
				return err
			}
			if a.repeat, err = strconv.Atoi(x); err != nil {
				return c.errorf(line, "%q: %s is no number of a repeat", c.Repeat, excerpt(x))
			}
		}
		if err := c.measured(&a, o, line); err != nil {
			return err
		}
		return c.add(s.Learner, a, line)
	})
}
