package assert_test

import (
	"math"
	"testing"

	"github.com/learnbench/learnbench/assert"
	"github.com/learnbench/learnbench/learntest"
	"github.com/learnbench/learnbench/learntest/metric"
	"github.com/learnbench/learnbench/learntest/stat"
	testify "github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func measured(t *testing.T, n int, wrong func(x int) bool,
	metrics ...metric.Metric,
) *learntest.Comparison {
	t.Helper()
	xs, ys := make([]int, n), make([]bool, n)
	for i := range xs {
		xs[i], ys[i] = i, i%2 == 1
	}
	learner := learntest.Pretrained("parity", func(x int) bool { return x%2 == 1 != wrong(x) })
	return learntest.MeasureWith(t, learntest.Config{Metrics: metrics}, learntest.Examples("numbers",
		xs, ys), learner)
}

func TestAtLeast(t *testing.T) {
	t.Parallel()
	tenth := measured(t, 300, func(x int) bool { return x%10 == 0 }, metric.Accuracy(), metric.Error())
	r := &recorder{}
	testify.True(t, assert.AtLeast(r, tenth, 0.85))
	require.Len(t, r.logs, 1)
	testify.Contains(t, r.logs[0], "parity reaches 85.00% accuracy on numbers: shown\n")
	testify.False(t, assert.AtLeast(r, tenth, 0.89, assert.Message("release %d", 7)))
	require.Len(t, r.failures, 1)
	testify.Contains(t, r.failures[0],
		"Claim does not hold: parity reaches 89.00% accuracy on numbers: inconclusive\n")
	testify.Contains(t, r.failures[0], "at least 89.00%: not shown, at least 86.78% (one-sided 95%)")
	testify.Contains(t, r.failures[0], "release 7")
	testify.False(t, assert.AtLeast(r, tenth, 0.95))
	testify.Contains(t, r.failures[1], "refuted")

	testify.True(t, assert.AtMost(r, tenth, 0.15, assert.On(metric.Error())))
	testify.True(t, assert.AtLeast(r, tenth, 0.85, assert.SignificanceTest(stat.CorrectedCVT(0.18))))
	testify.True(t, assert.AtLeast(r, tenth, 0.86, assert.Alpha(0.1)))
	testify.True(t, assert.AtLeast(r, assert.Family{tenth, tenth}, 0.8))
	testify.False(t, assert.AtLeast(r, assert.Family{tenth, tenth}, 0.99))
}

func TestClaimsOfOneLearnerThatMakeNoSense(t *testing.T) {
	t.Parallel()
	m := measured(t, 60, func(int) bool { return false }, metric.Accuracy(), metric.Error())
	for _, c := range []struct {
		holds func(r *recorder) bool
		says  string
	}{
		{func(r *recorder) bool { return assert.AtLeast(r, m, 90) }, "90% is 0.9"},
		{func(r *recorder) bool { return assert.AtLeast(r, m, math.NaN()) }, "a threshold of NaN"},
		{func(r *recorder) bool { return assert.AtLeast(r, m, 0) }, "every learner reaches it"},
		{func(r *recorder) bool { return assert.AtLeast(r, m, 0.5) }, "a model that always predicts"},
		{
			func(r *recorder) bool { return assert.AtLeast(r, m, 0.98) },
			"no scores on 60 examples could show 98.00%",
		},
		{func(r *recorder) bool { return assert.AtMost(r, m, 0.9) }, "higher accuracy is better"},
		{
			func(r *recorder) bool { return assert.AtLeast(r, m, 0.9, assert.On(metric.Error())) },
			"lower error is better",
		},
		{
			func(r *recorder) bool { return assert.AtLeast(r, m, 0.9, assert.Margin(0.1)) },
			"takes neither a margin",
		},
		{
			func(r *recorder) bool { return assert.AtLeast(r, m, 0.9, assert.Gain(0.1)) },
			"takes neither a margin",
		},
		{
			func(r *recorder) bool { return assert.AtLeast(r, m, 0.9, assert.Bayes(0.01, 0.95)) },
			"takes neither a margin",
		},
		{
			func(r *recorder) bool { return assert.AtLeast(r, m, 0.9, assert.SecondOpinion()) },
			"takes neither a margin",
		},
		{
			func(r *recorder) bool { return assert.AtLeast(r, m, 0.9, assert.OneSided()) },
			"takes neither a margin",
		},
		{func(r *recorder) bool { return assert.AtLeast(r, m, 0.9, assert.OnUnit("f1")) }, "f1"},
		{
			func(r *recorder) bool { return assert.Improves(r, m) },
			"there is one learner, and no other one",
		},
		{
			func(r *recorder) bool { return assert.NoRegression(r, m, assert.Margin(0.02)) },
			"there is one learner, and no other one",
		},
		{
			func(r *recorder) bool { return assert.AtLeast(r, assert.Family{}, 0.9) },
			"a family of no comparisons",
		},
	} {
		r := &recorder{}
		testify.False(t, c.holds(r))
		require.Len(t, r.failures, 1, c.says)
		testify.Contains(t, r.failures[0], c.says)
	}
	testify.True(t, assert.AtLeast(&recorder{}, m, 0.5, assert.AllowMajority()))
}
