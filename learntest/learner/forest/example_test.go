package forest_test

import (
	"fmt"

	"github.com/learnbench/learnbench/learntest/dataset/uci"
	"github.com/learnbench/learnbench/learntest/learner/forest"
)

// Trained on all rows but every tenth.
func ExampleNew() {
	iris := uci.Iris()
	var train []int
	for i := range iris.Len() {
		if i%10 > 0 {
			train = append(train, i)
		}
	}
	model, err := forest.New(forest.Config{Trees: 30}).Fit(iris, train, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer model.Close()
	dist := make([]float64, iris.NumClasses())
	for _, row := range []int{0, 70, 120, 130} {
		model.Distribution(iris, row, dist)
		fmt.Printf("%.3f\n", dist)
	}
	// Output:
	// [1.000 0.000 0.000]
	// [0.000 0.067 0.933]
	// [0.000 0.000 1.000]
	// [0.000 0.000 1.000]
}
