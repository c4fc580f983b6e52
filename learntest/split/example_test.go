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
	plan, err := split.TimeSeries(3, split.Window{
		TestSize: 2, MaxTrain: 4,
		Gap: 1,
	}).Plan(split.Examples{N: 10})
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

// Each constructor, with the text form that result files name and Parse reads.
func ExampleProtocol() {
	for _, p := range []split.Protocol{
		split.TenByTen(), // the default
		split.CV(1, 5),
		split.FiveByTwo(),
		split.RByTwo(10),
		split.Subsample(30, 0.9),
		split.LeaveOneOut(),
		split.Groups(10, 10), // keeps the examples of a patient, say, together
		split.TimeSeries(5, split.Window{}),
		split.Weka(10, 10),
		split.Halves(10, 10),
		split.GroupHalves(10, 10),
		split.Predefined([]split.Fold{{Train: []int{0, 1}, Test: []int{2, 3}}}),
	} {
		fmt.Println(p)
	}
	// Output:
	// cv runs=10 folds=10 stratified seed=1 v1
	// cv runs=1 folds=5 stratified seed=1 v1
	// cv runs=5 folds=2 stratified seed=1 v1
	// cv runs=10 folds=2 stratified seed=1 v1
	// subsample runs=30 train=0.9 unstratified seed=1 v1
	// loo seed=1 v1
	// groups runs=10 folds=10 unstratified seed=1 v1
	// timeseries folds=5 seed=1 v1
	// weka runs=10 folds=10 seed=1 v1
	// halves m=10 folds=10 seed=1 v1
	// grouphalves m=10 folds=10 unstratified seed=1 v1
	// predefined runs=1 folds=1 sha256=c89561825d84d2913e5fa13565a5f07026f5e87966829e16ab4693403ce0431c seed=1 v1
}
