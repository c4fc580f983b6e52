package naivebayes_test

import (
	"fmt"

	"github.com/learnbench/learnbench/learntest/dataset/uci"
	"github.com/learnbench/learnbench/learntest/learner/naivebayes"
)

func ExampleNew() {
	iris := uci.Iris()
	var train []int
	for i := range iris.Len() {
		if i%50 != 0 {
			train = append(train, i)
		}
	}
	model, err := naivebayes.New(naivebayes.Config{}).Fit(iris, train, 1)
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
	petal, _ := model.(*naivebayes.Model).Normal(2, 0)
	fmt.Printf("petal length of the first class: mean %.2f, sd %.2f\n", petal.Mean, petal.SD)
	// Output:
	// [1.000 0.000 0.000]
	// [0.000 0.873 0.127]
	// [0.000 0.000 1.000]
	// petal length of the first class: mean 1.47, sd 0.18
}
