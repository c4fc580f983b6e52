package stat_test

import (
	"fmt"
	"log"

	"github.com/learnbench/learnbench/learntest/stat"
)

// vehicleDifferences are differences of accuracy of two learners in two runs of
// five-fold cross-validation.
func vehicleDifferences() stat.Differences {
	return stat.Differences{
		Runs: 2, Folds: 5, Scale: 0.8,
		X: []float64{
			0.0235, 0.0118, 0.0353, 0.0000, 0.0238,
			0.0118, 0.0471, 0.0235, 0.0119, 0.0118,
		},
	}
}

func ExampleCorrectedCVTTest() {
	r, err := stat.CorrectedCVTTest(vehicleDifferences(), stat.TwoSided)
	if err != nil {
		log.Fatal(err)
	}
	lo, hi := r.Interval(0.95)
	fmt.Printf("difference %.4f, 95%% interval %.4f to %.4f\n", r.Estimate, lo, hi)
	fmt.Printf("t = %.2f, df = %g, p = %.3f\n", r.Statistic, r.DF, r.P)
	// Output:
	// difference 0.0200, 95% interval 0.0018 to 0.0383
	// t = 2.48, df = 9, p = 0.035
}

func ExampleDetectableDifference() {
	d, err := stat.DetectableDifference(vehicleDifferences(), 0.05, 0.8)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("a difference of %.4f would have been found in 80%% of cases\n", d)
	// Output:
	// a difference of 0.0254 would have been found in 80% of cases
}

// retestedDifferences are those of six runs of three folds.
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
	p, err := stat.Retest{Test: test, Runs: 3, Alpha: 0.05}.Predict(retestedDifferences())
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
	p, err := stat.Retest{Test: test, Runs: 2, Alpha: 0.05}.Pooled(retestedDifferences(), 1000, 1)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("R = %.2f from %d runs\n", p.R, p.N)
	// Output:
	// R = 0.35 from 6 runs
}

func ExampleRetest_Count() {
	test := stat.Tests()[0]
	c, err := stat.Retest{Test: test, Runs: 2, Alpha: 0.05}.Count(retestedDifferences(), 3)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d of %d repeats reject: R = %.2f, shows 0.9: %v\n", c.Rejections, c.Repeats, c.R, c.Shows(0.9))
	// Output:
	// 2 of 3 repeats reject: R = 0.33, shows 0.9: false
}

func ExampleRetest_Adaptive() {
	test := stat.Tests()[0]
	q := stat.Retest{Test: test, Runs: 3, Alpha: 0.05}
	c, err := q.Adaptive(retestedDifferences(), stat.Rule{Required: 0.9})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%v after %d runs; next look at %d, budget %d, probably decided by %d\n", c.Answer, c.Looked, c.Next, c.Budget, c.Enough)
	// Output:
	// undecided after 6 runs; next look at 9, budget 30, probably decided by 33
}

func ExampleReplicability() {
	// The test was repeated on ten random partitions and rejected on eight.
	r, err := stat.Replicability(8, 10)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("R = %.3f, consistent: %v, almost: %v\n", r, stat.Consistent(8, 10), stat.AlmostConsistent(8, 10))
	// Output:
	// R = 0.644, consistent: false, almost: false
}

func ExampleLookup() {
	test, err := stat.Lookup("b03-folds-averaged-var")
	if err != nil {
		log.Fatal(err)
	}
	r, err := test.Run(vehicleDifferences(), stat.Greater)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s\np = %.3f\n", test.Doc, r.P)
	fmt.Println(test.Design(1, 10))
	// Output:
	// Bouckaert 2003: average of the variances inside of runs
	// p = 0.150
	// test does not fit the design: b03-folds-averaged-var cannot be applied to 1 runs of 10 folds
}

func ExampleTest_Equivalence() {
	e, err := stat.MustLookup("corrected-cv-t").Equivalence(vehicleDifferences(), -0.05, 0.05)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("within 5 points: p = %.3f\n", e.P)
	// Output:
	// within 5 points: p = 0.002
}

func ExampleTest_Against() {
	// Non-inferiority by a test with the variance of one's choice.
	r, err := stat.UseAllData.Calibrated(5).Against(vehicleDifferences(), -0.01, stat.Greater)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("less than one point worse: p = %.4f\n", r.P)
	// Output:
	// less than one point worse: p = 0.0015
}

func ExampleBayesianCorrelatedT() {
	p, err := stat.BayesianCorrelatedT(vehicleDifferences(), 0.01)
	if err != nil {
		log.Fatal(err)
	}
	lo, hi := p.HDI(0.95)
	fmt.Printf("worse %.3f, equivalent %.3f, better %.3f\n", p.Worse, p.Equivalent, p.Better)
	fmt.Printf("95%% HDI %.4f to %.4f\n", lo, hi)
	// Output:
	// worse 0.002, equivalent 0.120, better 0.878
	// 95% HDI 0.0018 to 0.0383
}

func ExamplePartitionSufficiency() {
	s, err := stat.PartitionSufficiency([]float64{2.9, 3.4, 2.5, 3.1, 3.8, 2.7}, 9, 0.025, 0.05)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("mean t %.2f: %v\n", s.MeanT, s.Conclusion)
	// Output:
	// mean t 3.07: candidate better
}

// The tests that apply to five runs of two folds, on the same differences. Naive ones are
// there to show what they do.
func ExampleTests() {
	d := stat.Differences{
		Runs: 5, Folds: 2, Ratio: 1, Scale: 0.8,
		X: []float64{0.031, 0.017, 0.041, -0.010, 0.029, 0.030, 0.018, 0.053, 0.009, 0.021},
	}
	for _, test := range stat.Tests() {
		if test.Design(d.Runs, d.Folds) != nil {
			continue
		}
		r, err := test.Run(d, stat.TwoSided)
		if err != nil {
			fmt.Println(test.Name, err)
			continue
		}
		naive := ""
		if test.Naive {
			naive = ", naive"
		}
		fmt.Printf("%s: p = %.4f%s\n", test.Name, r.P, naive)
	}
	// Output:
	// corrected-cv-t: p = 0.2220
	// corrected-resampled-t: p = 0.2220
	// 5x2cv-t: p = 0.1893
	// 5x2cv-f: p = 0.2262
	// averaged-t: p = 0.0470
	// averaged-5x2cv-t: p = 0.1893
	// permutation: p = 0.0059, naive
	// paired-t: p = 0.0018, naive
	// b03-use-all-data: p = 0.0018, naive
	// b03-folds: p = 0.0038
	// b03-folds-averaged-var: p = 0.0589
	// b03-runs: p = 0.0452
	// b03-runs-averaged-var: p = 0.3163
	// b03-sorted-runs: p = 0.2812
	// b03-sorted-runs-averaged-var: p = 0.2404
	// b03-folds-averaged-t: p = 0.0470
	// b03-runs-averaged-t: p = 0.0271
	// b03-sorted-runs-averaged-t: p = 0.0138
}
