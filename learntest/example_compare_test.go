package learntest_test

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/learnbench/learnbench/assert"
	"github.com/learnbench/learnbench/learntest"
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/dataset/uci"
	"github.com/learnbench/learnbench/learntest/learner/baseline"
	"github.com/learnbench/learnbench/learntest/learner/naivebayes"
	"github.com/learnbench/learnbench/learntest/learner/neighbor"
	"github.com/learnbench/learnbench/learntest/learner/ols"
	"github.com/learnbench/learnbench/learntest/metric"
	"github.com/learnbench/learnbench/learntest/split"
	"gonum.org/v1/gonum/floats"
)

// A testT stands for the *testing.T of a test. It prints the first line of each log entry, but for
// the progress that slow machines report.
type testT struct{}

func (testT) Helper()                  {}
func (testT) Name() string             { return "TestNearest" }
func (testT) Context() context.Context { return context.Background() }
func (testT) Cleanup(func())           {}

func (testT) Logf(format string, args ...any) {
	first, _, _ := strings.Cut(fmt.Sprintf(format, args...), "\n")
	if !strings.Contains(first, " trials after ") {
		fmt.Println(first)
	}
}

// Errorf leaves out where the claim is made, which is first in what a test prints.
func (t testT) Errorf(format string, args ...any) {
	_, text, _ := strings.Cut(fmt.Sprintf(format, args...), "Error:")
	t.Logf("%s", strings.TrimSpace(text))
}

func (testT) Fatalf(format string, args ...any) { panic(fmt.Sprintf(format, args...)) }

// A test compares two learners and makes claims about the comparison.
func ExampleCompare() {
	var t testT // in a test, t *testing.T
	nearest := learntest.FromClassifier(neighbor.New(neighbor.Config{}))
	bayes := learntest.FromClassifier(naivebayes.New(naivebayes.Config{}))
	c := learntest.Compare(t, uci.Sonar(), nearest, bayes)
	assert.Improves(t, c)
	assert.NoRegression(t, c, assert.Margin(0.005))
	// Output:
	// nn is 18.25 points better than naivebayes on sonar in accuracy, 95% interval +9.70 to +26.80 points, p = 5.2e-05
	// nn is 18.25 points better than naivebayes on sonar in accuracy: holds on this data set
	// nn is 18.25 points better than naivebayes on sonar in accuracy, 0.50 points allowed: holds on this data set
}

// Another protocol, and metrics other than accuracy. The first one is what claims are about
// that name none.
func ExampleCompareWith() {
	var t testT // in a test, t *testing.T
	five := learntest.FromClassifier(neighbor.New(neighbor.Config{K: 5}))
	one := learntest.FromClassifier(neighbor.New(neighbor.Config{}))
	c := learntest.CompareWith(t, learntest.Config{
		Protocol: split.CV(5, 10),
		Metrics:  []metric.Metric{metric.LogLoss(), metric.Accuracy()},
	}, uci.Glass(), five, one)
	assert.Improves(t, c)
	assert.NoRegression(t, c, assert.On(metric.Accuracy()), assert.Margin(0.05))
	// Output:
	// nn(k=5) is 0.5707 better than nn on glass in logloss, 95% interval -0.9494 to -0.192, p = 0.004
	// nn(k=5) is 0.5707 better than nn on glass in logloss: holds on this data set
	// Claim does not hold: nn(k=5) is 1.68 points worse than nn on glass in accuracy, 5.00 points allowed: inconclusive; a regression by more than 5.00 points was not ruled out
}

