package across

import (
	"slices"

	"github.com/learnbench/learnbench/internal/catalogue"
	"github.com/learnbench/learnbench/learntest/stat"
)

// A PairOutcome is the result of a [PairTest] of one pair of learners.
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
	Doc  string // one sentence: its null hypothesis and its assumptions

	// Run tests candidate a against baseline b, one score a data set each; alt
	// is about a − b.
	Run func(a, b []float64, alt stat.Alternative) (PairOutcome, error)
}

// pairTest returns a test with its options as one of [PairTests].
func pairTest[R interface{ outcome() PairOutcome }, O any](name, doc string,
	test func(a, b []float64, alt stat.Alternative, opt O) (R, error), opt O,
) PairTest {
	return PairTest{name, doc, func(a, b []float64, alt stat.Alternative) (PairOutcome, error) {
		r, err := test(a, b, alt, opt)
		return r.outcome(), err
	}}
}

func (r SignResult) outcome() PairOutcome {
	return PairOutcome{r.Statistic, r.P, r.Exact, r.Warnings}
}

func (r SignedRankResult) outcome() PairOutcome {
	return PairOutcome{r.Statistic, r.P, r.Exact, r.Warnings}
}

// PairTests returns the tests for pairs of learners, the default first. Their statistics
// are normal deviates.
func PairTests() []PairTest { return slices.Concat(signedRankTests(), signTests()) }

// Lookup returns the test of [PairTests] with the given name. For an unknown name the error
// wraps [ErrUnknown], suggests the nearest name and lists all.
func Lookup(name string) (PairTest, error) {
	return catalogue.Lookup(ErrUnknown, PairTests(), func(t PairTest) string { return t.Name }, name)
}

// MustLookup is [Lookup] for names that are known to exist. It panics on any other name.
func MustLookup(name string) PairTest { return catalogue.Must(Lookup(name)) }
