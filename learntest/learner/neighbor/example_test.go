package neighbor_test

import (
	"fmt"

	"github.com/learnbench/learnbench/learntest/dataset/uci"
	"github.com/learnbench/learnbench/learntest/learner"
	"github.com/learnbench/learnbench/learntest/learner/neighbor"
)

func ExampleNew() {
	vote := uci.Vote()
	var train []int
	for i := 10; i < vote.Len(); i++ {
		train = append(train, i)
	}
	c := neighbor.New(neighbor.Config{K: 3, Weighting: neighbor.Inverse})
	model, err := c.Fit(vote, train, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer model.Close()
	dist := make([]float64, vote.NumClasses())
	right := 0
	for row := range 10 {
		model.Distribution(vote, row, dist)
		if learner.Best(dist) == vote.Class(row) {
			right++
		}
	}
	fmt.Printf("%s: %d of 10 right\n", c.Name(), right)
	// Output:
	// nn(k=3,weighting=inverse): 9 of 10 right
}
