package unit

import "strings"

// OfSlice returns the name under which the values of a metric on a slice of the examples are
// stored, as in "accuracy{clinic=A}".
func OfSlice(metric, slice string) string { return metric + "{" + slice + "}" }

// CutSlice returns the parts of the name of [OfSlice]. The slice is empty if the name is the name
// of a metric on all examples.
func CutSlice(name string) (metric, slice string) {
	metric, rest, ok := strings.Cut(name, "{")
	if !ok {
		return name, ""
	}
	return metric, strings.TrimSuffix(rest, "}")
}

// HasBraces reports whether a name has braces, which only the names of slices' units have.
func HasBraces(name string) bool { return strings.ContainsAny(name, "{}") }
