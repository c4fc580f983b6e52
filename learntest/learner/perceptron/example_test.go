package perceptron_test

import (
	"fmt"

	"github.com/learnbench/learnbench/learntest/dataset/uci"
	"github.com/learnbench/learnbench/learntest/learner/perceptron"
)

func ExampleNew() {
	sonar := uci.Sonar()
	var train []int
	for i := range sonar.Len() {
		if i%10 != 0 {
			train = append(train, i)
		}
	}
	model, err := perceptron.New(perceptron.Config{}).Fit(sonar, train, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer model.Close()
	fmt.Println(model)
	_, err = perceptron.New(perceptron.Config{}).Fit(uci.Iris(), []int{0, 50, 100}, 1)
	fmt.Println(err)
	// Output:
	// voted perceptron: 85 perceptrons of 60 inputs
	// cannot train on "iris": the class "class" declares 3 values, a perceptron needs 2
}
