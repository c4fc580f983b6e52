package learntest

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/learnbench/learnbench/learntest/dataset/uci"
	"github.com/learnbench/learnbench/learntest/learner/baseline"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/verdict"
)

// What is predicted is in the header where it is a column, and in the verdict.
func TestTargetIsSaid(t *testing.T) {
	t.Parallel()
	cfg := Config{Protocol: split.CV(1, 2)}
	b := mustRun(t, uci.Iris(), cfg, Classifier(baseline.Majority()))
	assert.Equal(t, "class 150 3 Iris-setosa=50 Iris-versicolor=50 Iris-virginica=50", b.Header.Target)
	again := Classifier(baseline.Majority())
	again.Name = "again"
	v := CompareWith(newRecorder(t), cfg, uci.Iris(), Classifier(baseline.Majority()), again).Judge(verdict.Claim{})
	assert.Contains(t, v.String(), "\n  data           iris, 150 examples, class class (Iris-setosa 50, Iris-versicolor 50, Iris-virginica 50), sha256 5097526e53af\n")

	numeric := mustRun(t, rents(t), cfg, Regressor(baseline.Mean()))
	assert.Equal(t, "rent 60 0", numeric.Header.Target)

	paid := mustRun(t, payments(t), cfg, above(func(train Sample[payment, bool], i int) bool { return train.Label(i) }))
	assert.Equal(t, "fraud 9 2 false=6 true=3", paid.Header.Target)
	own := mustRun(t, numbers(20), cfg, constant("a", true))
	assert.Empty(t, own.Header.Target, "labels of no column")
}
