package learnercheck

import (
	"context"
	"fmt"
	"reflect"

	"github.com/learnbench/learnbench/learntest"
	"github.com/learnbench/learnbench/learntest/split"
)

// The rules for data.
const (
	// Copies says that the share of test examples with an equal example in training is at most
	// DataOptions.MaxCopies.
	Copies Rule = "copies"

	// Contradictions says that equal examples have equal labels, but for a share of examples that
	// cannot be predicted of at most DataOptions.MaxContradictions.
	Contradictions Rule = "contradictions"

	// Columns says that no column of a table, and no field of a struct, has another value in each
	// row and orders the labels, and that none has a single value in all rows.
	Columns Rule = "columns"

	// Groups says that the protocol divides no values of a column that look like persons or sites:
	// they repeat, and the rows of each are next to one another, or have one label. Data in which
	// they are neither may break it.
	Groups Rule = "groups"

	// Times says that no row is tested by a model of later ones, where a column has its rows in the
	// order of time. Data whose rows are sorted by something else may break it.
	Times Rule = "times"
)

// DataOptions say what data may have. The zero value allows copies and contradictions, and says how
// many there are: tables of few values repeat themselves.
type DataOptions struct {
	// Protocol is the protocol of the trials. If zero, it is the protocol of learntest.Compare.
	Protocol split.Protocol

	// MaxCopies is the greatest share of test examples with a copy in training, such as 0.01. If
	// zero, there is no limit; less than 0 allows none.
	MaxCopies float64

	// MaxContradictions is the greatest share of examples that cannot be predicted, since equal
	// ones have other labels, such as 0.05. If zero, there is no limit; less than 0 allows none.
	MaxContradictions float64
}

// Data returns a data set as a subject, without a learner. Its rules find flaws of the data that
// make scores promise too much, or nothing. Groups, weights and labels do not count when examples
// are compared.
func Data[X any, Y comparable](data learntest.Data[X, Y], opts DataOptions) Subject {
	return Subject{shape: dataSets, open: func() ([]*bench, func() error, error) {
		b := &bench{
			learner: "the data", data: data.Name(), found: make(map[Rule]bool),
			set: &dataSet{opts: opts},
		}
		if err := describe(b.set, data); err != nil {
			return nil, nil, err
		}
		return []*bench{b}, nil, nil
	}}
}

// A dataSet holds the known facts about data.
type dataSet struct {
	opts    DataOptions
	copies  split.Copies
	columns []column
	labels  []int // numbers of labels; nil in regression
}

func describe[X any, Y comparable](s *dataSet, data learntest.Data[X, Y]) (err error) {
	if s.copies, err = learntest.FindCopies(data, s.opts.Protocol); err != nil {
		return err
	}
	s.columns = columnsOf(data)
	if k := reflect.TypeFor[Y]().Kind(); k != reflect.Float32 && k != reflect.Float64 {
		numbers := make(map[Y]int)
		s.labels = make([]int, data.Len())
		for i := range s.labels {
			y := data.Label(i)
			if _, ok := numbers[y]; !ok {
				numbers[y] = len(numbers)
			}
			s.labels[i] = numbers[y]
		}
	}
	return nil
}

// dataRules returns the rules for data.
func dataRules() []rule {
	return []rule{
		{
			name: Copies, on: dataSets, check: checkCopies,
			harm:   "what remembers its training examples looks better on these than it is on new ones",
			remedy: "remove copies, or keep them together by groups and split.Groups; real tables of few values repeat themselves: allow the real copies",
		},
		{
			name: Contradictions, on: dataSets, check: checkContradictions,
			harm:   "no learner can be right on all of them",
			remedy: "look at the labels of these examples, and for what would tell them apart",
		},
		{
			name: Columns, on: dataSets, allowed: true, check: checkColumns,
			harm:   "a learner uses values that no new example has, or values that say nothing",
			remedy: "leave out columns that number the rows, and columns of one value",
		},
		{
			name: Groups, on: dataSets, allowed: true, check: checkGroups,
			harm:   "a learner recognises the person or the site of a test example, whose label it has been trained on, and does not know new ones",
			remedy: "name the groups (ReadOptions.Group, Table.WithGroups, ExampleSet.WithGroups, the tag group of CSV, learnbench -group), so that none is divided; if rows of one value have nothing else in common, allow it",
		},
		{
			name: Times, on: dataSets, allowed: true, check: checkTimes,
			harm:   "models know what comes after the rows that they are tested on, which no model does in use",
			remedy: "test on what comes later, by split.TimeSeries; if the order of the rows means nothing, allow it",
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
		return fmt.Errorf("%s, and %.3g%% of the examples may be unpredictable", said,
			100*max(0, s.opts.MaxContradictions))
	}
	b.said = said
	return nil
}
