package discretize_test

import (
	"fmt"

	"github.com/learnbench/learnbench/learntest/dataset/uci"
	"github.com/learnbench/learnbench/learntest/learner/discretize"
	"github.com/learnbench/learnbench/learntest/learner/naivebayes"
)

// The cut points are learned with the model, from the training rows only.
func ExampleNew() {
	iris := uci.Iris()
	var train []int
	for i := range iris.Len() {
		if i%50 != 0 {
			train = append(train, i)
		}
	}
	c := discretize.New(naivebayes.New(naivebayes.Config{}))
	model, err := c.Fit(iris, train, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer model.Close()
	fmt.Println(c.Name())
	cuts := model.(*discretize.Model).Discretizer()
	fmt.Printf("cuts of %s: %.2f\n", iris.Attribute(2).Name, cuts.Cuts(2))
	dist := make([]float64, iris.NumClasses())
	for _, row := range []int{0, 50, 100} {
		model.Distribution(iris, row, dist)
		fmt.Printf("%.2f lies in interval %d: %.3f\n", iris.Numbers(2)[row],
			cuts.Bin(2, iris.Numbers(2)[row]), dist)
	}
	// Output:
	// discretized(naivebayes)
	// cuts of petallength: [2.45 4.75]
	// 1.40 lies in interval 0: [1.000 0.000 0.000]
	// 4.70 lies in interval 1: [0.000 0.972 0.028]
	// 6.00 lies in interval 2: [0.000 0.001 0.999]
}
