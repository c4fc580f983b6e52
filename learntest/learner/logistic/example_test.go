package logistic_test

import (
	"fmt"

	"github.com/learnbench/learnbench/learntest/dataset/uci"
	"github.com/learnbench/learnbench/learntest/learner/logistic"
)

// Trained on all rows but the first ones of each kind of iris.
func ExampleNew() {
	iris := uci.Iris()
	var train []int
	for i := range iris.Len() {
		if i%50 > 0 {
			train = append(train, i)
		}
	}
	model, err := logistic.New(logistic.Config{}).Fit(iris, train, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer model.Close()
	dist := make([]float64, iris.NumClasses())
	for _, row := range []int{0, 50, 100} {
		model.Distribution(iris, row, dist)
		fmt.Printf("%.3f\n", dist)
	}
	// Output:
	// [0.985 0.015 0.000]
	// [0.005 0.857 0.138]
	// [0.000 0.006 0.994]
}
