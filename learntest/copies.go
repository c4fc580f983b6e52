package learntest

import (
	"fmt"
	"reflect"
	"strconv"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/internal/copies"
	"github.com/learnbench/learnbench/learntest/internal/csvfield"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/split"
)

// FindCopies finds equal examples, and counts test examples with a copy in training over the
// partitions of a protocol. The zero protocol stands for the default of [Compare], which keeps
// groups together. The field of a struct that [CSV] has read the group into does not count.
//
// The error wraps [dataset.ErrUnusable], [ErrConfig] or an error of package split, or says which
// examples cannot be compared, such as functions.
func FindCopies[X any, Y comparable](data Data[X, Y], p split.Protocol) (split.Copies, error) {
	s, err := newSource(data)
	if err != nil {
		return split.Copies{}, err
	}
	cfg, err := grouped(Config{Protocol: p}, []Data[X, Y]{data})
	if err != nil {
		return split.Copies{}, err
	}
	plan, err := cfg.Protocol.Plan(s.examples())
	if err != nil {
		return split.Copies{}, s.planError(err)
	}
	sets, err := equalExamples(data)
	if err != nil {
		return split.Copies{}, err
	}
	contradicting, reachable := copies.Contradicting(sets, data.Label)
	if !s.classification() {
		reachable = 1
	}
	groups := make([]string, data.Len())
	for i, first := range sets.Join(s.groups) {
		groups[i] = "example " + strconv.Itoa(first)
	}
	return split.Copies{
		Plan: plan, Examples: sets.Examples(), Sets: len(sets.All), Contradicting: len(contradicting),
		Reachable: reachable, Share: plan.Divided(sets.All), Groups: groups,
	}, nil
}

// copied returns what a header says of copies in training: nothing if they are few, or if examples
// cannot be compared.
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

// groupField returns the index of the field that [CSV] has read the group from; nil if there is
// none.
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
