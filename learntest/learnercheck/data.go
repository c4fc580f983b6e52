package learnercheck

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/learnbench/learnbench/learntest"
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/split"
)

// The rules for data.
const (
	// Copies says that no more test examples have an equal example in training than DataOptions.MaxCopies.
	Copies Rule = "copies"

	// Contradictions says that equal examples have equal labels, so far as the share of those that
	// cannot be predicted is not above DataOptions.MaxContradictions.
	Contradictions Rule = "contradictions"

	// Columns says that no column of a table counts its rows in the order of their labels, and that none
	// is the same in all rows.
	Columns Rule = "columns"
)

// DataOptions say what data may have. The zero value allows copies and contradictions, and says how
// many there are: tables of few values repeat themselves.
type DataOptions struct {
	// Protocol is what trials are run by. If zero, it is that of learntest.Compare.
	Protocol split.Protocol

	// MaxCopies is the greatest share of test examples with a copy in training, such as 0.01. If zero,
	// there is no limit; less than 0 allows none.
	MaxCopies float64

	// MaxContradictions is the greatest share of examples that cannot be predicted, since equal ones have
	// other labels, such as 0.05. If zero, there is no limit; less than 0 allows none.
	MaxContradictions float64
}

// Data returns the subject that a data set is, of which no learner is known: what in it makes scores promise
// too much, or nothing. Groups, weights and labels do not count when examples are compared.
func Data[X any, Y comparable](data learntest.Data[X, Y], opts DataOptions) Subject {
	return Subject{shape: dataSets, open: func() ([]*bench, func() error, error) {
		b := &bench{learner: "the data", data: data.Name(), found: make(map[Rule]bool), set: &dataSet{opts: opts}}
		if err := describe(b.set, data); err != nil {
			return nil, nil, err
		}
		return []*bench{b}, nil, nil
	}}
}

// A dataSet is what is known of data.
type dataSet struct {
	opts    DataOptions
	copies  learntest.Copies
	columns []error // what is wrong with them
}

func describe[X any, Y comparable](s *dataSet, data learntest.Data[X, Y]) (err error) {
	if s.copies, err = learntest.FindCopies(data, s.opts.Protocol); err != nil {
		return err
	}
	if row, ok := any(data.Example(0)).(dataset.Row); ok {
		s.columns = columnFlaws(row.Table)
	}
	return nil
}

// columnFlaws returns what is wrong with the columns of a table.
func columnFlaws(t *dataset.Table) []error {
	var flaws []error
	for j := range t.NumAttributes() {
		if j == t.ClassIndex() {
			continue
		}
		name := t.Attribute(j).Name
		switch {
		case isConstant(t, j):
			flaws = append(flaws, fmt.Errorf("column %s is the same in all %d rows, so that it says nothing", name, t.Len()))
		case ordersLabels(t, j):
			flaws = append(flaws, fmt.Errorf("column %s numbers the rows, and those of each label are together: it tells the label by the place in the file", name))
		}
	}
	return flaws
}

func isConstant(t *dataset.Table, j int) bool {
	for i := 1; i < t.Len(); i++ {
		if t.Missing(i, j) != t.Missing(0, j) {
			return false
		}
		if t.Missing(i, j) {
			continue
		}
		if t.Attribute(j).Kind == dataset.Nominal && t.Codes(j)[i] != t.Codes(j)[0] || t.Attribute(j).Kind != dataset.Nominal && t.Numbers(j)[i] != t.Numbers(j)[0] {
			return false
		}
	}
	return true
}

// ordersLabels reports whether a column of numbers that are all different counts the rows, by whole numbers
// without gaps or from one row to the next, and has the rows of each label together.
func ordersLabels(t *dataset.Table, j int) bool {
	if t.Attribute(j).Kind == dataset.Nominal || t.NumClasses() == 0 || t.Len() < 3 {
		return false
	}
	xs := t.Numbers(j)
	rows := upTo(t.Len())
	inFile := slices.IsSortedFunc(rows, func(a, b int) int { return cmp.Compare(xs[a], xs[b]) }) ||
		slices.IsSortedFunc(rows, func(a, b int) int { return cmp.Compare(xs[b], xs[a]) })
	slices.SortFunc(rows, func(a, b int) int { return cmp.Compare(xs[a], xs[b]) })
	changes, counts, classes := 0, true, map[int]bool{t.Class(rows[0]): true}
	for k := 1; k < len(rows); k++ {
		i, before := rows[k], rows[k-1]
		if !(xs[i] > xs[before]) {
			return false
		}
		counts = counts && xs[i] == xs[before]+1
		if t.Class(i) != t.Class(before) {
			changes++
		}
		classes[t.Class(i)] = true
	}
	return (inFile || counts) && len(classes) > 1 && changes == len(classes)-1
}

// dataRules returns the rules for data.
func dataRules() []rule {
	return []rule{
		{
			name: Copies, on: dataSets, check: checkCopies,
			harm:   "what remembers its training examples looks better on these than it is on new ones",
			remedy: "remove copies, or keep them together by groups and split.Groups; real tables of few values repeat themselves: allow what is real",
		},
		{
			name: Contradictions, on: dataSets, check: checkContradictions,
			harm:   "no learner is right on all of them, whatever it learns",
			remedy: "look at the labels of these examples, and for what would tell them apart",
		},
		{
			name: Columns, on: dataSets, check: func(_ context.Context, b *bench) error {
				return errors.Join(b.set.columns...)
			},
			harm:   "a learner goes by what no new example has, or by nothing",
			remedy: "leave out columns that number the rows, and those that are always the same",
		},
	}
}

// beyond reports whether a share is above a limit, which 0 leaves out.
func beyond(share, limit float64) bool { return limit != 0 && share > max(0, limit) }

func checkCopies(_ context.Context, b *bench) error {
	s := b.set
	said := fmt.Sprintf("%.1f%% of test examples have a copy in training (%d examples in %d sets of equal ones)", 100*s.copies.Share, s.copies.Examples, s.copies.Sets)
	if beyond(s.copies.Share, s.opts.MaxCopies) {
		return fmt.Errorf("%s, and %.3g%% may", said, 100*max(0, s.opts.MaxCopies))
	}
	b.said = said
	return nil
}

func checkContradictions(_ context.Context, b *bench) error {
	s := b.set
	said := fmt.Sprintf("%d sets of equal examples have different labels", s.copies.Contradicting)
	if s.copies.Reachable < 1 {
		said += fmt.Sprintf(", so that no accuracy is above %.2f%%", 100*s.copies.Reachable)
	}
	if beyond(1-s.copies.Reachable, s.opts.MaxContradictions) {
		return fmt.Errorf("%s, and %.3g%% of the examples may be unpredictable", said, 100*max(0, s.opts.MaxContradictions))
	}
	b.said = said
	return nil
}