// The baseline is trained once, and the comparisons are one family of claims.
func ExampleCompareAll() {
	var t testT // in a test, t *testing.T
	nearest := func(k int) learntest.Learner[dataset.Row, int] {
		return learntest.FromClassifier(neighbor.New(neighbor.Config{K: k}))
	}
	var f assert.Family
	for _, c := range learntest.CompareAll(t, learntest.Config{}, uci.Iris(), nearest(1), nearest(3),
		nearest(5)) {
		f = append(f, c)
	}
	assert.NoRegression(t, f, assert.Margin(0.03))
	// Output:
	// nn(k=3) is 0.20 points worse than nn on iris in accuracy, 95% interval -1.53 to +1.13 points, p = 0.766
	// nn(k=5) is 0.07 points worse than nn on iris in accuracy, 95% interval -1.86 to +1.72 points, p = 0.941
	// nn(k=3) is 0.20 points worse than nn on iris in accuracy, 3.00 points allowed: holds on this data set
	// nn(k=5) is 0.07 points worse than nn on iris in accuracy, 3.00 points allowed: holds on this data set
}

// The file was written by the same test, with LEARNTEST_UPDATE=1, and is committed. Only the
// candidate is trained.
func ExampleAgainst() {
	var t testT // in a test, t *testing.T
	nearest := learntest.FromClassifier(neighbor.New(neighbor.Config{K: 5}))
	nearest.Name = "nearest" // its name when the file was written
	c := learntest.Against(t, uci.Iris(), nearest, "testdata/example/baseline.txt")
	assert.NoRegression(t, c, assert.Margin(0.03))
	// Output:
	// baseline testdata/example/baseline.txt: nearest at 26b3533c414b, 2026-11-22T06:13:26+00:00, 10 runs, TestNearest, github.com/learnbench/learnbench/learntest, go1.26.8 linux/amd64
	// nearest now is 0.07 points worse than nearest at 26b3533c414b on iris in accuracy, 95% interval -1.86 to +1.72 points, p = 0.941
	// nearest now is 0.07 points worse than nearest at 26b3533c414b on iris in accuracy, 3.00 points allowed: holds on this data set
}

// A learner on rows of numbers learns from a table with nominal attributes.
func ExampleEncode() {
	nearest := learntest.Func("nearest", func(_ context.Context, train learntest.Sample[[]float64,
		int], _ uint64,
	) (func([]float64) int, error) {
		return func(row []float64) int {
			best, least := 0, math.Inf(1)
			for x, y := range train.All() {
				if d := floats.Distance(row, x, 1); d < least {
					best, least = y, d
				}
			}
			return best
		}, nil
	})
	encoded := learntest.Encode(dataset.Encoding{OneHot: true}, nearest)
	compare(uci.BalanceScale(), encoded, learntest.FromClassifier(baseline.Majority()),
		learntest.Config{})
	// Output:
	// nearest 78.96%, majority 45.76%: improved
}

// A model that has been trained elsewhere, on other data.
func ExamplePretrained() {
	links := learntest.Pretrained("links", func(m mail) string {
		if m.Links > 3 {
			return "spam"
		}
		return "ham"
	})
	all := learntest.Pretrained("all ham", func(mail) string { return "ham" })
	compare(mails(), links, all, learntest.Config{})
	// Output:
	// links 75.50%, all ham 50.50%: improved
}

// Numbers are predicted, and judged by the root mean squared error.
func ExampleFromRegressor() {
	var file strings.Builder
	file.WriteString("area,floor,rent\n")
	for i := range 60 {
		area, floor := 40+i, i*i%5
		fmt.Fprintf(&file, "%d,%d,%d\n", area, floor, 11*area+20*floor+i*i*i%70)
	}
	table, err := dataset.ReadCSV(strings.NewReader(file.String()), "rents.csv",
		dataset.ReadOptions{Target: "rent"})
	if err != nil {
		fmt.Println(err)
		return
	}
	rents, err := table.Regression()
	if err != nil {
		fmt.Println(err)
		return
	}
	compare(rents, learntest.FromRegressor(ols.New(ols.Config{})),
		learntest.FromRegressor(baseline.Mean()), learntest.Config{})
	// Output:
	// ols 18.61, mean 201.9: improved
}
