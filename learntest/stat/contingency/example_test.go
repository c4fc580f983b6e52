package contingency_test

import (
	"fmt"
	"log"

	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/contingency"
)

func ExampleMcNemarTest() {
	c, err := contingency.CountPairs(
		[]bool{true, true, true, false, true, true, true, true, false, true},
		[]bool{true, false, true, false, false, true, false, true, false, false},
	)
	if err != nil {
		log.Fatal(err)
	}
	r, err := contingency.McNemarTest(c, contingency.Exact, stat.TwoSided)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\np = %.3f\n", c, r.P)
	// Output:
	// {Both:4 OnlyFirst:4 OnlySecond:0 Neither:2}
	// p = 0.125
}

// Two learners that were asked about different examples.
func ExampleTwoProportionsTest() {
	r, err := contingency.TwoProportionsTest(172, 200, 120, 160, true, stat.TwoSided)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("difference %.3f, z = %.2f, p = %.4f\n", r.Estimate, r.Statistic, r.P)
	// Output:
	// difference 0.110, z = 2.65, p = 0.0081
}
