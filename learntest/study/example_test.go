package study_test

import (
	"errors"
	"fmt"

	"github.com/learnbench/learnbench/learntest/study"
)

// A study is looked up and run; this one is not, since even a small one takes seconds.
func ExampleLookup() {
	s, err := study.Lookup("replicability")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(s.Doc)
	_, err = study.Lookup("replicabilty")
	fmt.Println(errors.Is(err, study.ErrConfig))
	// Output:
	// estimates of replicability, the probability that a rerun agrees, and the sequential rule, for the corrected test of 10×10 cross-validation
	// true
}

// A source in which the second attribute depends on the first one.
func ExampleParseNetwork() {
	n, err := study.ParseNetwork("small.txt", `
network small
class: 0.5
a1 | class: 0.25 0.75
a2 | class a1: 0.1 0.2 0.3 0.4
`)
	if err != nil {
		fmt.Println(err)
		return
	}
	table, err := n.Table("drawn", 1000, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(table.Len(), table.NumAttributes(), table.NumClasses())

	_, err = study.ParseNetwork("small.txt", "network small\nclass: 1.5\n")
	fmt.Println(err)
	// Output:
	// 1000 3 2
	// not a network: small.txt:2:8: "1.5" is not a probability, which is between 0 and 1
}
