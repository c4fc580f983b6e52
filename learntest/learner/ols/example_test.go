package ols_test

import (
	"fmt"
	"strings"

	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/learner/ols"
)

// Trained on all rows but the last, whose target it predicts. Nominal attributes become
// indicators of their values.
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
	model, err := ols.New(ols.Config{}).Fit(rents, []int{0, 1, 2, 3, 4}, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer model.Close()
	rent, err := model.Value(rents, 5)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.0f, in fact 1050\n", rent)
	// Output:
	// 1040, in fact 1050
}
