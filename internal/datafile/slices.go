package datafile

import (
	"fmt"
	"slices"
	"strings"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/predictions"
	"github.com/learnbench/learnbench/learntest/unit"
)

// Slices returns the slices of data sets that predictions are of, by the names of the data sets.
// Columns that no learner has seen have some, too: the digest is of the data without the columns
// that are ignored, and the slices are of the same rows. A note names these columns, whose values no
// digest covers.
func Slices(names []string, read dataset.ReadOptions) (sliced map[string]predictions.Slices,
	note string, err error,
) {
	var unseen []string
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
	tables, err := Open(names, Options{ReadOptions: all, Labeled: true})
	if err != nil {
		return nil, "", err
	}
	without := tables // slices are not in a digest
	if len(unseen) > 0 {
		if without, err = Open(names, Options{ReadOptions: seen, Labeled: true}); err != nil {
			return nil, "", err
		}
	}
	sliced = make(map[string]predictions.Slices)
	for i, t := range tables {
		var of predictions.Slices
		if of.DataDigest, err = without[i].Digest(); err != nil {
			return nil, "", err
		}
		for _, s := range t.Slices() {
			of.Of = append(of.Of, predictions.Slice(s))
		}
		if _, ok := sliced[t.Name()]; ok {
			return nil, "", fmt.Errorf("two data sets are called %q", t.Name())
		}
		sliced[t.Name()] = of
	}
	if len(unseen) > 0 {
		note = fmt.Sprintf("column %s was ignored: the digest of the data does not cover its values, and nothing proves that the run has had these values", unit.Quoted(unseen))
	}
	return sliced, note, nil
}
