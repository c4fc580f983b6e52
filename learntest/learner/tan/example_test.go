package tan_test

import (
	"fmt"

	"github.com/learnbench/learnbench/learntest/dataset/uci"
	"github.com/learnbench/learnbench/learntest/learner/tan"
)

// Each attribute depends on the class and on at most one other attribute; the text of the
// model says on which. Numeric ones are divided into intervals.
func ExampleNew() {
	iris := uci.Iris()
	var train []int
	for i := range iris.Len() {
		if i%50 != 0 {
			train = append(train, i)
		}
	}
	model, err := tan.New(tan.Config{}).Fit(iris, train, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer model.Close()
	fmt.Println(model)
	dist := make([]float64, iris.NumClasses())
	for _, row := range []int{0, 50, 100} {
		model.Distribution(iris, row, dist)
		fmt.Printf("%.3f\n", dist)
	}
	// Output:
	// sepallength: class, sepalwidth
	// sepalwidth: class
	// petallength: class, sepallength
	// petalwidth: class, sepalwidth
	// class
	//
	// [1.000 0.000 0.000]
	// [0.001 0.997 0.002]
	// [0.000 0.016 0.984]
}
