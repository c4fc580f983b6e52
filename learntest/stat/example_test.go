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

// retestedDifferences are differences of six runs of three folds.
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

// The tests that apply to five runs of two folds, on the same differences. Naive ones are
// listed for comparison.
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
