// Package catalogue is what the lists of named values have in common: the tests, the
// tests of pairs, the adjustments, the metrics, the kinds of protocols and the data
// sets.
//
// A package that has such a list has a function that returns it, the plural of the
// values' name, and the functions Lookup and MustLookup. The values stand in the files of
// what they are about, so that another one is added there.
package catalogue

import (
	"fmt"
	"strings"
)

// Lookup returns the value with the given name. The error, if there is none, wraps
// unknown, such as "unknown test", quotes the name and lists those that there are.
func Lookup[T any](unknown error, values []T, nameOf func(T) string, name string) (T, error) {
	names := make([]string, len(values))
	for i, v := range values {
		if names[i] = nameOf(v); names[i] == name {
			return v, nil
		}
	}
	var none T
	return none, fmt.Errorf("%w %q: there are %s", unknown, name, strings.Join(names, ", "))
}

// Must returns a value that is known to be there. It panics with the error of a lookup
// if it is not.
func Must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
