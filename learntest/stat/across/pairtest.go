package across

import (
	"fmt"
	"strings"

	"github.com/learnbench/learnbench/learntest/stat"
)

// A PairOutcome is what a [PairTest] finds about one pair of learners.
type PairOutcome struct {
	Statistic float64
	P         float64
	Exact     bool // P is exact
	Warnings  []error
}

// A PairTest is a test of two learners over several data sets whose outcome
// depends on those two alone, as a value that can be named.
type PairTest struct {
	Name string // as in "signed-rank"
	Doc  string // one sentence: what it tests and what it assumes

	// Run tests candidate a against baseline b, one score a data set each; alt
	// is about a − b.
	Run func(a, b []float64, alt stat.Alternative) (PairOutcome, error)
}

// PairTests returns the tests that pairs can be compared by, the default
// first. The statistics are normal deviates.
func PairTests() []PairTest {
	signedRank := func(opt SignedRankOptions) func(a, b []float64, alt stat.Alternative) (PairOutcome, error) {
		return func(a, b []float64, alt stat.Alternative) (PairOutcome, error) {
			r, err := SignedRank(a, b, alt, opt)
			return PairOutcome{r.Statistic, r.P, r.Exact, r.Warnings}, err
		}
	}
	sign := func(opt SignOptions) func(a, b []float64, alt stat.Alternative) (PairOutcome, error) {
		return func(a, b []float64, alt stat.Alternative) (PairOutcome, error) {
			r, err := SignTest(a, b, alt, opt)
			return PairOutcome{r.Statistic, r.P, r.Exact, r.Warnings}, err
		}
	}
	return []PairTest{
		{
			"signed-rank",
			"exact Wilcoxon signed-rank test without zeros; assumes symmetric, comparable differences",
			signedRank(SignedRankOptions{}),
		},
		{
			"signed-rank-pratt",
			"exact signed-rank test, zeros ranked and left out; same assumptions",
			signedRank(SignedRankOptions{Zeros: PrattZeros}),
		},
		{
			"signed-rank-normal",
			"signed-rank test by the normal approximation, as most papers have it; same assumptions",
			signedRank(SignedRankOptions{Null: Normal}),
		},
		{
			"sign",
			"exact sign test without ties; assumes no more than independent data sets",
			sign(SignOptions{}),
		},
		{
			"sign-split",
			"exact sign test, ties split evenly; assumes no more than independent data sets",
			sign(SignOptions{Ties: SplitTies}),
		},
		{
			"sign-normal",
			"sign test by the normal approximation; assumes no more than independent data sets",
			sign(SignOptions{Null: Normal}),
		},
	}
}

// LookupPairTest returns the test of the given name. The error, an
// [ErrUnknownTest], lists the names that there are.
func LookupPairTest(name string) (PairTest, error) {
	tests := PairTests()
	names := make([]string, len(tests))
	for i, t := range tests {
		if t.Name == name {
			return t, nil
		}
		names[i] = t.Name
	}
	return PairTest{}, fmt.Errorf("%w %q; there are %s", ErrUnknownTest, name, strings.Join(names, ", "))
}
