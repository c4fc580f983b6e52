package assert_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/learnbench/learnbench/assert"
	"github.com/learnbench/learnbench/learntest"
	"github.com/learnbench/learnbench/learntest/split"
	"github.com/learnbench/learnbench/learntest/stat"
	testify "github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// timed is a learner that takes so long to train, and next to nothing to predict.
func timed(name string, fit time.Duration) learntest.Learner[int, bool] {
	return learntest.Func(name, func(context.Context, learntest.Sample[int, bool],
		uint64,
	) (func(int) bool, error) {
		time.Sleep(fit)
		return func(x int) bool { time.Sleep(time.Microsecond); return x%2 == 1 }, nil
	})
}

func TestRatioAtMost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		xs, ys := make([]int, 60), make([]bool, 60)
		for i := range xs {
			xs[i], ys[i] = i, i%2 == 1
		}
		data := learntest.Examples("numbers", xs, ys)
		cfg := learntest.Config{Protocol: split.CV(2, 10), Parallel: 1, NoClaim: true}
		fast, slow := timed("fast", time.Millisecond), timed("slow", 5*time.Millisecond)
		c := learntest.CompareWith(t, cfg, data, fast, slow)
		r := &recorder{}
		testify.True(t, assert.RatioAtMost(r, c, 0.8))
		require.Len(t, r.logs, 1)
		testify.True(t, strings.HasPrefix(r.logs[0],
			"fast takes at most ×0.8 the training time of slow on numbers: shown\n"), r.logs[0])
		testify.True(t, assert.RatioAtMost(r, assert.Family{c, c}, 0.8))

		testify.False(t, assert.RatioAtMost(r, c, 0.01, assert.Message("release %d", 7)))
		require.Len(t, r.failures, 1)
		testify.Contains(t, r.failures[0],
			"Claim does not hold: fast takes at most ×0.01 the training time of slow on numbers: refuted\n")
		testify.Contains(t, r.failures[0], "release 7")
		for _, x := range []struct {
			option assert.Option
			says   string
		}{
			{assert.OnUnit("predict-sec"), "the mean prediction time of fast is below 100 µs"},
			{assert.OnUnit("accuracy"), "a ratio is claimed of times, fit-sec and predict-sec, which are measured in every trial, or of costs of models (metric.Cost), and not of accuracy"},
			{assert.Margin(0.1), "takes neither a margin"},
			{assert.Gain(0.1), "takes neither a margin"},
			{assert.OneSided(), "takes neither a margin"},
			{assert.Bayes(0.01, 0.95), "takes neither a margin"},
			{assert.SecondOpinion(), "takes neither a margin"},
			{assert.AllowMajority(), "takes neither a margin"},
			{assert.SignificanceTest(stat.MustLookup("paired-t")), "has a test of its own"},
			{assert.Replicability(0.9), "takes no replicability"},
			{assert.Alpha(0.5), "significance level 0.5"},
		} {
			r := &recorder{}
			testify.False(t, assert.RatioAtMost(r, c, 0.8, x.option))
			require.Len(t, r.failures, 1, x.says)
			testify.Contains(t, r.failures[0], x.says)
		}
		for _, limit := range []float64{0, -1} {
			r := &recorder{}
			testify.False(t, assert.RatioAtMost(r, c, limit))
			testify.Contains(t, r.failures[0], "1.2 allows a fifth more")
		}
	})
}
