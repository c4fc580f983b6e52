package verdict

import (
	"fmt"
	"strings"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/stat"
)

// mostWorst is how many items a text names.
const mostWorst = 3

// lines adds the lines about the items, and about the systems of these names, to the text of a
// verdict.
func (it *Items) lines(add func(key, format string, args ...any), r stat.Result, names [2]string) {
	test := fmt.Sprintf("%s, %s, %s", r.Test, it, statistic(r))
	switch {
	case r.Exact:
		test = fmt.Sprintf("%s, %s, exact", r.Test, it)
	case r.PError > 0:
		test = fmt.Sprintf("%s, %s, p from random changes of signs, ± %.2g", r.Test, it, r.PError)
	}
	if it.Clusters < it.N {
		test += fmt.Sprintf(" (largest cluster %.0f%% of the items, icc %.2f)", 100*it.Largest, it.ICC)
	}
	add("test", "%s", test)
	counts := fmt.Sprintf("%d better, %d worse, %d equal", it.Better, it.Worse, it.Same)
	var worst []string
	for _, f := range it.Flips[:min(it.Worse, mostWorst)] {
		worst = append(worst, f.String())
	}
	if worst != nil {
		counts += "; worst: " + strings.Join(worst, ", ")
		if more := it.Worse - mostWorst; more > 0 {
			counts += fmt.Sprintf(" and %d more", more)
		}
	}
	add("items", "%s", counts)
	if left := it.LeftOut; left != (record.LeftOut{}) {
		add("common", "the %d items that both sides have; left out %d that only the candidate has, and %d that only the baseline has", it.N, left.Candidate, left.Baseline)
	}
	it.of.lines(add, names)
}

// lines adds the lines about the systems, which have these names.
func (s *systems) lines(add func(key, format string, args ...any), names [2]string) {
	for _, line := range [][2]string{
		{"noise", s.noise(names)},
		{"versions", s.named(names)},
		{"responses", s.recorded(names)},
	} {
		if line[1] != "" {
			add(line[0], "%s", line[1])
		}
	}
}

// noise says how the answers vary.
func (s *systems) noise(names [2]string) string {
	var parts []string
	sides := s.varying
	if s.share != "" && (sides[0] == "" || sides[1] == "") { // else it is all of the items
		parts = append(parts, s.share)
	}
	for side, text := range sides {
		switch {
		case text == "" || side == 1 && text == sides[0]:
		case sides[0] == sides[1]:
			parts = append(parts, fmt.Sprintf("%s (%s and %s)", text, names[0], names[1]))
		default:
			parts = append(parts, fmt.Sprintf("%s (%s)", text, names[side]))
		}
	}
	return strings.Join(parts, "; ")
}
