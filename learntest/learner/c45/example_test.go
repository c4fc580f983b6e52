package c45_test

import (
	"fmt"

	"github.com/learnbench/learnbench/learntest/dataset/uci"
	"github.com/learnbench/learnbench/learntest/learner/c45"
)

// A tree is grown, pruned and printed in the layout of Weka's J48.
func ExampleNew() {
	iris := uci.Iris()
	var train []int
	for i := range iris.Len() {
		if i%50 != 0 {
			train = append(train, i)
		}
	}
	c := c45.New(c45.Config{MinLeaf: 5})
	model, err := c.Fit(iris, train, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer model.Close()
	fmt.Println(c.Name())
	fmt.Println(model)
	dist := make([]float64, iris.NumClasses())
	for _, row := range []int{0, 50, 100} {
		model.Distribution(iris, row, dist)
		fmt.Printf("%.3f\n", dist)
	}
	// Output:
	// c45(minleaf=5)
	// J48 pruned tree
	// ------------------
	//
	// petalwidth <= 0.6: Iris-setosa (49.0)
	// petalwidth > 0.6
	// |   petalwidth <= 1.7
	// |   |   petallength <= 4.9: Iris-versicolor (47.0/1.0)
	// |   |   petallength > 4.9: Iris-virginica (6.0/2.0)
	// |   petalwidth > 1.7: Iris-virginica (45.0/1.0)
	//
	// Number of Leaves  : 	4
	//
	// Size of the tree : 	7
	//
	// [1.000 0.000 0.000]
	// [0.000 0.979 0.021]
	// [0.000 0.022 0.978]
}
