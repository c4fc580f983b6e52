package assert_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/learnbench/learnbench/assert"
	"github.com/learnbench/learnbench/learntest"
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/dataset/uci"
	"github.com/learnbench/learnbench/learntest/learner/c45"
	"github.com/learnbench/learnbench/learntest/learner/naivebayes"
	"github.com/learnbench/learnbench/learntest/learner/neighbor"
	"github.com/learnbench/learnbench/learntest/stat/adjust"
)

// The learners that the examples compare.
var (
	nearest = learntest.FromClassifier(neighbor.New(neighbor.Config{}))
	bayes   = learntest.FromClassifier(naivebayes.New(naivebayes.Config{}))
	tree    = learntest.FromClassifier(c45.New(c45.Config{}))
	small   = learntest.FromClassifier(c45.New(c45.Config{MinLeaf: 5}))
)

// A testT stands for the *testing.T of a test. Of logs and failures it prints as many
// lines as its number says, and all if it is 0; never the progress that slow machines report.
type testT int

func (testT) Helper()                  {}
func (testT) Name() string             { return "TestNearest" }
func (testT) Context() context.Context { return context.Background() }
func (testT) Cleanup(func())           {}

func (t testT) Logf(format string, args ...any) {
	lines := strings.Split(fmt.Sprintf(format, args...), "\n")
	if t > 0 {
		lines = lines[:min(int(t), len(lines))]
	}
	if !strings.Contains(lines[0], " trials after ") {
		fmt.Println(strings.Join(lines, "\n"))
	}
}

// Errorf leaves out where the claim is made, which is first in what a test prints.
func (t testT) Errorf(format string, args ...any) {
	_, text, _ := strings.Cut(fmt.Sprintf(format, args...), "Error:")
	t.Logf("%s", strings.ReplaceAll(strings.TrimSpace(text), "\n\t            \t", "\n"))
}

func (t testT) Fatalf(format string, args ...any) { panic(fmt.Sprintf(format, args...)) }

// TestMain keeps the comparisons of the examples unchanged, under -short and with any
// variables. LEARNTEST_UPDATE writes testdata/pinned.txt.
func TestMain(m *testing.M) {
	flag.Parse()
	if err := flag.Set("test.short", "false"); err != nil {
		panic(err)
	}
	for _, kv := range os.Environ() {
		if name, _, _ := strings.Cut(kv, "="); strings.HasPrefix(name, "LEARNTEST_") &&
			name != "LEARNTEST_UPDATE" {
			if err := os.Unsetenv(name); err != nil {
				panic(err)
			}
		}
	}
	os.Exit(m.Run())
}

// A claim that holds logs its facts, for go test -v.
func ExampleImproves() {
	var t testT // in a test, t *testing.T
	c := learntest.Compare(t, uci.Vehicle(), nearest, bayes)
	assert.Improves(t, c, assert.Gain(0.05), assert.Replicability(0.9))
	// Output:
	// nn is 24.42 points better than naivebayes on vehicle in accuracy, 95% interval +20.27 to +28.58 points, p = 2.6e-20
	// nn is 24.42 points better than naivebayes on vehicle in accuracy, more than 5.00 points required: holds on this data set
	//   accuracy       nn 69.60%, naivebayes 45.17%
	//   difference     +24.42 points, 95% interval +20.27 to +28.58 points, p = 2.6e-20
	//   gain           more than 5.00 points better: shown, 95% interval +20.27 to +28.58 points, p = 4.1e-15 (it takes 0.05 or less)
	//   test           corrected-cv-t, n = 10×10, t = 11.67, df = 99
	//   rerun          the claim holds again with probability > 0.999; replicability > 0.999, predicted from 10 runs
	//   detectable     a difference of 5.92 points beyond the gain with 80% power
	//   protocol       cv runs=10 folds=10 stratified seed=1 v1
	//   data           vehicle, 846 examples, class Class (opel 212, saab 217, bus 218, van 199), sha256 ff814f2c1d97
	//   reproduce      go test -count=1 -run '^TestNearest$' github.com/learnbench/learnbench/assert
}

