package hierarchical_test

import (
	"fmt"

	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/hierarchical"
)

// Four data sets on which the candidate gains 2 to 4 points in five folds.
func ExampleTest() {
	var samples []hierarchical.Sample
	for _, folds := range [][]float64{
		{0.03, 0.04, 0.02, 0.03, 0.03},
		{0.02, 0.03, 0.02, 0.01, 0.02},
		{0.04, 0.03, 0.05, 0.04, 0.04},
		{0.03, 0.03, 0.02, 0.04, 0.03},
	} {
		samples = append(samples, hierarchical.Sample{Differences: stat.Differences{
			X:    folds,
			Runs: 1, Folds: 5,
		}})
	}
	r, err := hierarchical.Test(samples, hierarchical.Options{Rope: 0.005, Seed: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("better on a further data set: %t\n", r.P.Better > 0.95)
	fmt.Printf("the third data set: found 4.0 points, believed %.1f\n", 100*r.Sets[2].Mean)
	// Output:
	// better on a further data set: true
	// the third data set: found 4.0 points, believed 3.6
}
