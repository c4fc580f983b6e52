package replicate_test

import (
	"fmt"
	"log"

	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/replicate"
)

func retestedDifferences() stat.Differences {
	return stat.Differences{
		Runs: 6, Folds: 3, Scale: 0.8,
		X: []float64{
			0.031, 0.017, 0.041, 0.010, 0.029, 0.030, 0.018, 0.053, 0.029,
			0.021, 0.018, 0.050, 0.032, 0.024, 0.027, 0.037, 0.015, 0.036,
		},
	}
}

func ExampleRetest_Predict() {
	test := stat.Tests()[0]
	p, err := replicate.Retest{Test: test, Runs: 3, Alpha: 0.05}.Predict(retestedDifferences())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("a rerun on other partitions agrees with probability %.2f\n", p.P)
	fmt.Printf("R = %.2f, from %d runs between %.2f and %.2f\n", p.R, p.N, p.Lo, p.Hi)
	// Output:
	// a rerun on other partitions agrees with probability 0.93
	// R = 0.89, from 6 runs between 0.56 and 1.00
}

func ExampleRetest_Pooled() {
	test, err := stat.Lookup("b03-sorted-runs")
	if err != nil {
		log.Fatal(err)
	}
	p, err := replicate.Retest{Test: test, Runs: 2, Alpha: 0.05}.Pooled(retestedDifferences(), 1000, 1)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("R = %.2f from %d runs\n", p.R, p.N)
	// Output:
	// R = 0.35 from 6 runs
}

func ExampleRetest_Count() {
	test := stat.Tests()[0]
	c, err := replicate.Retest{Test: test, Runs: 2, Alpha: 0.05}.Count(retestedDifferences(), 3)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d of %d repeats reject: R = %.2f, shows 0.9: %v\n", c.Rejections, c.Repeats,
		c.R, c.Shows(0.9))
	// Output:
	// 2 of 3 repeats reject: R = 0.33, shows 0.9: false
}

func ExampleRetest_Adaptive() {
	test := stat.Tests()[0]
	q := replicate.Retest{Test: test, Runs: 3, Alpha: 0.05}
	c, err := q.Adaptive(retestedDifferences(), replicate.Rule{Required: 0.9})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%v after %d runs; next look at %d, budget %d, probably decided by %d\n", c.Answer,
		c.Looked, c.Next, c.Budget, c.Enough)
	// Output:
	// undecided after 6 runs; next look at 9, budget 30, probably decided by 33
}

func ExampleReplicability() {
	// The test was repeated on ten random partitions and rejected on eight.
	r, err := replicate.Replicability(8, 10)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("R = %.3f, consistent: %v\n", r, replicate.Consistent(8, 10))
	// Output:
	// R = 0.644, consistent: false
}

func ExamplePartitionSufficiency() {
	s, err := replicate.PartitionSufficiency([]float64{2.9, 3.4, 2.5, 3.1, 3.8, 2.7}, 9, 0.025, 0.05)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("mean t %.2f: %v\n", s.MeanT, s.Conclusion)
	// Output:
	// mean t 3.07: candidate better
}
