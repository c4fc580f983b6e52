package record

import "strings"

// addOf adds a value to a list of NAME=VALUE with names escaped as in the names of trials.
func addOf(list, name, value string) string {
	var b []byte
	if list != "" {
		b = append(append(b, list...), ' ')
	}
	b = append(appendName(b, name, "/="), '=')
	return string(append(b, value...))
}

// valueOf returns the value of a name in such a list, or "" if it is not there.
func valueOf(list, name string) string {
	if list == "" {
		return "" // most often
	}
	escaped := string(appendName(nil, name, "/="))
	for f := range strings.FieldsSeq(list) {
		if n, value, ok := strings.Cut(f, "="); ok && n == escaped {
			return value
		}
	}
	return ""
}
