package learntest

import (
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/record"
)

// target returns the header's entry on the predicted column; empty if the labels are of no column.
func (s *source[X, Y]) target() string {
	t := record.Target{Examples: s.data.Len()}
	switch d := any(s.data).(type) {
	case *dataset.Table:
		t.Name = d.Attribute(d.ClassIndex()).Name
	case dataset.Regression:
		t.Name = d.Attribute(d.ClassIndex()).Name
	case *ExampleSet[X, Y]:
		t.Name = d.column
	}
	if t.Name == "" {
		return ""
	}
	if s.classification() {
		t.Values, t.Counts = s.classNames, make([]int, len(s.classNames))
		for _, c := range s.truth {
			t.Counts[c]++
		}
	}
	var h record.Header
	h.SetTarget(t)
	return h.Target
}
