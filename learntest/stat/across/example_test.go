package across_test

import (
	"fmt"

	"github.com/learnbench/learnbench/learntest/stat"
	"github.com/learnbench/learnbench/learntest/stat/across"
	"github.com/learnbench/learnbench/learntest/stat/adjust"
	"github.com/learnbench/learnbench/learntest/unit"
)

// Accuracies of three learners on ten data sets.
var accuracies = [][]float64{
	{0.984, 0.980, 0.964},
	{0.783, 0.734, 0.712},
	{0.937, 0.967, 0.971},
	{0.507, 0.528, 0.511},
	{0.864, 0.846, 0.862},
	{0.643, 0.632, 0.511},
	{0.716, 0.743, 0.706},
	{0.912, 0.909, 0.892},
	{0.994, 0.925, 0.879},
	{0.987, 1.000, 0.746},
}

func column(j int) []float64 {
	var c []float64
	for _, row := range accuracies {
		c = append(c, row[j])
	}
	return c
}

func ExampleSignedRank() {
	r, err := across.SignedRank(column(1), column(2), stat.TwoSided, across.SignedRankOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%d data sets, W+ = %v, W- = %v, p = %.4f, exact: %v\n", r.DataSets, r.WPlus,
		r.WMinus, r.P, r.Exact)
	// Output:
	// 10 data sets, W+ = 51.5, W- = 3.5, p = 0.0117, exact: true
}

func ExampleSignTest() {
	r, err := across.SignTest(column(1), column(2), stat.TwoSided, across.SignOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%d wins, %d losses, %d ties, p = %.4f\n", r.Wins, r.Losses, r.Ties, r.P)
	// Output:
	// 8 wins, 2 losses, 0 ties, p = 0.1094
}

func ExamplePairwise() {
	shaffer, err := adjust.Lookup("shaffer")
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := across.Pairwise(accuracies, across.PairwiseOptions{Adjust: shaffer})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, p := range r.Pairs {
		fmt.Printf("%d against %d: %d-%d, p = %.4f, adjusted %.4f\n", p.I, p.J, p.Wins, p.Losses,
			p.P, p.Adjusted)
	}
	// Output:
	// 0 against 1: 6-4, p = 0.8457, adjusted 0.8457
	// 0 against 2: 8-2, p = 0.0469, adjusted 0.0469
	// 1 against 2: 8-2, p = 0.0117, adjusted 0.0352
}

func ExamplePoolDependence() {
	r, err := across.PoolDependence(accuracies, unit.Higher, 0, 2, 0.05)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, size := range r.Sizes {
		fmt.Printf("with %d other learners: significant in %v pools\n", size.Others, size)
	}
	// Output:
	// with 0 other learners: significant in 0/1 pools
	// with 1 other learners: significant in 0/1 pools
}

func ExampleBayesSign() {
	r, err := across.BayesSign(column(1), column(2), across.BayesSignOptions{Rope: 0.01})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("worse %.3f, equivalent %.3f, better %.3f\n", r.P.Worse, r.P.Rope, r.P.Better)
	// Output:
	// worse 0.004, equivalent 0.019, better 0.977
}

// The first question is whether any of the learners differ.
func ExampleFriedman() {
	r, err := across.Friedman(accuracies, unit.Higher)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("mean ranks %.2f\n", r.MeanRanks)
	fmt.Printf("chi-squared %.2f, p = %.4f; F = %.2f, p = %.4f\n", r.ChiSquared.Statistic,
		r.ChiSquared.P, r.ImanDavenport.Statistic, r.ImanDavenport.P)
	// Output:
	// mean ranks [1.60 1.80 2.60]
	// chi-squared 5.60, p = 0.0608; F = 3.50, p = 0.0520
}

// Learners 1 and 2 against learner 0: two comparisons to adjust for rather than three.
func ExampleVersusControl() {
	r, err := across.VersusControl(accuracies, 0, stat.TwoSided, across.PairwiseOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Test, r.Adjust)
	for _, p := range r.Pairs {
		fmt.Printf("%d against %d: %d wins, %d losses, median %+.4f, p = %.4f, adjusted %.4f\n", p.I, p.J,
			p.Wins, p.Losses, p.Median, p.P, p.Adjusted)
	}
	// Output:
	// signed-rank holm
	// 1 against 0: 4 wins, 6 losses, median -0.0035, p = 0.8457, adjusted 0.8457
	// 2 against 0: 2 wins, 8 losses, median -0.0200, p = 0.0469, adjusted 0.0938
}

// Differences of less than a percentage point do not matter.
func ExampleBayesSignedRank() {
	r, err := across.BayesSignedRank(column(0), column(2), across.BayesSignedRankOptions{Rope: 0.01})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("worse %.2f, within the rope %.2f, better %.2f\n", r.P.Worse, r.P.Rope, r.P.Better)
	// Output:
	// worse 0.01, within the rope 0.03, better 0.97
}
