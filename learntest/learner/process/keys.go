package process

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// answerKeys are the keys with a meaning in an answer.
var answerKeys = []string{
	"id", "error", "protocol", "name", "predicts", "tables", "weights",
	"numbers", "gives", "labels", "probabilities", "values", "answer",
}

// checkKeys returns an error for an answer that could be read in two ways: with a key twice, in
// other case, which package json ignores, or with predictions of two kinds. The line is a JSON
// value.
func checkKeys(line []byte) error {
	var seen, predictions []string
	depth, key := 0, false // whether a string would be a key of the answer
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case '{', '[':
			depth++
			key = depth == 1
		case '}', ']':
			depth--
		case ',':
			key = depth == 1
		case '"':
			start := i
			for i++; line[i] != '"'; i++ {
				if line[i] == '\\' {
					i++
				}
			}
			if !key {
				continue
			}
			key = false
			var name string
			if err := json.Unmarshal(line[start:i+1], &name); err != nil {
				return err
			}
			known := slices.IndexFunc(answerKeys, func(k string) bool { return strings.EqualFold(k, name) })
			switch {
			case slices.Contains(seen, name):
				return fmt.Errorf("it has %q twice", name)
			case known >= 0 && answerKeys[known] != name:
				return fmt.Errorf("it has %q, and the key is %q", name, answerKeys[known])
			case slices.Contains(answerKeys[slices.Index(answerKeys, "labels"):], name):
				predictions = append(predictions, name)
			}
			seen = append(seen, name)
		}
	}
	if len(predictions) > 1 {
		return fmt.Errorf("it has both %s and %s", predictions[0], predictions[1])
	}
	return nil
}
