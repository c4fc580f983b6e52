package uci_test

import (
	"fmt"

	"github.com/learnbench/learnbench/learntest/dataset/uci"
)

func Example() {
	iris := uci.Iris()
	fmt.Println(iris.Len(), iris.Attribute(0).Name, iris.Attribute(iris.ClassIndex()).Values)
	_, err := uci.Load("irises")
	fmt.Println(err != nil)
	// Output:
	// 150 sepallength [Iris-setosa Iris-versicolor Iris-virginica]
	// true
}
