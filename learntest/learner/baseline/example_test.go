package baseline_test

import (
	"fmt"
	"strings"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/dataset/uci"
	"github.com/learnbench/learnbench/learntest/learner"
	"github.com/learnbench/learnbench/learntest/learner/baseline"
)

// A prediction from the frequencies of the classes alone.
func ExampleMajority() {
	glass := uci.Glass()
	var train []int
	for i := range glass.Len() {
		train = append(train, i)
	}
	model, err := baseline.Majority().Fit(glass, train, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer model.Close()
	dist := make([]float64, glass.NumClasses())
	model.Distribution(glass, 0, dist)
	for c, name := range glass.Attribute(glass.ClassIndex()).Values {
		fmt.Printf("%.3f %s\n", dist[c], name)
	}
	// Output:
	// 0.321 build wind float
	// 0.348 build wind non-float
	// 0.081 vehic wind float
	// 0.005 vehic wind non-float
	// 0.063 containers
	// 0.045 tableware
	// 0.136 headlamps
}

// The mean has the least squared error of all constants, the median the least absolute one.
func ExampleMedian() {
	const file = "day,visitors\n1,10\n2,12\n3,11\n4,95\n"
	days, err := dataset.ReadCSV(strings.NewReader(file), "days.csv",
		dataset.ReadOptions{Target: "visitors"})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, r := range []learner.Regressor{baseline.Mean(), baseline.Median()} {
		model, err := r.Fit(days, []int{0, 1, 2, 3}, 1)
		if err != nil {
			fmt.Println(err)
			return
		}
		v, err := model.Value(days, 0)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(r.Name(), v)
		model.Close()
	}
	// Output:
	// mean 32
	// median 11.5
}
