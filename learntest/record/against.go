package record

import (
	"slices"
	"strings"
)

// AddAgainst notes in Header.Against that the test compares a learner with the results stored in
// the file at a path. The path is relative to the directory of the test's package.
func (h *Header) AddAgainst(learner, path string) {
	h.Against = addOf(h.Against, learner, string(appendName(nil, path, "=;")))
}

// AgainstOf returns the paths of the files that a learner is compared with, as far as the header says them.
func (h *Header) AgainstOf(learner string) []string {
	escaped := string(appendName(nil, learner, "/="))
	var paths []string
	for f := range strings.FieldsSeq(h.Against) {
		name, value, _ := strings.Cut(strings.TrimSuffix(f, ";"), "=")
		if path, err := unescapeName(value); err == nil && name == escaped && !slices.Contains(paths, path) {
			paths = append(paths, path)
		}
	}
	return paths
}
