package imports

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strconv"
	"strings"
)

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

// jsonObjects calls f for each line, or for each element of a list, whose line is the number of the
// element.
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
