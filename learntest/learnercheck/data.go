package learnercheck

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/learnbench/learnbench/learntest"
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/internal/copies"
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
	// Protocol is what trials are run by. If zero, it is 10×10 cross-validation.
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
		all, err := learntest.NewSample(data)
		if err != nil {
			return nil, nil, err
		}
		b := &bench{learner: "the data", data: data.Name(), found: make(map[Rule]bool), set: &dataSet{opts: opts}}
		if err := describe(b.set, all); err != nil {
			return nil, nil, fmt.Errorf("data set %q: %w", data.Name(), err)
		}
		return []*bench{b}, nil, nil
	}}
}

// A dataSet is what is known of data.
type dataSet struct {
	opts          DataOptions
	n             int
	copies        copies.Sets
	share         float64 // of test examples with a copy in training
	contradicting int     // sets
	reachable     float64 // accuracy; 1 in regression
	columns       []error // what is wrong with them
}

func describe[X any, Y comparable](s *dataSet, all learntest.Sample[X, Y]) error {
	s.n, s.reachable = all.Len(), 1
	keys := make([]string, s.n)
	examples := split.Examples{N: s.n}
	for i := range keys {
		var err error
		if keys[i], err = keyOf(all.Example(i)); err != nil {
			return fmt.Errorf("example %d: %w", i, err)
		}
		if all.Classes() != nil {
			examples.Class = append(examples.Class, all.Class(i))
		}
	}
	if g, ok := all.Data().(interface{ Groups() []string }); ok {
		number := make(map[string]int)
		for _, name := range g.Groups() {
			if _, ok := number[name]; !ok {
				number[name] = len(number)
			}
			examples.Group = append(examples.Group, number[name])
		}
	}
	plan, err := s.opts.Protocol.Plan(examples)
	if err != nil {
		return err
	}
	s.copies = copies.Find(keys)
	s.share = s.copies.Share(plan)
	sets, reachable := copies.Contradicting(s.copies, all.Label)
	if s.contradicting = len(sets); all.Classes() != nil {
		s.reachable = reachable
	}
	if row, ok := any(all.Example(0)).(dataset.Row); ok {
		s.columns = columnFlaws(row.Table)
	}
	return nil
}

// keyOf returns a text that equal examples share: NaN is one, and -0 is 0 in tables.
func keyOf(x any) (string, error) {
	row, ok := x.(dataset.Row)
	if !ok {
		return learntest.DigestOf(x)
	}
	var key []byte
	for j := range row.Table.NumAttributes() {
		switch {
		case j == row.Table.ClassIndex():
		case row.Table.Attribute(j).Kind == dataset.Nominal:
			key = binary.BigEndian.AppendUint32(key, uint32(row.Table.Codes(j)[row.Index]))
		case row.Table.Missing(row.Index, j):
			key = binary.BigEndian.AppendUint64(key, math.Float64bits(math.NaN()))
		default:
			key = binary.BigEndian.AppendUint64(key, math.Float64bits(row.Table.Numbers(j)[row.Index]+0))
		}
	}
	return string(key), nil
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
	said := fmt.Sprintf("%.1f%% of test examples have a copy in training (%d examples in %d sets of equal ones)", 100*s.share, s.copies.Examples(), len(s.copies.All))
	if beyond(s.share, s.opts.MaxCopies) {
		return fmt.Errorf("%s, and %.3g%% may", said, 100*max(0, s.opts.MaxCopies))
	}
	b.said = said
	return nil
}

func checkContradictions(_ context.Context, b *bench) error {
	s := b.set
	said := fmt.Sprintf("%d sets of equal examples have different labels", s.contradicting)
	if s.reachable < 1 {
		said += fmt.Sprintf(", so that no accuracy is above %.2f%%", 100*s.reachable)
	}
	if beyond(1-s.reachable, s.opts.MaxContradictions) {
		return fmt.Errorf("%s, and %.3g%% of the examples may be unpredictable", said, 100*max(0, s.opts.MaxContradictions))
	}
	b.said = said
	return nil
}
