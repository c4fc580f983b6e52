package imports

import (
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

// errNoScore means that a value is none, as tools write where a trial failed.
var errNoScore = errors.New("no score")

func finite(s string) (float64, error) {
	x, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
		return 0, fmt.Errorf("%s is not a finite number", excerpt(s))
	}
	return x, nil
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
