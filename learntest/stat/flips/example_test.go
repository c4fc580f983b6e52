package flips_test

import (
	"fmt"

	"github.com/learnbench/learnbench/learntest/stat/flips"
)

func Example() {
	truth := []int{0, 0, 1, 1, 1}
	before := []int{0, 1, 1, 1, 0}
	after := []int{1, 0, 1, 1, 0}
	var t flips.Tally
	if err := t.Add(truth, before, after); err != nil {
		panic(err)
	}
	c := t.Sum()
	fmt.Printf("%d turned wrong, %d turned right\n", c.RightToWrong, c.WrongToRight)
	fmt.Printf("negative flip rate %.0f%%, oracle %.0f%%\n", 100*c.NegativeRate(), 100*c.Oracle())
	// Output:
	// 1 turned wrong, 1 turned right
	// negative flip rate 20%, oracle 80%
}
