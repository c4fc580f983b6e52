package imports

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// isNested reports whether an input is JSON, as pytrec_eval has runs and judgements: {query:
// {document: number}}.
func isNested(in *bufio.Reader) bool {
	for n := 1; ; n++ {
		b, err := in.Peek(n)
		if err != nil || n > 100 {
			return false
		}
		if c := b[n-1]; c != ' ' && c != '\n' && c != '\t' && c != '\r' {
			return c == '{'
		}
	}
}

// nested calls f for each number of {query: {document: number}}. A query or a document that comes
// twice is an error, and so is any other value.
func nested(c *itemCollector, in io.Reader, f func(query, document, number string) error) error {
	text, err := io.ReadAll(in)
	if err != nil {
		return c.wrap(1, err)
	}
	dec := json.NewDecoder(bytes.NewReader(nullNaN(text)))
	dec.UseNumber()
	seen := make(map[string]bool)
	err = keyed(dec, func(query string) error {
		if seen[query] {
			return fmt.Errorf("query %q is there twice", query)
		}
		seen[query] = true
		documents := make(map[string]bool)
		return keyed(dec, func(document string) error {
			token, err := dec.Token()
			if err != nil {
				return err
			}
			number, ok := token.(json.Number)
			switch {
			case !ok:
				return fmt.Errorf("document %q of query %q has no number", document, query)
			case documents[document]:
				return fmt.Errorf("document %q of query %q is there twice", document, query)
			}
			documents[document] = true
			return f(query, document, number.String())
		})
	})
	if err == nil {
		if _, end := dec.Token(); end != io.EOF {
			err = errors.New("something follows it")
		}
	}
	if err != nil {
		line := 1 + bytes.Count(text[:min(int(dec.InputOffset()), len(text))], []byte("\n"))
		return c.errorf(line, "this is not {query: {document: number}}: %v", unexpected(err))
	}
	return nil
}

// keyed reads an object, and calls f before each value, which f reads.
func keyed(dec *json.Decoder, f func(key string) error) error {
	if token, err := dec.Token(); err != nil {
		return err
	} else if token != json.Delim('{') {
		return fmt.Errorf("%v is no object", token)
	}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return err
		}
		if err := f(key.(string)); err != nil { // keys are strings
			return err
		}
	}
	_, err := dec.Token()
	return err
}
