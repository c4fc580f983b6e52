package unit_test

import (
	"fmt"

	"github.com/learnbench/learnbench/learntest/unit"
)

// A margin that users write is an amount in the unit of its metric.
func ExampleMargins() {
	accuracy := unit.Unit{Name: "accuracy", Better: unit.Higher, Min: 0, Max: 1}
	for _, text := range []string{"0.02", "2pp", "2%", "accuracy=1pp,logloss=0.1", "2 points"} {
		var m unit.Margins
		if err := m.Set(text); err != nil {
			fmt.Println(err)
			continue
		}
		margin, err := m.Value(accuracy, 0.75) // the mean of the baseline
		fmt.Println(accuracy.FormatMargin(margin), err)
	}
	// Output:
	// 2.00 points <nil>
	// 2.00 points <nil>
	// 1.50 points <nil>
	// 1.00 points <nil>
	// margin "2 points" is not a positive number, with or without the unit pp or %
}
