package record

import (
	"slices"
	"strings"
)

// AddAgainst notes in Header.Against that the test compares the learner with the results stored in
// the file at a path. The path is relative to the directory of the test's package.
func (e Entry) AddAgainst(path string) {
	h := e.header
	h.Against = addOf(h.Against, e.learner, string(appendName(nil, path, "=;")))
}

// Against returns the paths of the files that the learner is compared with, as far as the header
// says them.
func (e Entry) Against() []string {
	escaped := string(appendName(nil, e.learner, "/="))
	var paths []string
	for f := range strings.FieldsSeq(e.header.Against) {
		name, value, _ := strings.Cut(strings.TrimSuffix(f, ";"), "=")
		if path, err := unescapeName(value); err == nil && name == escaped &&
			!slices.Contains(paths, path) {
			paths = append(paths, path)
		}
	}
	return paths
}
