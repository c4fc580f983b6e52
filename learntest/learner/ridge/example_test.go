package ridge_test

import (
	"fmt"
	"strings"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/learner/ridge"
)

// The penalty draws predictions toward the mean of the training rows, 928.
func ExampleNew() {
	const file = `area,district,rent
50,centre,900
70,centre,1180
60,north,640
80,north,860
100,north,1060
60,centre,1050
`
	rents, err := dataset.ReadCSV(strings.NewReader(file), "rents.csv",
		dataset.ReadOptions{Target: "rent"})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, alpha := range []float64{0.01, 1, 100} {
		model, err := ridge.New(ridge.Config{Alpha: alpha}).Fit(rents, []int{0, 1, 2, 3, 4}, 1)
		if err != nil {
			fmt.Println(err)
			return
		}
		rent, err := model.Value(rents, 5)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("alpha %v: %.0f, in fact 1050\n", alpha, rent)
	}
	// Output:
	// alpha 0.01: 1039, in fact 1050
	// alpha 1: 983, in fact 1050
	// alpha 100: 928, in fact 1050
}
