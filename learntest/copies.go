package learntest

import (
	"fmt"
	"reflect"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/internal/copies"
	"github.com/learnbench/learnbench/learntest/internal/csvfield"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/split"
)

// Copies say how many examples of a data set are equal to others. Labels, groups and weights do not
// count, nor does the field of a struct that [CSV] has read the group into. Missing numbers are equal.
type Copies struct {
	Examples      int     // that are equal to another one
	Sets          int     // of equal examples
	Contradicting int     // of these sets, which have different labels
	Reachable     float64 // accuracy of always predicting the most frequent label of equal examples; 1 in regression
	Share         float64 // of test examples that have a copy in the training set of their trial
}

// PlanOf returns the partitions of data by a protocol. The zero protocol stands for the default of
// [Compare], which keeps groups together. The error wraps [dataset.ErrUnusable], [ErrConfig] or an error of
// package split.
func PlanOf[X any, Y comparable](data Data[X, Y], p split.Protocol) (*split.Plan, error) {
	_, plan, err := partitioned(data, p)
	return plan, err
}

func partitioned[X any, Y comparable](data Data[X, Y], p split.Protocol) (*source[X, Y], *split.Plan, error) {
	s, err := newSource(data)
	if err != nil {
		return nil, nil, err
	}
	cfg, err := grouped(Config{Protocol: p}, []Data[X, Y]{data})
	if err != nil {
		return nil, nil, err
	}
	plan, err := cfg.Protocol.Plan(s.examples())
	if err != nil {
		return nil, nil, s.planError(err)
	}
	return s, plan, nil
}

// FindCopies finds equal examples, and counts test examples with a copy in training over the partitions of a
// protocol, as of [PlanOf].
//
// The error wraps [dataset.ErrUnusable], [ErrConfig] or an error of package split, or says which examples cannot be
// compared, such as functions.
func FindCopies[X any, Y comparable](data Data[X, Y], p split.Protocol) (Copies, error) {
	s, plan, err := partitioned(data, p)
	if err != nil {
		return Copies{}, err
	}
	sets, err := equalExamples(data)
	if err != nil {
		return Copies{}, err
	}
	contradicting, reachable := copies.Contradicting(sets, data.Label)
	c := Copies{Examples: sets.Examples(), Sets: len(sets.All), Contradicting: len(contradicting), Reachable: 1, Share: plan.Divided(sets.All)}
	if s.classification() {
		c.Reachable = reachable
	}
	return c, nil
}

// DuplicateGroups returns a group for each example, for [ExampleSet.WithGroups] and dataset.Table.WithGroups:
// equal examples are of one group, so that split.Groups keeps them together. If the data have groups,
// these are joined where they have equal examples. Groups change the data and the partitions: results without
// the groups are not compared with results under them. The error is as with [FindCopies].
func DuplicateGroups[X any, Y comparable](data Data[X, Y]) ([]string, error) {
	s, err := newSource(data)
	if err != nil {
		return nil, err
	}
	sets, err := equalExamples(data)
	if err != nil {
		return nil, err
	}
	names := make([]string, data.Len())
	for i, first := range sets.Join(s.groups) {
		names[i] = fmt.Sprint("example ", first)
	}
	return names, nil
}

// copied returns what a header says of copies in training: nothing if they are few, or if examples cannot be
// compared.
func copied[X any, Y comparable](data Data[X, Y], plan *split.Plan) string {
	sets, err := equalExamples(data)
	if err != nil {
		return ""
	}
	var h record.Header
	h.SetCopies(plan.Divided(sets.All))
	return h.Copies
}

// equalExamples returns the sets of equal examples.
func equalExamples[X any, Y comparable](data Data[X, Y]) (copies.Sets, error) {
	example := data.Example
	if group := groupField(data); group != nil {
		example = func(i int) X {
			x := data.Example(i)
			reflect.ValueOf(&x).Elem().FieldByIndex(group).SetZero()
			return x
		}
	}
	sets, err := copies.Find(data.Len(), copies.Texts(example))
	if err != nil {
		return copies.Sets{}, fmt.Errorf("%w: data set %q: %w", dataset.ErrUnusable, data.Name(), err)
	}
	return sets, nil
}

// groupField returns the index of the field that [CSV] has read the group from; nil if there is none.
func groupField[X any, Y comparable](data Data[X, Y]) []int {
	if e, ok := data.(*ExampleSet[X, Y]); !ok || e.file == "" {
		return nil
	}
	fields, _ := csvfield.Of(reflect.TypeFor[X](), reflect.TypeFor[Y]()) // that have been read
	for _, f := range fields {
		if f.Group {
			return f.Index
		}
	}
	return nil
}