// A claim that does not hold fails the test, with all that is known.
func ExampleImproves_failure() {
	var t testT // in a test, t *testing.T
	c := learntest.Compare(t, uci.Iris(), nearest, bayes)
	assert.Improves(t, c, assert.Message("nearest is to replace bayes"))
	// Output:
	// nn is 0.20 points worse than naivebayes on iris in accuracy, 95% interval -2.60 to +2.20 points, p = 0.869
	// Claim does not hold: nn is 0.20 points worse than naivebayes on iris in accuracy: inconclusive; no significant improvement
	//   accuracy       nn 95.60%, naivebayes 95.80%
	//   difference     -0.20 points, 95% interval -2.60 to +2.20 points, p = 0.869
	//   test           corrected-cv-t, n = 10×10, t = -0.1653, df = 99
	//   rerun          the claim fails again with probability > 0.999; replicability > 0.999, predicted from 10 runs
	//   detectable     a difference of 3.42 points with 80% power
	//   protocol       cv runs=10 folds=10 stratified seed=1 v1
	//   data           iris, 150 examples, class class (Iris-setosa 50, Iris-versicolor 50, Iris-virginica 50), 3.3% of test examples have a copy in training, sha256 5097526e53af
	//   reproduce      go test -count=1 -run '^TestNearest$' github.com/learnbench/learnbench/assert
	//   help           with these data the test finds a difference of 3.42 points in 80% of cases, and smaller ones less often
	// 	Test:       	TestNearest
	// 	Messages:   	nearest is to replace bayes
}

// Smaller trees may lose accuracy, but less than two percentage points. The margin of
// another metric is in the unit of that.
func ExampleNoRegression() {
	t := testT(2) // in a test, t *testing.T
	c := learntest.Compare(t, uci.PimaDiabetes(), small, tree)
	assert.NoRegression(t, c, assert.Margin(0.02))
	// Output:
	// c45(minleaf=5) is on a par with c45 on pima-diabetes in accuracy, 95% interval -1.60 to +1.60 points, p = 1.000
	// c45(minleaf=5) is on a par with c45 on pima-diabetes in accuracy, 2.00 points allowed: holds on this data set
	//   accuracy       c45(minleaf=5) 74.58%, c45 74.58%
}

// Not to be significantly different is not to be equivalent: that takes data that rule out
// a difference in either direction.
func ExampleEquivalent() {
	t := testT(2) // in a test, t *testing.T
	c := learntest.Compare(t, uci.PimaDiabetes(), small, tree)
	assert.Equivalent(t, c, assert.Margin(0.02))
	assert.Equivalent(t, c, assert.Margin(0.005))
	// Output:
	// c45(minleaf=5) is on a par with c45 on pima-diabetes in accuracy, 95% interval -1.60 to +1.60 points, p = 1.000
	// c45(minleaf=5) is on a par with c45 on pima-diabetes in accuracy, 2.00 points allowed: holds on this data set
	//   accuracy       c45(minleaf=5) 74.58%, c45 74.58%
	// Claim does not hold: c45(minleaf=5) is on a par with c45 on pima-diabetes in accuracy, 0.50 points allowed: inconclusive; a difference of more than 0.50 points was not ruled out
	//   accuracy       c45(minleaf=5) 74.58%, c45 74.58%
}

// The test is to agree with itself on other partitions, with either answer.
func ExampleReplicable() {
	t := testT(2) // in a test, t *testing.T
	c := learntest.Compare(t, uci.Sonar(), nearest, bayes)
	assert.Replicable(t, c, 0.9)
	// Output:
	// nn is 18.25 points better than naivebayes on sonar in accuracy, 95% interval +9.70 to +26.80 points, p = 5.2e-05
	// nn is 18.25 points better than naivebayes on sonar in accuracy: holds on this data set
	//   accuracy       nn 86.04%, naivebayes 67.80%
}

