package datafile

import (
	"fmt"
	"slices"
	"strings"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/predictions"
)

// Slices returns the slices of data sets that predictions are of, by the names of the data sets.
// Columns that no learner has seen have some, too: the digest is of the data without the columns
// that are ignored, and the slices are of the same rows. It also returns the names of these
// columns, whose values no digest covers.
func Slices(names []string, read dataset.ReadOptions) (sliced map[string]predictions.Slices,
	unseen []string, err error,
) {
	seen, all := read, read
	seen.Slices = nil
	all.Ignore = nil
	for _, name := range read.Ignore {
		if slices.ContainsFunc(read.Slices, func(slice string) bool {
			column, _, _ := strings.Cut(strings.ReplaceAll(slice, "<", ">"), ">")
			return slice == name || strings.TrimSpace(column) == name
		}) {
			unseen = append(unseen, name)
		} else {
			all.Ignore = append(all.Ignore, name)
		}
	}
	without, err := Open(names, Options{ReadOptions: seen, Labeled: true})
	if err != nil {
		return nil, nil, err
	}
	tables, err := Open(names, Options{ReadOptions: all, Labeled: true})
	if err != nil {
		return nil, nil, err
	}
	sliced = make(map[string]predictions.Slices)
	for i, t := range tables {
		var of predictions.Slices
		if of.DataDigest, err = without[i].Digest(); err != nil {
			return nil, nil, err
		}
		for _, s := range t.Slices() {
			of.Of = append(of.Of, predictions.Slice(s))
		}
		if _, ok := sliced[t.Name()]; ok {
			return nil, nil, fmt.Errorf("two data sets are called %q", t.Name())
		}
		sliced[t.Name()] = of
	}
	return sliced, unseen, nil
}
