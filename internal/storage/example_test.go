package storage_test

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/learnbench/learnbench/internal/storage"
	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/unit"
)

// example returns a block of two trials, of which one failed.
func example() (*record.Block, error) {
	b, err := record.NewBlock(record.Header{
		Data:        "vehicle",
		Protocol:    "cv runs=1 folds=2 stratified seed=1 v1",
		DataDigest:  "9a1f0c35b2e84d7796c1d0f8e5a3b4c29a1f0c35b2e84d7796c1d0f8e5a3b4c2",
		SplitDigest: "77c0e1d2f3a4b5c697887766554433221100ffeeddccbbaa77c0e1d2f3a4b5c6",
	}, []string{"c45"}, []unit.Unit{{Name: "accuracy", Better: unit.Higher, Min: 0, Max: 1}}, 846)
	if err != nil {
		return nil, err
	}
	for _, t := range []record.Trial{
		{
			Data: "vehicle", Learner: "c45", Run: 1, Fold: 2, TrainN: 423, TestN: 423,
			Err: "did not\nconverge",
		},
		{
			Data: "vehicle", Learner: "c45", Run: 1, Fold: 1, TrainN: 423, TestN: 423,
			Values: []float64{2.0 / 3},
		},
	} {
		if err := b.Add(t); err != nil {
			return nil, err
		}
	}
	return b, nil
}

func ExampleStore() {
	dir, err := os.MkdirTemp("", "results")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "results.txt")
	s, err := storage.NewStore(path)
	if err != nil {
		fmt.Println(err)
		return
	}
	for range 2 { // the second time, it takes the place of the first
		b, err := example()
		if err != nil {
			fmt.Println(err)
			return
		}
		if _, err := s.Put(b); err != nil {
			fmt.Println(err)
			return
		}
	}
	f, err := record.Open(path)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(f.Blocks()), f.Failures()[0].Err)
	// Output:
	// 1 did not
	// converge
}

// A journal has the trials of a run that may not live to store them.
func ExampleJournal() {
	dir, err := os.MkdirTemp("", "results")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	b, err := example()
	if err != nil {
		fmt.Println(err)
		return
	}
	j, err := storage.CreateJournal(filepath.Join(dir, "results.txt"))
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := j.Begin(b.Header, b.Learners, b.Units, 846); err != nil {
		fmt.Println(err)
		return
	}
	for t := range b.Trials() {
		j.Append(t)
	}
	if err := j.Close(); err != nil { // after a kill, the rest works in the same way
		fmt.Println(err)
		return
	}
	remains, err := storage.ReadJournal(j.Path())
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, left := range remains.Blocks() {
		fmt.Println(left.Header.Data, left.Learners, left.Len())
	}
	// Output:
	// vehicle [c45] 2
}
