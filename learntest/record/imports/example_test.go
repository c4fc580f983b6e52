package imports_test

import (
	"fmt"
	"log"
	"path/filepath"

	"github.com/learnbench/learnbench/learntest/record"
	"github.com/learnbench/learnbench/learntest/record/imports"
)

func Example() {
	weka, err := imports.Lookup("weka")
	if err != nil {
		log.Fatal(err)
	}
	results, err := imports.Open(weka, imports.Options{},
		[]string{filepath.Join("testdata", "weka", "experiment.csv")}, nil)
	if err != nil {
		log.Fatal(err)
	}
	file := record.NewFile(results.Blocks...)
	pairs, err := record.Pair(
		file.Of("iris", "bayes.NaiveBayes"),
		file.Of("iris", "rules.ZeroR"),
		"accuracy")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d runs of %d folds, the first %.3f and %.3f\n", pairs.Runs, pairs.Folds, pairs.A[0],
		pairs.B[0])
	// Output: 3 runs of 5 folds, the first 0.967 and 0.333
}
