package split_test

import (
	"errors"
	"fmt"

	"github.com/learnbench/learnbench/learntest/split"
)

func ExampleProtocol_Plan() {
	ex := split.Examples{N: 6, Class: []int{0, 0, 0, 0, 1, 1}}
	plan, err := split.CV(2, 2).Plan(ex)
	if err != nil {
		fmt.Println(err)
		return
	}
	for run := 1; run <= plan.Runs(); run++ {
		for fold := 1; fold <= plan.Folds(); fold++ {
			train, test := plan.Trial(run, fold, nil, nil)
			fmt.Println(run, fold, train, test)
		}
	}
	// Output:
	// 1 1 [1 2 5] [0 3 4]
	// 1 2 [0 3 4] [1 2 5]
	// 2 1 [0 2 5] [1 3 4]
	// 2 2 [1 3 4] [0 2 5]
}

func ExampleParse() {
	p, err := split.Parse("5x2 seed=42")
	fmt.Println(p, err)
	_, err = split.Parse("cv runs=ten folds=10")
	fmt.Println(errors.Is(err, split.ErrSyntax), err)
	// Output:
	// cv runs=5 folds=2 stratified seed=42 v1 <nil>
	// true split: cannot parse protocol "cv runs=ten folds=10": word "runs=ten": not a whole number in 0..2^31-1
}

// Examples 0 to 9 are days; models are trained on at most four days and are not
// tested on the day after.
func ExampleTimeSeries() {
	plan, err := split.TimeSeries(3, split.Window{TestSize: 2, MaxTrain: 4, Gap: 1}).Plan(split.Examples{N: 10})
	if err != nil {
		fmt.Println(err)
		return
	}
	for fold := 1; fold <= plan.Folds(); fold++ {
		train, test := plan.Trial(1, fold, nil, nil)
		fmt.Println(train, test)
	}
	// Output:
	// [0 1 2] [4 5]
	// [1 2 3 4] [6 7]
	// [3 4 5 6] [8 9]
}
