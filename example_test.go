package learnbench_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/learnbench/learnbench/assert"
	"github.com/learnbench/learnbench/learntest"
	"github.com/learnbench/learnbench/learntest/dataset"
	"github.com/learnbench/learnbench/learntest/dataset/uci"
	"github.com/learnbench/learnbench/learntest/learner/naivebayes"
	"github.com/learnbench/learnbench/learntest/learner/neighbor"
	"github.com/learnbench/learnbench/learntest/verdict"
)

var (
	nearest = learntest.FromClassifier(neighbor.New(neighbor.Config{}))
	bayes   = learntest.FromClassifier(naivebayes.New(naivebayes.Config{}))
)

// A test that guards a model: it fails unless the candidate is significantly
// better under 10×10 cross-validation.
func TestNearestBeatsBayes(t *testing.T) {
	c := learntest.Compare(t, uci.Vehicle(), nearest, bayes)
	assert.Improves(t, c)
	assert.NoRegression(t, c, assert.Margin(0.005))
}

// The same without a test: run the learners, keep the records, judge them.
func Example() {
	records, err := learntest.Run(context.Background(),
		[]learntest.Data[dataset.Row, int]{uci.Vehicle()},
		[]learntest.Learner[dataset.Row, int]{nearest, bayes},
		learntest.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	nn, nb := records.Of("vehicle", "nn"), records.Of("vehicle", "naivebayes")
	fmt.Println(verdict.Of(nn, nb, verdict.Claim{}))
	// Output:
	// nn is 24.42 points better than naivebayes on vehicle in accuracy: improved on this data set
	//   accuracy       nn 69.60%, naivebayes 45.17%
	//   difference     +24.42 points, 95% interval +20.27 to +28.58 points, p = 2.6e-20
	//   test           corrected-cv-t, n = 10×10, t = 11.67, df = 99
	//   rerun          significantly better again with probability > 0.999; replicability > 0.999, predicted from 10 runs
	//   detectable     a difference of 5.92 points with 80% power
	//   protocol       cv runs=10 folds=10 stratified seed=1 v1
	//   data           vehicle, 846 examples, class Class (opel 212, saab 217, bus 218, van 199), sha256 ff814f2c1d97
}
