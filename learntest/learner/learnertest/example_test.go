package learnertest_test

import (
	"fmt"

	"github.com/learnbench/learnbench/learntest/learner/learnertest"
	"github.com/learnbench/learnbench/learntest/learner/naivebayes"
)

func ExampleCheck() {
	err := learnertest.Check(naivebayes.New(naivebayes.Config{}), learnertest.Options{OrderFree: true})
	fmt.Println(err)
	// Output:
	// <nil>
}
