package learntest

import (
	"fmt"
	"slices"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/internal/csvfield"
	"github.com/learnbench/learnbench/learntest/internal/trial"
	"github.com/learnbench/learnbench/learntest/metric"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/unit"
)

// WithSlice returns a copy of the data set with one slice more: the examples of which in is true.
// Comparisons then know the scores on them apart, and claims with the
// option assert.Slices are about them. Metrics that are means over examples have such scores.
//
// The digest of the data does not depend on slices, so that results with and without them can be
// compared; slices of one name are compared only if they have the same examples.
func (e ExampleSet[X, Y]) WithSlice(name string, in func(x X) bool) *ExampleSet[X, Y] {
	s := dataset.Slice{Name: name}
	for i, x := range e.xs {
		if in(x) {
			s.Rows = append(s.Rows, i)
		}
	}
	e.slices = append(slices.Clip(e.slices), s)
	return &e
}

// Slices returns the slices of the data set.
func (e *ExampleSet[X, Y]) Slices() []dataset.Slice { return e.slices }

// sliceBy adds the slices of columns, given the texts of their cells.
func (e *ExampleSet[X, Y]) sliceBy(fields []csvfield.Field, texts map[string][]string) error {
	for _, f := range fields {
		if !f.Slice {
			continue
		}
		of, err := dataset.SlicesOf(f.Name, texts[f.Name])
		if err != nil {
			return fmt.Errorf("%w: %w", dataset.ErrUnusable, err)
		}
		e.slices = append(e.slices, of...)
	}
	return nil
}

// slicesOf returns the slices of the data as trials have them, and notes on doubtful ones.
func slicesOf[X any, Y comparable](s *source[X, Y], copies bool) (of []trial.Slice, notes []string,
	err error,
) {
	fail := func(format string, args ...any) ([]trial.Slice, []string, error) {
		return nil, nil, fmt.Errorf("%w: data set %q: %s", dataset.ErrUnusable, s.name,
			fmt.Sprintf(format, args...))
	}
	var given []dataset.Slice
	if d, ok := s.data.(interface{ Slices() []dataset.Slice }); ok {
		given = d.Slices()
	}
	seen := make(map[string]bool)
	member := make([]bool, s.data.Len())
	for _, g := range given {
		clear(member)
		for _, i := range g.Rows {
			if i < 0 || i >= len(member) || member[i] {
				return fail("slice %q has example %d twice, or there is no such example", g.Name, i)
			}
			member[i] = true
		}
		switch {
		case g.Name == "" || unit.HasBraces(g.Name):
			return fail("a slice is called %q: it needs a name without braces", g.Name)
		case g.Name == record.CopiesSlice:
			return fail("a slice is called %q, which is the name of the slice of copies: give it another one", g.Name)
		case seen[g.Name]:
			return fail("two slices are called %q", g.Name)
		case len(g.Rows) == 0:
			return fail("slice %q has no examples: is its condition the one that is meant?", g.Name)
		}
		seen[g.Name] = true
		rows := g.Rows
		if !slices.IsSorted(rows) {
			rows = slices.Sorted(slices.Values(rows))
		}
		of = append(of, trial.Slice{Name: g.Name, Rows: rows})
		if label, ok := onlyLabel(s, g.Rows); ok {
			notes = append(notes, fmt.Sprintf("data set %s: all examples of slice %s have the label %s: it is defined by the label, and accuracy there is a recall", s.name, g.Name, label))
		}
	}
	if !copies {
		return of, notes, nil
	}
	sets, err := equalExamples(s.data)
	if err != nil {
		return nil, nil, err
	}
	slice := trial.Slice{Name: record.CopiesSlice, Alike: slices.Repeat([]int{-1}, s.data.Len())}
	for k, set := range sets.All {
		slice.Rows = append(slice.Rows, set...)
		for _, i := range set {
			slice.Alike[i] = k
		}
	}
	slices.Sort(slice.Rows)
	if len(sets.All) == 0 {
		return of, append(notes, fmt.Sprintf("data set %s: no two examples are equal, so that there is no slice %q", s.name, record.CopiesSlice)), nil
	}
	return append(of, slice), notes, nil
}

// onlyLabel returns the label of examples that all have it, of classification.
func onlyLabel[X any, Y comparable](s *source[X, Y], rows []int) (label string, ok bool) {
	if !s.classification() {
		return "", false
	}
	for _, i := range rows {
		if s.truth[i] != s.truth[rows[0]] {
			return "", false
		}
	}
	return s.classNames[s.truth[rows[0]]], true
}

// withSlices gives data the slices of its examples, and returns notes on them.
func withSlices[X any, Y comparable](s *source[X, Y], d *trial.Data, cfg Config) (notes []string,
	err error,
) {
	if d.Slices, notes, err = slicesOf(s, cfg.CopySlice); err != nil || len(d.Slices) == 0 {
		return notes, err
	}
	var names []string
	for _, m := range cfg.Metrics {
		m.Eval = calm(m.Eval)
		if m.Name != "n" && m.IsMeanOfParts(s.classNames) { // n{...} is the number of a slice's members
			d.Means = append(d.Means, m)
		}
		names = append(names, m.Name)
	}
	if d.Means == nil {
		d.Slices = nil
		notes = append(notes, fmt.Sprintf("data set %s: there are no scores on slices of it: %s is no mean over examples, as %s is", s.name, unit.Quoted(names), metric.MAE().Name))
	}
	return notes, nil
}
