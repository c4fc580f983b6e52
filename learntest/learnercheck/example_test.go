package learnercheck_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/learnbench/learnbench/learntest"
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/dataset/uci"
	"github.com/learnbench/learnbench/learntest/learner/naivebayes"
	"github.com/learnbench/learnbench/learntest/learnercheck"
)

// A model that its seed does not fix, found before it is compared with anything.
func ExampleCheck() {
	coin := learntest.Func("coin", func(context.Context, learntest.Sample[dataset.Row, int],
		uint64,
	) (func(dataset.Row) int, error) {
		return func(dataset.Row) int { return rand.IntN(3) }, nil
	})
	err := learnercheck.Check(context.Background(), learnercheck.Learner(uci.Iris(), coin))
	if flaw, ok := errors.AsType[*learnercheck.Flaw](err); ok {
		fmt.Println(flaw.Rule)
		fmt.Println(flaw.Harm())
	}
	// Output:
	// determinism
	// a rerun differs by more than its partitions, so that a test passes and fails on the same code
}

// A classifier on tables is checked on tables of many kinds.
func ExampleClassifier() {
	bayes := learnercheck.Classifier(naivebayes.New(naivebayes.Config{}),
		learnercheck.Options{OrderFree: true})
	fmt.Println(learnercheck.Check(context.Background(), bayes))
	// Output:
	// <nil>
}