// A candidate against a pinned reference, which stays where it is while changes add up.
func ExampleWithinBudget() {
	t := testT(0) // in a test, t *testing.T
	nearest := learntest.FromClassifier(neighbor.New(neighbor.Config{K: 5}))
	nearest.Name = "nearest" // its name when the file was written
	c := learntest.Against(t, uci.Iris(), nearest, "testdata/pinned.txt")
	assert.WithinBudget(t, c, 0.03)
	// Output:
	// baseline testdata/pinned.txt: nearest at 26b3533c414b, 2026-11-22T06:13:26+00:00, 10 runs, TestNearest, github.com/learnbench/learnbench/assert, go1.26.8 linux/amd64
	// nearest now is 0.07 points worse than nearest at 26b3533c414b on iris in accuracy, 95% interval -1.86 to +1.72 points, p = 0.941
	// nearest now is 0.07 points worse than nearest at 26b3533c414b on iris in accuracy, of a budget of 3.00 points: holds on this data set
	//   accuracy       nearest now 95.53%, nearest at 26b3533c414b 95.60%
	//   difference     -0.07 points, 95% interval -1.86 to +1.72 points, p = 0.941
	//   margin         less than 3.00 points worse: shown, 90% interval -2.04 to +1.91 points, p = 0.011 (it takes 0.05 or less)
	//   budget         0.07 of 3.00 points used, at most 2.05 points (95% confidence)
	//   test           corrected-cv-t, n = 10×10, t = -0.07385, df = 99
	//   detectable     a margin of 2.74 points with 80% power, if there is no difference
	//   protocol       cv runs=10 folds=10 stratified seed=1 v1
	//   data           iris, 150 examples, class class (Iris-setosa 50, Iris-versicolor 50, Iris-virginica 50), 3.3% of test examples have a copy in training, sha256 5097526e53af
	//   reproduce      go test -count=1 -run '^TestNearest$' github.com/learnbench/learnbench/assert
}

// A stored baseline that is beaten hides losses, so that it is to be stored anew.
func ExampleBaselineIsCurrent() {
	t := testT(2) // in a test, t *testing.T
	nearest := learntest.FromClassifier(neighbor.New(neighbor.Config{}))
	nearest.Name = "nearest"
	c := learntest.Against(t, uci.Iris(), nearest, "testdata/pinned.txt")
	assert.NoRegression(t, c, assert.Margin(0.05))
	assert.BaselineIsCurrent(t, c)
	// Output:
	// baseline testdata/pinned.txt: nearest at 26b3533c414b, 2026-11-22T06:13:26+00:00, 10 runs, TestNearest, github.com/learnbench/learnbench/assert, go1.26.8 linux/amd64
	// nearest now is on a par with nearest at 26b3533c414b on iris in accuracy, 95% interval +0.00 to +0.00 points, p = 1.000
	// nearest now is on a par with nearest at 26b3533c414b on iris in accuracy, 5.00 points allowed: holds; both have the same accuracy in every fold
	//   accuracy       nearest now 95.60%, nearest at 26b3533c414b 95.60%
	// nearest now is on a par with nearest at 26b3533c414b on iris in accuracy: holds; both have the same accuracy in every fold
	//   accuracy       nearest now 95.60%, nearest at 26b3533c414b 95.60%
}

// A claim about several data sets, whose p-values are adjusted for their number.
func ExampleFamily() {
	t := testT(2) // in a test, t *testing.T
	var f assert.Family
	for _, d := range []*dataset.Table{uci.Sonar(), uci.Glass()} {
		f = append(f, learntest.Compare(t, d, nearest, bayes))
	}
	assert.Improves(t, f)
	assert.Improves(t, f, assert.Adjust(adjust.MustLookup("hommel")), assert.Gain(0.12))
	// Output:
	// nn is 18.25 points better than naivebayes on sonar in accuracy, 95% interval +9.70 to +26.80 points, p = 5.2e-05
	// nn is 20.14 points better than naivebayes on glass in accuracy, 95% interval +12.43 to +27.84 points, p = 1.1e-06
	// nn is 18.25 points better than naivebayes on sonar in accuracy: holds on this data set
	//   accuracy       nn 86.04%, naivebayes 67.80%
	// nn is 20.14 points better than naivebayes on glass in accuracy: holds on this data set
	//   accuracy       nn 67.88%, naivebayes 47.74%
	// Claim does not hold: nn is 18.25 points better than naivebayes on sonar in accuracy, more than 12.00 points required: improved on this data set; a gain of more than 12.00 points was not shown
	//   accuracy       nn 86.04%, naivebayes 67.80%
}
