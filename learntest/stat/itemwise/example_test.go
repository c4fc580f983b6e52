package itemwise_test

import (
	"fmt"

	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/itemwise"
)

// Two answers of forty have changed, one for the better. The ordinary t would show a margin of 7
// points; forty questions do not show it.
func Example() {
	d := make([]float64, 40)
	d[7], d[19] = 1, -1
	s, err := itemwise.Prepare(itemwise.Data{
		Differences: d,
		Range:       itemwise.Range{Least: -1, Most: 1},
	})
	if err != nil {
		panic(err)
	}
	r, err := s.Test(-0.1, stat.Greater)
	if err != nil {
		panic(err)
	}
	fmt.Printf("10 points: t = %.2f, constrained t = %.2f, p = %.3f\n", r.T, r.Constrained, r.P)
	lower, upper, err := s.Bounds(0.05)
	if err != nil {
		panic(err)
	}
	fmt.Printf("the difference is above %.3f, and below %.3f\n", lower, upper)
	// Output:
	// 10 points: t = 2.79, constrained t = 1.92, p = 0.031
	// the difference is above -0.084, and below 0.084
}
